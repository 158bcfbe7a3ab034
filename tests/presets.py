"""The presets that are built in, read once by whoever asks for them."""

from occupancy_lsp.devices.catalogue import Catalogue

CATALOGUE = Catalogue()
