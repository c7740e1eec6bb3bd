"""Move into or out of a `GradientTape` block, and ask the tape for the right sources."""
