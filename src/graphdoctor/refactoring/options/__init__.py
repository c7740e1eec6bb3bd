"""Leave out, rename or correct an option of a call, or a decorator."""
