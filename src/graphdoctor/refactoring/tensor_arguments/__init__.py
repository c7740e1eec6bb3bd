"""Pass as tensor: arguments of graph functions that are Python values."""
