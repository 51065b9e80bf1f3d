#!/bin/sh
# Makes the source of the last commit, .build/packages/archtool-VERSION.tar.gz, and the Homebrew formula that builds it.
#
# usage: formula.sh
set -eu
. "$(dirname "$0")/settings.sh"

mkdir -p "$packages"
source=$packages/archtool-$version.tar.gz
git -C "${REPOSITORY:-$root}" archive --format=tar --prefix="archtool-$version/" HEAD | gzip -n -9 > "$source"
write_hash "$source"
hash=$(cut -d ' ' -f 1 "$source.sha256")
sed -e "s|@HOMEPAGE@|$homepage|g" -e "s|@VERSION@|$version|g" -e "s|@SHA256@|$hash|g" \
  "$root/Packaging/archtool.rb.in" > "$packages/archtool.rb"
echo "$packages/archtool.rb"
