"""What TensorFlow, Keras and NumPy give back, as tables that were made by running them."""
