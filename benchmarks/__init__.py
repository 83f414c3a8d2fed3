"""Speed and memory beside TensorFlow's own reader: `make bench`."""
