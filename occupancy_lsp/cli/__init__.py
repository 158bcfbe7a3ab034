"""The command line. It never imports pygls."""
