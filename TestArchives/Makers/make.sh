#!/bin/sh
# Makes every archive of TestArchives again. Needs python3 and a Swift toolchain with Foundation.
#
# Dictionaries are hashed the same way in each run, so that the same archives come out byte for byte.
set -eu
makers=$(cd "$(dirname "$0")" && pwd)
archives=$(dirname "$makers")
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
# Before anything is removed, so that a maker that does not compile leaves the archives as they were.
swiftc -O -module-name Demo -o "$build/maker" "$makers"/FoundationMaker/*.swift \
  "$archives/../Tests/FoundationJudge/Models.swift" \
  "$archives/../Tests/FoundationJudge/Dictionariable.swift"
for folder in WeatherFeed Movie Actor Person Graphs Broken Expected; do
  rm -rf "${archives:?}/$folder"
  mkdir "$archives/$folder"
done
python3 "$makers/make_answer.py" "$archives"
SWIFT_DETERMINISTIC_HASHING=1 "$build/maker" "$archives"
python3 "$makers/make_layouts.py" "$archives"
python3 "$makers/make_broken.py" "$archives"
python3 "$makers/make_expected.py" "$archives"
rm -rf "${archives:?}/TypedStreams"
python3 "$makers/make_typedstreams.py" "$archives"
rm -rf "${archives:?}/Nibs" "${archives:?}/Wrapped"
python3 "$makers/make_nibs.py" "$archives"
rm -rf "${archives:?}/GNUstep"
python3 "$makers/make_gnustep.py" "$archives"
python3 "$makers/make_wrapped.py" "$archives"
python3 "$makers/make_programs.py" "$archives"
rm -rf "${archives:?}/XPC"
python3 "$makers/make_xpc.py" "$archives"
python3 "$makers/make_recipes.py" "$archives"
python3 "$makers/make_bookmarks.py" "$archives"
python3 "$makers/make_itineraries.py" "$archives"
python3 "$makers/make_apps.py" "$archives"
python3 "$makers/make_migrations.py" "$archives"
python3 "$makers/make_databases.py" "$archives"
python3 "$makers/check_layouts.py" "$archives"
