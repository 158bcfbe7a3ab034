"""What a check found in files, as plain records that every format prints. Knows no format, no protocol, no editor."""
