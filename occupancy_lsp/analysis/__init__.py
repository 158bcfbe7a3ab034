"""Facts, counts and a device brought together: one report per kernel. It knows no editor and no file."""
