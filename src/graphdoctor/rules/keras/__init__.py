"""What Keras traces, and how."""
