#!/bin/sh
# Fuzzes each reader, and all that walks a graph: libFuzzer with the address sanitizer, seeded with TestArchives.
#
# usage: fuzz.sh SECONDS [READERS [ARGUMENT OF LIBFUZZER...]]
#
# SECONDS is the time of each reader; READERS are names of FuzzTarget, all of them if there is none.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
seconds=$1
readers=${2:-}
[ -n "$readers" ] || readers="binary xml openstep json json5 typedstream bookmark gzip keyed recovery integrity schema everything"
shift
[ $# -eq 0 ] || shift
folder=$root/.build/fuzz
mkdir -p "$folder/found" "$folder/modules"

# One module after another, the order being that of the floors.
compile() {
  name=$1
  shift
  swiftc -O -g -swift-version 6 -sanitize=fuzzer,address -parse-as-library -module-name "$name" \
    -package-name archtool -I "$folder/modules" \
    -I "$root/Sources/CLibXML2" -I "$root/Sources/CZLib" -I "$root/Sources/CPCRE2" -I "$root/Sources/CIDN2" \
    -I "$root/Sources/COpenSSL" -I "$root/Sources/CFileSystem" \
    $(pkg-config --cflags libxml-2.0 libpcre2-8 libidn2 libcrypto) \
    -emit-module -emit-module-path "$folder/modules/$name.swiftmodule" \
    -wmo -emit-object -o "$folder/modules/$name.o" "$@"
}
sources() { find "$root/Sources/$1" -name '*.swift'; }

# The families are embedded as SwiftPM embeds them.
{
  echo "struct PackageResources {"
  find "$root/Sources/Schemas" -name '*.json' | while read -r file; do
    name=$(basename "$file" | tr '.-' '__')
    echo "  static let $name: [UInt8] = [$(od -An -v -t u1 "$file" | tr -s ' \n' ',' | sed 's/^,//;s/,$//')]"
  done
  echo "}"
} > "$folder/PackageResources.swift"

for module in ObjectGraph PropertyLists TypedStreams KeyedArchives; do
  compile "$module" $(sources "$module")
done
compile Schemas $(sources Schemas) "$folder/PackageResources.swift"
compile Migrations $(sources Migrations)
compile Rendering $(sources Rendering)
compile Fuzzing "$root"/Tests/Fuzzing/*.swift
swiftc -sanitize=fuzzer,address -o "$folder/fuzz" "$folder"/modules/*.o

# Every reader begins with all archives, and with those of its own making from earlier runs.
seeds=$folder/seeds
rm -rf "$seeds"
mkdir -p "$seeds"
find "$root/TestArchives" -type f -size -48k ! -path '*/Makers/*' ! -path '*/Transcripts/*' |
  while read -r archive; do
    cp "$archive" "$seeds/$(basename "$(dirname "$archive")")-$(basename "$archive")"
  done
# A schema on the first line, what it is held against behind it.
find "$root/Sources/Schemas" "$root/TestArchives/Families" -name '*.json' | while read -r schema; do
  { tr -d '\n' < "$schema"; echo; cat "$root/TestArchives/WeatherFeed/json-1-city.json"; } \
    > "$seeds/schema-$(basename "$schema")"
done
# The fuzzer reports crashes itself; Swift's own report would ask a terminal first.
export SWIFT_BACKTRACE=enable=no
export LSAN_OPTIONS=suppressions=$root/Tests/Fuzzing/suppressed-leaks.txt:print_suppressions=0
for reader in $readers; do
  words=$root/Tests/Fuzzing/Dictionaries/${reader%5}.dict
  [ -f "$words" ] && dictionary=-dict=$words || dictionary=
  mkdir -p "$folder/corpus/$reader"
  echo "fuzz: $reader, $seconds s"
  FUZZ_READER=$reader "$folder/fuzz" -max_total_time="$seconds" -timeout=1 -rss_limit_mb=2048 \
    -max_len=16384 -print_final_stats=1 $dictionary -artifact_prefix="$folder/found/$reader-" "$@" \
    "$folder/corpus/$reader" "$seeds"
done
