"""Replace a call or expression of Python or NumPy by the TensorFlow operation."""
