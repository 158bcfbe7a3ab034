# The step of action.yml that installs occupancy-lsp, in an environment of its own.
#
# PYTHON: the program that makes it. VERSION: of the package; empty: the one that this file is part of.
set -euo pipefail

environment=$RUNNER_TEMP/occupancy-lsp
# Isolated: the current folder is the checkout, and no module of it takes the place of one of Python's.
"$PYTHON" -I -m venv "$environment"
programs=$environment/bin
[ -d "$programs" ] || programs=$environment/Scripts
package=$GITHUB_ACTION_PATH
[ -z "$VERSION" ] || package=occupancy-lsp==$VERSION
"$programs/python" -I -m pip install --quiet --disable-pip-version-check "$package"
echo "program=$programs/occupancy-lsp" >> "$GITHUB_OUTPUT"
