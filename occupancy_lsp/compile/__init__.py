"""Compiles one file for its counts: the only part that starts processes.

What is started was found on this machine outside the workspace; what a workspace's files say only picks among
arguments that are known to be harmless. Nothing is written but into the user's caches. Every compiler is started by
`confined.run`.
"""
