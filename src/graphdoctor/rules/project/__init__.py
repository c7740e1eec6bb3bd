"""A project as a whole: files that cannot be read, switches, failures that no other rule explains."""
