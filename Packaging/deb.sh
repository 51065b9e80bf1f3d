#!/bin/sh
# Makes .build/packages/archtool_VERSION_ARCHITECTURE.deb and archtool-dbgsym_VERSION_ARCHITECTURE.deb with dpkg-deb.
#
# usage: deb.sh
set -eu
. "$(dirname "$0")/settings.sh"

if ! command -v dpkg-deb >/dev/null 2>&1; then
  echo "make deb: error: it needs dpkg-deb, which Debian and its derivatives have" >&2
  exit 1
fi
architecture=$(dpkg --print-architecture)
work=$packages/work/deb
rm -rf "$work"
mkdir -p "$work/main/DEBIAN"

# The C library is linked; its version is the newest of which the program uses a function.
libc=$(objdump -T "$program" | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -Vu | tail -n 1)

# write_list FOLDER: the hashes of its files.
write_list() {
  (cd "$1" && find . -type f ! -path './DEBIAN/*' -printf '%P\n' | sort | xargs -d '\n' md5sum) > "$1/DEBIAN/md5sums"
}

# The libxml2 whose headers the program was built with, under the name that Debian gives its package.
case $(grep -ao 'libxml2\.so\.[0-9]*' "$program" | head -n 1) in
  libxml2.so.2) libxml2=libxml2 ;;
  *) libxml2=libxml2-16 ;;
esac

# size FOLDER: what it takes in kibibytes, as Debian counts: each file and folder is rounded up.
size() {
  find "$1" -path "$1/DEBIAN" -prune -o -type f -printf '%s\n' -o -type d -printf '1\n' |
    awk '{ sum += int(($1 + 1023) / 1024) } END { print sum }'
}

# build FOLDER NAME
build() {
  write_list "$1"
  set_times "$1"
  dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$1" "$packages/$2.new" >/dev/null
  mv "$packages/$2.new" "$packages/$2"
}

main=$work/main
sh "$root/Packaging/stage.sh" "$program" "$main/usr"
# Debian has zsh's functions of packages in a folder of their own.
mkdir -p "$main/usr/share/zsh/vendor-completions"
mv "$main/usr/share/zsh/site-functions/_archtool" "$main/usr/share/zsh/vendor-completions"
rmdir "$main/usr/share/zsh/site-functions"
find "$main/usr/share/man" -type f -exec gzip -n -9 {} +
doc=$main/usr/share/doc/archtool
mkdir -p "$doc"
sed "s|@HOMEPAGE@|$homepage|" "$root/Packaging/copyright" > "$doc/copyright"
gzip -n -9 -c "$root/CHANGELOG.md" > "$doc/changelog.gz"
gzip -n -9 -c "$root/README.md" > "$doc/README.md.gz"
gzip -n -9 -c > "$doc/changelog.Debian.gz" <<END
archtool ($version-1) unstable; urgency=medium

  * The changes of archtool are in changelog.gz.

 -- $maintainer  $(date_as '%a, %d %b %Y %H:%M:%S +0000')
END
chmod 644 "$doc"/*

# The libraries are opened when they are first needed: XML, patterns and compressed inputs by most commands, the others
# by a few. Newer releases have other names for some packages.
cat > "$main/DEBIAN/control" <<END
Package: archtool
Version: $version-1
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(size "$main")
Depends: libc6 (>= $libc), libpcre2-8-0, libssl3 | libssl3t64, $libxml2, zlib1g
Recommends: libidn2-0, libsqlite3-0
Suggests: bash-completion, graphviz
Section: utils
Priority: optional
Homepage: $homepage
Description: dump, validate and migrate keyed archives and property lists
 archtool reads the files that NSKeyedArchiver, NSArchiver and
 PropertyListEncoder write, and property lists in every encoding.
 .
 It shows their contents, compares and edits them, checks them against schemas,
 converts them between formats, and migrates whole folders of them from one
 version of an app's model to another, with a journal to undo it.
END
build "$main" "archtool_$version-1_$architecture.deb"
echo "$packages/archtool_$version-1_$architecture.deb"

if [ -f "$program.debug" ]; then
  id=$(readelf --notes "$program" | sed -n 's/.*Build ID: //p')
  symbols=$work/symbols
  folder=$symbols/usr/lib/debug/.build-id/$(printf %.2s "$id")
  mkdir -p "$folder" "$symbols/DEBIAN" "$symbols/usr/share/doc"
  install -m 644 "$program.debug" "$folder/${id#??}.debug"
  ln -s archtool "$symbols/usr/share/doc/archtool-dbgsym"
  cat > "$symbols/DEBIAN/control" <<END
Package: archtool-dbgsym
Source: archtool
Version: $version-1
Auto-Built-Package: debug-symbols
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(size "$symbols")
Depends: archtool (= $version-1)
Section: debug
Priority: optional
Build-Ids: $id
Description: debug symbols for archtool
END
  build "$symbols" "archtool-dbgsym_$version-1_$architecture.deb"
  echo "$packages/archtool-dbgsym_$version-1_$architecture.deb"
fi
rm -rf "$work"
