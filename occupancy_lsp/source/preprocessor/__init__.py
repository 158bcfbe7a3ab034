"""Macros and directives as text: expansion over tokens, and which macros stand for annotations or statements."""
