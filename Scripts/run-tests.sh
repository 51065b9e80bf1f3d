#!/bin/sh
# Runs `swift test` with the arguments given. Where tests fail, what failed is printed again at the end: the failures of
# a thousand tests that run at once are hard to find in the log.
set -u
swift=${SWIFT:-swift}
log=$(mktemp)
trap 'rm -f "$log" "$log.status"' EXIT
{
  # shellcheck disable=SC2086
  $swift test "$@" 2>&1
  echo $? > "$log.status"
} | tee "$log"
status=$(cat "$log.status")
if [ "$status" -ne 0 ]; then
  echo
  echo "What failed:"
  grep -aE -A4 '^✘|error: Exited with|unexpected signal' "$log" | grep -avE '^(◇|✔|--$)' | head -n 200
fi
exit "$status"
