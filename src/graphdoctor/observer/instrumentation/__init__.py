"""How the observer gets into TensorFlow and other modules, and out again."""
