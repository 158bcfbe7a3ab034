"""YAML text into frozen dataclasses. It knows no settings, presets or sidecars: a class is its own schema."""
