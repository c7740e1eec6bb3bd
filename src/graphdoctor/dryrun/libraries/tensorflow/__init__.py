"""TensorFlow: tensors, variables, datasets, tapes, graph functions and saved models."""
