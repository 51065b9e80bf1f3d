#!/bin/sh
# Prepares the release build so that the program starts fast: what a small archive needs is loaded, no more.
#
# - pkgconfig/libxml-2.0.pc names libxml2's headers, but no library to link: the program binds the library
#   when it first reads XML (Sources/PropertyLists/XML/LibXML2.swift).
# - static/libstdc++.a lets the linker take the C++ library, which the static Swift library needs, into the
#   program, where the system has it.
#
# usage: link-settings.sh FOLDER
set -eu
mkdir -p "$1/pkgconfig" "$1/static"
cat > "$1/pkgconfig/libxml-2.0.pc" <<PC
Name: libxml2 headers
Description: the headers of libxml2, which is bound at run time
Version: $(pkg-config --modversion libxml-2.0)
Cflags: $(pkg-config --cflags libxml-2.0)
Libs:
PC
archive=$(find /usr/lib/gcc -name libstdc++.a 2>/dev/null | sort | tail -n 1)
[ -z "$archive" ] || ln -sf "$archive" "$1/static/libstdc++.a"
