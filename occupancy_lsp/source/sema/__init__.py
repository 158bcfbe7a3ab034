"""What names, types and values mean. Its files ask one another: the one circle of imports."""
