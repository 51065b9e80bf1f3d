#!/bin/sh
# Makes .build/packages/archtool-VERSION-SYSTEM-MACHINE.tar.gz, its debug symbols, and the SHA-256 of both.
#
# usage: tarball.sh
set -eu
. "$(dirname "$0")/settings.sh"

name=archtool-$version-$system-$machine
work=$packages/work/tarball
rm -rf "$work"
mkdir -p "$work/$name"
sh "$root/Packaging/stage.sh" "$program" "$work/$name"
install -d "$work/$name/share/doc/archtool"
install -m 644 "$root/README.md" "$root/CHANGELOG.md" "$work/$name/share/doc/archtool"
pack "$work" "$name" "$packages/$name.tar.gz"
write_hash "$packages/$name.tar.gz"
if [ -f "$program.debug" ]; then
  install -m 644 "$program.debug" "$work/archtool.debug"
  pack "$work" archtool.debug "$packages/$name-debug.tar.gz"
  write_hash "$packages/$name-debug.tar.gz"
fi
rm -rf "$work"
echo "$packages/$name.tar.gz"
