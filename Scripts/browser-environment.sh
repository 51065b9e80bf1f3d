#!/bin/sh
# Installs Chromium, and Selenium and axe in the environment .build/browser.
set -eu
cd "$(dirname "$0")/.."
environment=.build/browser
requirements=Tests/Browser/requirements.txt

sh Scripts/install-dependencies.sh browser
if ! cmp -s "$requirements" "$environment/requirements.txt"; then
  echo "installing Selenium and axe in $environment"
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
  cp "$requirements" "$environment/requirements.txt"
fi
