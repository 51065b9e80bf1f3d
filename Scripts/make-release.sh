#!/bin/sh
# Makes all packages of the last commit, in .build/packages: the same bytes wherever this folder is.
#
# The order of what the compiler writes depends on the addresses of its own objects, and these on the paths of the files.
# So the commit is built in a folder that has one name on every machine, and addresses are not randomized (Makefile).
#
# HOMEPAGE and MAINTAINER come from the Makefile.
#
# usage: make release
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
place=/tmp/archtool-release
umask 022

# Nobody else can have put files there.
if ! mkdir -m 700 "$place"; then
  echo "make-release: error: $place exists: another build runs, or remove what is left of one" >&2
  exit 1
fi
trap 'rm -rf "$place"' EXIT
trap 'exit 1' HUP INT TERM

SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH HOMEPAGE MAINTAINER
git -C "$root" archive --format=tar HEAD | tar -xf - -C "$place"
[ ! -d "$root/.build/musl" ] || { mkdir -p "$place/.build" && cp -R "$root/.build/musl" "$place/.build"; }
make -C "$place" packages DEPENDENCIES= REPOSITORY="$root"
mkdir -p "$root/.build/packages"
for package in "$place"/.build/packages/archtool*; do
  cp "$package" "$root/.build/packages"
done
