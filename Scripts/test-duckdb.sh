#!/bin/sh
# Tests the recipe for DuckDB in archtool-tutorial(7), with a DuckDB of its own under .build.
#
# If Python 3.11 is missing or DuckDB cannot be installed, it reports that and ends successfully; with CI=true or
# ARCHTOOL_REQUIRE_DUCKDB=1 that is an error.
#
# ARCHTOOL names the program to test with; the default is the debug build.
set -eu
cd "$(dirname "$0")/.."
environment=.build/duckdb
requirements=Tests/DuckDB/requirements.txt

skip() {
  if [ "${CI:-}" = true ] || [ "${ARCHTOOL_REQUIRE_DUCKDB:-}" = 1 ]; then
    echo "test-duckdb: error: $1" >&2
    exit 1
  fi
  echo "test-duckdb: skipped; $1"
  exit 0
}

python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
  skip "it needs Python 3.11 with venv"
if ! cmp -s "$requirements" "$environment/requirements.txt"; then
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" ||
    skip "DuckDB cannot be installed"
  cp "$requirements" "$environment/requirements.txt"
fi

ARCHTOOL=${ARCHTOOL:-.build/debug/archtool}
if [ ! -x "$ARCHTOOL" ]; then
  ${SWIFT:-swift} build --product archtool
fi
exec "$environment/bin/python" -B Tests/DuckDB/recipe.py "$ARCHTOOL"
