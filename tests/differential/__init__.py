"""Small programs that are drawn, compiled and run, and what is told of each beside that.

`python -m tests.differential --count N --seed S` draws N programs over the grammar that the reader claims to read,
compiles them in batches, runs their host code on a runtime that only notes launches, and compares every figure.
"""
