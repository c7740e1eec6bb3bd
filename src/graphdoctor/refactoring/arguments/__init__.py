"""Pass as an argument what a graph function captures or takes for itself."""
