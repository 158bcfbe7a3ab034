"""`meson.build` read as text: how each source is compiled. Nothing is run."""
