"""What a compiler counted, kernel by kernel, in whatever format. It knows no source text."""
