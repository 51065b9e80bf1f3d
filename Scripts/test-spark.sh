#!/bin/sh
# Tests the Spark job in Examples/spark, in local mode, with a separate Spark installation under .build.
#
# If Java 17 or Python 3.11 is missing, it reports that and ends successfully. With CI=true or ARCHTOOL_REQUIRE_SPARK=1
# it installs what is missing instead.
#
# ARCHTOOL names the program to test with; the default is the debug build.
set -eu
cd "$(dirname "$0")/.."
environment=.build/spark
requirements=Examples/spark/requirements.txt

missing() {
  version=$("${JAVA_HOME:+$JAVA_HOME/bin/}java" -version 2>&1 |
    sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
  if [ "${version:-0}" -lt 17 ]; then echo "Java 17"; fi
  python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    echo "Python 3.11 with venv"
}

if [ -n "$(missing)" ]; then
  if [ "${CI:-}" != true ] && [ "${ARCHTOOL_REQUIRE_SPARK:-}" != 1 ]; then
    echo "test-spark: skipped; it needs" $(missing)
    exit 0
  fi
  sh Scripts/install-dependencies.sh spark
  if [ -n "$(missing)" ]; then
    echo "test-spark: error: there is still no" $(missing) >&2
    exit 1
  fi
fi

if ! cmp -s "$requirements" "$environment/requirements.txt"; then
  echo "test-spark: installing Spark in $environment"
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
cd Examples/spark
exec "../../$environment/bin/python" -m unittest -v test_archtool_pipe test_migrate_archives test_read_archives
