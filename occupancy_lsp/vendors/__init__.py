"""Each vendor's rule, what its compiler makes of a kernel, and what else is the vendor's own.

What is pure arithmetic knows no source text; `vendor`, `ceiling` and `stated` read what the source proves of a kernel.
"""
