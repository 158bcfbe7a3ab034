"""The rule of a device that is described by its limits alone."""
