"""What worked with Keras 2 and raises with Keras 3."""
