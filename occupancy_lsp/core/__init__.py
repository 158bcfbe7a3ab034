"""What every other part may use: texts, files, problems and how they are shown. It knows nothing of GPUs."""
