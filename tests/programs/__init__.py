"""Tiny TensorFlow programs with one bug each, and healthy ones.

The line to blame bears the mark ``# <- cause``. ``recording.py`` makes real dumps of them, one
folder a program; ``expected.py`` says what each cause is.
"""
