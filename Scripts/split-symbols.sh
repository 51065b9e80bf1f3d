#!/bin/sh
# Moves the debug symbols of a program into a file beside it: PROGRAM.debug, or PROGRAM.dSYM on macOS. Debuggers find it
# by the build ID, or by the name in the section .gnu_debuglink. The program as it was linked is kept as PROGRAM.linked,
# which is put back before the next build: `swift build` links a program again that another tool has changed.
#
# usage: split-symbols.sh [--undo] PROGRAM
set -eu
if [ "$1" = --undo ]; then
  [ ! -f "$2.linked" ] || mv -f "$2.linked" "$2"
  exit 0
fi
program=$1

if [ "$(uname -s)" = Darwin ]; then
  dsymutil "$program" -o "$program.dSYM" 2>/dev/null
  cp "$program" "$program.stripped"
  strip -Sx "$program.stripped"
  mv -f "$program" "$program.linked"
  mv "$program.stripped" "$program"
  exit 0
fi

if ! command -v objcopy >/dev/null 2>&1 || ! command -v readelf >/dev/null 2>&1; then
  echo "split-symbols: $program keeps its symbols, since binutils is missing" >&2
  exit 0
fi
# A program without symbols was split before.
readelf --sections --wide "$program" | grep -q ' \.symtab ' || exit 0
objcopy --only-keep-debug --compress-debug-sections "$program" "$program.debug"
(
  cd "$(dirname "$program")"
  name=$(basename "$program")
  objcopy --strip-all --add-gnu-debuglink="$name.debug" "$name" "$name.stripped"
  chmod 755 "$name.stripped"
  chmod 644 "$name.debug"
  mv -f "$name" "$name.linked"
  mv "$name.stripped" "$name"
)
