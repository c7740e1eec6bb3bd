"""What XLA compiles otherwise, or not at all."""
