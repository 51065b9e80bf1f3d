#!/bin/sh
# Fuzzes the readers and all that walks a graph: libFuzzer with the address sanitizer, seeded with TestArchives.
#
# usage: fuzz.sh SECONDS [ARGUMENT OF LIBFUZZER...]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
seconds=$1
shift
folder=$root/.build/fuzz
mkdir -p "$folder/corpus" "$folder/found" "$folder/modules"

# One module after another, the order being that of the floors.
compile() {
  name=$1
  shift
  swiftc -O -g -swift-version 6 -sanitize=fuzzer,address -parse-as-library -module-name "$name" \
    -I "$folder/modules" -I "$root/Sources/CLibXML2" $(pkg-config --cflags libxml-2.0) \
    -emit-module -emit-module-path "$folder/modules/$name.swiftmodule" \
    -wmo -emit-object -o "$folder/modules/$name.o" "$@"
}
sources() { find "$root/Sources/$1" -name '*.swift'; }

# The families are embedded as SwiftPM embeds them.
{
  echo "struct PackageResources {"
  find "$root/Sources/Schemas/Families" -name '*.json' | while read -r file; do
    name=$(basename "$file" | tr '.' '_')
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

for archive in "$root"/TestArchives/WeatherFeed/* "$root"/TestArchives/Movie/* \
  "$root"/TestArchives/Actor/* "$root"/TestArchives/Person/* "$root"/TestArchives/Graphs/* \
  "$root"/TestArchives/Broken/*; do
  cp "$archive" "$folder/corpus/seed-$(basename "$(dirname "$archive")")-$(basename "$archive")"
done
# The fuzzer reports crashes itself; Swift's own report would ask a terminal first.
export SWIFT_BACKTRACE=enable=no
exec "$folder/fuzz" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=4096 -max_len=65536 \
  -artifact_prefix="$folder/found/" "$@" "$folder/corpus"
