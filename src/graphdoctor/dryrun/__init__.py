"""Syntax → recording: runs a program on abstract values, by TensorFlow's rules of tracing."""
