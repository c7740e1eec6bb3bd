"""The user's source and code objects: which files are his, and which functions and lines run in a trace."""
