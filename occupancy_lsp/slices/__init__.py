"""What the kernels of a file need of it and of its headers, as a text that compiles without the rest.

Knows no compiler and no disk: files come by a function, and what a compiler says of the text comes back as places.
"""
