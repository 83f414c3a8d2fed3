"""Writers of small tfdbg2 file sets, byte by byte, independent of TensorFlow and of the reader."""
