"""The documentation: runs the examples in its pages, and makes the site."""
