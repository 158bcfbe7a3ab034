"""The sources of a folder as a whole: who includes whom, who launches what, and how each is compiled."""
