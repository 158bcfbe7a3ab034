"""Devices as data: the presets that come with the tool and those of the user, every number with its source."""
