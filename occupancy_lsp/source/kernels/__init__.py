"""What a kernel reaches and uses, looked up."""
