#!/bin/sh
# Prepares the release build for a fast start: only what a small archive needs is loaded.
#
# - pkgconfig/*.pc name the headers of libxml2, PCRE2, libidn2 and OpenSSL, but no library to link: the
#   program binds each when it first needs it (LibXML2.swift, PCRE2.swift, IDN2.swift, LibCrypto.swift).
# - static/libstdc++.a, if the system has it, allows the linker to include the C++ library, which the static Swift
#   library needs, in the program.
#
# usage: link-settings.sh FOLDER
set -eu
mkdir -p "$1/pkgconfig" "$1/static"
libraries="libxml-2.0 libpcre2-8 libidn2"
# macOS includes SHA-256 in its own libraries.
[ "$(uname -s)" = Darwin ] || libraries="$libraries libcrypto"
for library in $libraries; do
  cat > "$1/pkgconfig/$library.pc" <<PC
Name: $library headers
Description: the headers of $library, which is bound at run time
Version: $(pkg-config --modversion "$library")
Cflags: $(pkg-config --cflags "$library")
Libs:
PC
done
archive=$(find /usr/lib/gcc -name libstdc++.a 2>/dev/null | sort | tail -n 1)
[ -z "$archive" ] || ln -sf "$archive" "$1/static/libstdc++.a"
