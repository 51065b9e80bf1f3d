#!/bin/sh
# Tests the explorer's page in Chromium without a window, with Selenium and axe in an environment under .build.
#
# ARCHTOOL names the program to test with; the default is the debug build.
set -eu
cd "$(dirname "$0")/.."
environment=.build/browser
requirements=Tests/Browser/requirements.txt

sh Scripts/install-dependencies.sh browser
if ! cmp -s "$requirements" "$environment/requirements.txt"; then
  echo "test-browser: installing Selenium and axe in $environment"
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
  cp "$requirements" "$environment/requirements.txt"
fi

ARCHTOOL=${ARCHTOOL:-.build/debug/archtool}
if [ ! -x "$ARCHTOOL" ]; then
  ${SWIFT:-swift} build --product archtool
fi
ARCHTOOL=$(realpath "$ARCHTOOL")
export ARCHTOOL
cd Tests/Browser
exec "../../$environment/bin/python" -m unittest -v "${@:-test_explorer}"
