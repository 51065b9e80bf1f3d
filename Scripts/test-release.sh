#!/bin/sh
# Runs all tests. Those that start archtool start the release program, as `make build` made it; the tests themselves, and
# the programs that check it, are those that `make test` has built.
#
# usage: test-release.sh PROGRAM BOUNDED
#
# BOUNDED is a regular expression for the names of suites that start the program of the tests.
set -eu
program=$(cd "$(dirname "$1")" && pwd -P)/$(basename "$1")
others="EndToEndTests\\.(?!($2)/)"
swift=${SWIFT:-swift}
built=$($swift build --show-bin-path)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in FoundationJudge ListClasses TransactionPeer; do ln -s "$built/$name" "$folder/$name"; done
ln -s "$program" "$folder/archtool"
# Both run, whatever the first finds.
status=0
SWIFT=$swift sh "$(dirname "$0")/run-tests.sh" --skip-build -Xswiftc -warnings-as-errors --skip "$others" || status=$?
ARCHTOOL_PROGRAMS=$folder SWIFT=$swift sh "$(dirname "$0")/run-tests.sh" --skip-build -Xswiftc -warnings-as-errors \
  --filter "$others" || status=$?
exit "$status"
