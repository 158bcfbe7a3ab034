"""How fast the language server and the command line are, beside floors and other tools: `python -m benchmarks`."""
