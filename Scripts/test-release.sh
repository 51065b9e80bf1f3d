#!/bin/sh
# Runs end-to-end tests with the release program, as `make build` made it; the tests themselves, and the programs that
# check it, are those that `make test` has built.
#
# usage: test-release.sh PROGRAM SUITES
#
# SUITES is a regular expression for the names of suites.
set -eu
program=$(cd "$(dirname "$1")" && pwd -P)/$(basename "$1")
suites=$2
swift=${SWIFT:-swift}
built=$($swift build --show-bin-path)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in FoundationJudge ListClasses TransactionPeer; do ln -s "$built/$name" "$folder/$name"; done
ln -s "$program" "$folder/archtool"
ARCHTOOL_PROGRAMS=$folder SWIFT=$swift sh "$(dirname "$0")/run-tests.sh" --skip-build -Xswiftc -warnings-as-errors \
  --filter "$suites"
