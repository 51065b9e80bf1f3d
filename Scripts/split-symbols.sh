#!/bin/sh
# Moves the debug symbols of a program into a file beside it: PROGRAM.debug, or PROGRAM.dSYM on macOS. Debuggers find it
# by the build ID, or by the name in the section .gnu_debuglink.
#
# usage: split-symbols.sh PROGRAM
set -eu
program=$1

if [ "$(uname -s)" = Darwin ]; then
  dsymutil "$program" -o "$program.dSYM" 2>/dev/null
  strip -Sx "$program"
  exit 0
fi

if ! command -v objcopy >/dev/null 2>&1 || ! command -v readelf >/dev/null 2>&1; then
  echo "split-symbols: $program keeps its symbols, since binutils is missing" >&2
  exit 0
fi
# A program without symbols was split before.
readelf --sections --wide "$program" | grep -q ' \.symtab ' || exit 0
objcopy --only-keep-debug --compress-debug-sections "$program" "$program.debug"
# A new file: a program that runs keeps its own.
(
  cd "$(dirname "$program")"
  name=$(basename "$program")
  objcopy --strip-all --add-gnu-debuglink="$name.debug" "$name" "$name.stripped"
  chmod 755 "$name.stripped"
  chmod 644 "$name.debug"
  mv "$name.stripped" "$name"
)
