"""Host code in order: the value that a variable has where a kernel is launched."""
