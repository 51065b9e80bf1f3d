#!/bin/sh
# Dumps, validates and migrates archives of TestArchives, and checks a schema family; prints each command before its
# output.
#
# usage: demo.sh ARCHTOOL
set -eu

archtool=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
archives=$(cd "$(dirname "$0")/../TestArchives" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PATH=$(dirname "$archtool"):$PATH
export PATH
cd "$folder"
cp "$archives/WeatherFeed/v1-1-city" WeatherFeed
cp "$archives/Movie/v0-nested-class" Movie
cp "$archives/WeatherFeed/topcities.json" "$archives/Broken/wrong-types-v1" "$archives/Graphs/cycle" .
cp -r "$archives/Families" Schemas

# Prints a command and runs it; an expected failure is visible in the printed status.
run() {
  printf '\n$'
  for word in "$@"; do
    case $word in
      *' '*) printf " '%s'" "$word" ;;
      *) printf ' %s' "$word" ;;
    esac
  done
  printf '\n'
  status=0
  "$@" || status=$?
  [ "$status" = 0 ] || printf '(exit status %s)\n' "$status"
}

run archtool info WeatherFeed
run archtool dump WeatherFeed
run archtool dump --format json Movie
run archtool dump cycle
run archtool validate WeatherFeed Movie
run archtool validate wrong-types-v1
run archtool migrate --from v1 --to v2 WeatherFeed -o WeatherFeed.v2
run archtool dump --depth 2 WeatherFeed.v2
run archtool migrate --from v2 --to v1 WeatherFeed.v2 -o WeatherFeed.v1
run archtool migrate --from v0 --to v2 --keep-lost --in-place --backup .old Movie
run archtool create --schema WeatherFeed@v2 topcities.json -o TopCities --fetched-at "Apr 6, 2019 at 12:50:00 PM"
run archtool validate WeatherFeed.v1 WeatherFeed.v2 Movie Movie.old TopCities
run archtool schema check Schemas
