"""The arithmetic of occupancy that all vendors share. It knows no text, no files and no YAML."""
