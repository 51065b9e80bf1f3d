#!/bin/sh
# Tests the explorer's page in Chromium without a window, with Selenium and axe in an environment under .build.
#
# ARCHTOOL names the program to test with; the default is the debug build.
set -eu
cd "$(dirname "$0")/.."
environment=.build/browser
sh Scripts/browser-environment.sh

ARCHTOOL=${ARCHTOOL:-.build/debug/archtool}
if [ ! -x "$ARCHTOOL" ]; then
  ${SWIFT:-swift} build --product archtool
fi
ARCHTOOL=$(realpath "$ARCHTOOL")
export ARCHTOOL
cd Tests/Browser
exec "../../$environment/bin/python" -m unittest -v "${@:-test_explorer}"
