"""The plugin folder that is shipped: index, archive, skills and manifest."""
