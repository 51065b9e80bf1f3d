#!/bin/sh
# Makes the packages of the last commit twice, in clones in two folders and with other settings of the user, and compares
# them byte by byte. Takes as long as two release builds.
#
# usage: make test-reproducible
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
commit=$(git -C "$root" rev-parse HEAD)

# release FOLDER: makes the packages of the commit in a new clone.
release() {
  git clone --quiet "$root" "$work/$1"
  git -C "$work/$1" checkout --quiet "$commit"
  make -C "$work/$1" release > "$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
}

# The headers that the build needs.
sh "$root/Scripts/install-dependencies.sh" build
(umask 022 && TZ=UTC LC_ALL=C && export TZ LC_ALL && release one)
(umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 HOSTNAME=other && export TZ LC_ALL HOSTNAME && release another/folder)

cd "$work/one/.build/packages"
different=""
for package in archtool*; do
  cmp "$package" "$work/another/folder/.build/packages/$package" || different="$different $package"
done
sha256sum archtool*
if [ -n "$different" ]; then
  # Both files, to look at what differs.
  for package in $different; do
    mkdir -p "$root/.build/different/one" "$root/.build/different/another"
    cp "$package" "$root/.build/different/one"
    cp "$work/another/folder/.build/packages/$package" "$root/.build/different/another"
  done
  echo "test-reproducible: error: the two builds differ in$different" >&2
  exit 1
fi
echo "test-reproducible: both builds made the same bytes"
