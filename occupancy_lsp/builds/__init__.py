"""What a folder's build results say, and whose each count is. Does the file I/O."""
