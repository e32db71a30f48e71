"""The query commands as tools of the Model Context Protocol, for agents that speak it."""
