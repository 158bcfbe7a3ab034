"""What an editor asks for, answered in plain data: byte offsets in, frozen dataclasses out. Knows no protocol."""
