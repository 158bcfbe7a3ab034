#!/usr/bin/env bash
# Installs the system's programs that tests start: as root with apt. Else tells what to install: tests skip what is not there.
set -euo pipefail

# PROGRAM PACKAGE WHAT-FOR; packages are Debian's.
needed="
g++      g++               nvcc, and what C++ makes of a text
cmake    cmake             the command lines that CMake writes
git      git               checks against a revision
ocloc    intel-opencl-icd  what Intel's compiler counts
hipcc    hipcc             ROCm's headers and device library
fish     fish              its completion
zsh      zsh               its completion
"

missing=()
while read -r program package purpose; do
  if [ -z "$program" ] || command -v "$program" >/dev/null; then continue; fi
  missing+=("$package")
  echo "missing: $program, for $purpose"
done <<<"$needed"
if [ ${#missing[@]} = 0 ]; then exit; fi

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
else
  echo "Their tests are skipped. On Debian: sudo apt-get install --no-install-recommends ${missing[*]}"
fi
