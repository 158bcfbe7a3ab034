"""The ladder: which heads a kernel could have, what each makes of its registers, and which of them is worth having.

Knows nothing of compilers: what they say is handed in.
"""
