"""CMake's files, as far as their text tells how sources are compiled: read, never run."""
