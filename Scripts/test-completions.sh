#!/bin/sh
# Tests the completions in bash, zsh and fish, each on a terminal of its own, with and without Debian's bash-completion.
#
# If a shell is missing, it reports that and ends successfully. With CI=true or ARCHTOOL_REQUIRE_SHELLS=1 it installs
# what is missing instead.
#
# ARCHTOOL names the program to test with; the default is the debug build.
set -eu
cd "$(dirname "$0")/.."

missing() {
  for shell in bash zsh fish python3; do
    command -v "$shell" >/dev/null 2>&1 || echo "$shell"
  done
}

if [ "${CI:-}" = true ] || [ "${ARCHTOOL_REQUIRE_SHELLS:-}" = 1 ]; then
  sh Scripts/install-dependencies.sh shells
  if [ -n "$(missing)" ]; then
    echo "test-completions: error: there is still no" $(missing) >&2
    exit 1
  fi
elif [ -n "$(missing)" ]; then
  echo "test-completions: skipped; it needs" $(missing)
  exit 0
fi

ARCHTOOL=${ARCHTOOL:-.build/debug/archtool}
if [ ! -x "$ARCHTOOL" ]; then
  ${SWIFT:-swift} build --product archtool
fi
ARCHTOOL=$(realpath "$ARCHTOOL")
export ARCHTOOL
cd Tests/Shells
exec python3 -m unittest -v "${@:-test_completions}"
