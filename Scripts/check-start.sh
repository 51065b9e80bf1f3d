#!/bin/sh
# Checks what makes a start of the release program fast and depends on the toolchain: the list of symbols by which the
# linker lays out the program still names what is in it, the Swift library's file CommandLine.cpp, which reads
# /proc/self/maps before `main`, is not part of it (Sources/CProgramArguments), and where link-settings.sh made a static
# libm, the program loads none. PROGRAM has its symbols.
#
# usage: check-start.sh PROGRAM
set -eu
program=$1
list=$(dirname "$0")/symbol-order.txt
command -v nm >/dev/null 2>&1 || { echo "check-start: $program is not checked, since binutils is missing" >&2; exit 0; }
names=$(mktemp)
trap 'rm -f "$names"' EXIT
nm "$program" 2>/dev/null | awk '{ print $3 }' > "$names"
# A program without symbols was checked before.
[ -s "$names" ] || exit 0
if grep -q 'CommandLine\.cpp' "$names"; then
  echo "check-start: the Swift library's CommandLine.cpp is in $program (Documentation/Toolchain.md)" >&2
  exit 1
fi
static=$(dirname "$0")/../.build/static/libm.a
if [ -e "$static" ] && readelf --dynamic "$program" | grep -q 'NEEDED.*libm\.'; then
  echo "check-start: $program loads libm, although there is $static (Documentation/Toolchain.md)" >&2
  exit 1
fi
# The optimizer numbers some names, and otherwise in each build.
awk -v list="$list" '
  NR == FNR { defined[$0]; next }
  !/^#/ && NF && !/\.[0-9]+$/ { all++; if ($0 in defined) found++ }
  END {
    if (found < all * 0.8) {
      printf "check-start: only %d of %d names of %s are in the program: run make symbol-order (Documentation/Toolchain.md)\n", \
        found, all, list > "/dev/stderr"
      exit 1
    }
  }' "$names" "$list"
