"""The observed process, and the file that it writes."""
