"""Python state around traces: what differs between calls and iterations, and what a trace has kept."""
