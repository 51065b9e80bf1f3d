#!/bin/sh
# Draws the pictures of README.md into .github/images: a recording of a terminal, and the explorer's page in Chromium, light and dark.
#
# ARCHTOOL names the program to draw; the default is the debug build.
set -eu
cd "$(dirname "$0")/.."
ARCHTOOL=$(realpath "${ARCHTOOL:-.build/debug/archtool}")
export ARCHTOOL
mkdir -p .github/images
python3 Scripts/terminal_picture.py "$ARCHTOOL" .github/images/terminal.svg
sh Scripts/browser-environment.sh
.build/browser/bin/python Scripts/explorer_picture.py .github/images
