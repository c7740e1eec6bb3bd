"""A watched trace → which functions and lines AutoGraph converted, and why not the others."""
