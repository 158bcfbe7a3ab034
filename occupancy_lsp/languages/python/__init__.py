"""Kernels in Python, read with Python's own parser and never run: statements, what names stand for, and a reader for
each language whose kernels are written so."""
