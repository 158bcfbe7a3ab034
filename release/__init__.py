"""What a release consists of, built on one Linux machine: wheel, sdist, the VS Code extension for every platform."""
