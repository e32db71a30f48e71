"""The plugin folder: index, archive, skills and manifest."""
