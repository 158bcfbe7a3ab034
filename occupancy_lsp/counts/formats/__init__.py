"""One reader for each format; `recognise` tells them apart."""
