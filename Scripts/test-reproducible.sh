#!/bin/sh
# Builds the packages of the last commit in two folders, with other settings of the user, and compares them byte by byte.
# Takes as long as two release builds.
#
# usage: make test-reproducible
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build FOLDER: makes the packages of the last commit in a new folder.
build() {
  git clone --quiet "$root" "$work/$1"
  make -C "$work/$1" packages DEPENDENCIES= > "$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
}

# The headers that the build needs are there, if this folder was built.
sh "$root/Scripts/install-dependencies.sh" build
(umask 022 && TZ=UTC LC_ALL=C && export TZ LC_ALL && build one)
(umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 HOSTNAME=other && export TZ LC_ALL HOSTNAME && build another/folder)

cd "$work/one/.build/packages"
for package in archtool*; do
  if ! cmp "$package" "$work/another/folder/.build/packages/$package"; then
    echo "test-reproducible: error: $package differs from one build to the other" >&2
    # The two files, to look at what differs.
    mkdir -p "$root/.build/different"
    cp "$package" "$root/.build/different/one-$package"
    cp "$work/another/folder/.build/packages/$package" "$root/.build/different/another-$package"
    different=1
  fi
done
cmp "$work/one/.build/release/archtool" "$work/another/folder/.build/release/archtool" || different=1
[ -z "${different:-}" ] || exit 1
sha256sum archtool*.tar.gz archtool*.deb archtool*.rpm 2>/dev/null || true
echo "test-reproducible: both builds made the same bytes"
