"""Objects of the program and of TensorFlow → what the recording says of them, running none of their code."""
