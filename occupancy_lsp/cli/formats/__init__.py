"""What a check found, as text and as JSON."""
