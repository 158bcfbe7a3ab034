"""The commands as tools of the Model Context Protocol: what each takes and answers, within one folder.

Only `serving` knows the library of the protocol. Nothing is computed here, and no file is written.
"""
