"""What one item of a file says, before any name in it is looked up."""
