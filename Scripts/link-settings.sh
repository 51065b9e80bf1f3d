#!/bin/sh
# Prepares the release build for a fast start: only what a small archive needs is loaded.
#
# - pkgconfig/*.pc name the headers of libxml2, PCRE2, libidn2 and OpenSSL, but no library to link: the
#   program binds each when it first needs it (LibXML2.swift, PCRE2.swift, IDN2.swift, LibCrypto.swift).
# - static/libstdc++.a, if the system has it, allows the linker to include the C++ library, which the static Swift
#   library needs, in the program.
# - static/libm.a, if FOLDER/musl has the static library of musl (install-dependencies.sh), are its mathematical
#   functions, which the static Swift library names: the program loads no libm. They are all that is taken of musl.
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
archive=$(find "$(cd "$1" && pwd)/musl" -name libc.a 2>/dev/null | head -n 1)
if [ -n "$archive" ]; then
  families='a?(cos|sin|tan)h?|atan2|cbrt|ceil|copysign|erf|exp(2|10|m1)?|fabs|fdim|floor|fma|fmax|fmin|fmod|frexp|hypot'
  families="$families|ilogb|j[01n]|ldexp|lgamma[fl]?(_r)?|log(10|1p|2|b)?|nan|nearbyint|nextafter|pow|remainder|remquo|rint"
  families="$families|round|scalbn|sqrt|tgamma|trunc|y[01n]"
  helpers='__(cos|expo2|fpclassify|invtrig|math_|polevl|rem_pio2|signbit|sin|tan).*|[a-z0-9]*_data|fenv|fesetround|signgam'
  rm -rf "$1/static/libm.a" "$1/static/mathematics"
  mkdir "$1/static/mathematics"
  (
    cd "$1/static/mathematics"
    # shellcheck disable=SC2046 # names of members
    ar x "$archive" $(ar t "$archive" | grep -E "^(($families)[fl]?|$helpers)\.lo\$")
    ar rcsD ../libm.a ./*.lo
  )
fi
