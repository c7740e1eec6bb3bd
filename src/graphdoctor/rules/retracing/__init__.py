"""A function traced more often, or into more operations, than it needs."""
