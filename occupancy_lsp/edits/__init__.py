"""What a code action may change beyond one place."""
