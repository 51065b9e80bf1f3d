# What all packages have in common; each script reads this file. HOMEPAGE and MAINTAINER come from the Makefile.

root=$(cd "$(dirname "$0")/.." && pwd)
packages=$root/.build/packages
program=${PROGRAM:-$root/.build/release/archtool}
version=$("$program" --version | sed 's/^archtool //')
homepage=${HOMEPAGE:?run this with make}
maintainer=${MAINTAINER:?run this with make}
system=$(uname -s | tr '[:upper:]' '[:lower:]' | sed 's/^darwin$/macos/')
machine=$(uname -m)

# Files have the time of the commit, so that two builds of it are the same bytes.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null) || SOURCE_DATE_EPOCH=$(
    stat -c %Y "$root/CHANGELOG.md" 2>/dev/null || stat -f %m "$root/CHANGELOG.md")
fi
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

# Prints a date in a format of strftime.
date_as() {
  date -u -d "@$SOURCE_DATE_EPOCH" "+$1" 2>/dev/null || date -u -r "$SOURCE_DATE_EPOCH" "+$1"
}

# Gives every file below a folder the time of the commit.
set_times() {
  find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# Packs the folder NAME of another folder into FILE.
pack() { # FOLDER NAME FILE
  if tar --version 2>/dev/null | grep -q GNU; then
    tar --create --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
      --format=ustar --directory "$1" "$2"
  else
    # bsdtar, as on macOS.
    find "$1" -exec touch -h -t "$(date_as %Y%m%d%H%M.%S)" {} +
    (cd "$1" && find "$2" -type f | sort | tar -cnf - --format ustar --uid 0 --gid 0 --uname '' --gname '' -T -)
  fi | gzip -n -9 > "$3.new"
  mv "$3.new" "$3"
}

# Writes the SHA-256 of a file beside it, as `sha256sum -c` reads it.
write_hash() {
  (
    cd "$(dirname "$1")"
    name=$(basename "$1")
    if command -v sha256sum >/dev/null 2>&1; then sha256sum "$name"; else shasum -a 256 "$name"; fi > "$name.sha256"
  )
}
