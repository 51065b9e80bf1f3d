#!/bin/sh
# Fuzzes each reader, and the code that walks or changes graphs: libFuzzer with the address sanitizer, seeded with
# TestArchives.
#
# usage: fuzz.sh SECONDS [TARGETS [ARGUMENT OF LIBFUZZER...]]
#
# SECONDS is the time for each target, 0 for no limit; TARGETS are names of FuzzTarget, by default all of them. A number
# of executions is an argument of libFuzzer: -runs=N. Inputs are at most 4096 bytes long, so that a run is fast;
# -max_len=65536 allows longer ones. Ends with status 1 at the first finding, and prints the name of its file. With
# FUZZ_ALL=1 in the environment, an input goes through every operation that a target selects from, which is required for
# minimizing it. FUZZ_SANITIZERS=fuzzer disables the address sanitizer: a run takes a third of the time, but finds only
# traps and wrong results. FUZZ_OPTIMIZATION=-Onone builds in two fifths of the processor time, for short runs.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
seconds=$1
targets=${2:-}
shift
[ $# -eq 0 ] || shift
arguments=$*
folder=$root/.build/fuzz
sanitizers=${FUZZ_SANITIZERS:-fuzzer,address}
optimization=${FUZZ_OPTIMIZATION:--O}
built=$folder/$(echo "$sanitizers$optimization" | tr , -)
mkdir -p "$folder/found" "$built" "$folder/seeds"

# The modules of the package's target Fuzzing, each after its dependencies.
swift package --package-path "$root" dump-package | python3 "$root/Scripts/package-modules.py" Fuzzing \
  > "$built/package.txt"
facts() {
  awk -F '\t' -v kind="$1" -v name="${2:-}" '$1 == kind && (name == "" || $2 == name) { print $NF }' \
    "$built/package.txt"
}
modules=$(awk -F '\t' '$1 == "module" { print $2 }' "$built/package.txt")
flags=$(facts include | while read -r path; do printf -- '-I %s ' "$root/$path"; done)
flags="$flags $(facts library | while read -r name; do pkg-config --cflags "$name"; done)"

# Lists the sources of a module, including the one for its embedded resources, in the form that SwiftPM generates.
sources() {
  find "$root/$(facts module "$1")" -name '*.swift' | sort
  [ -z "$(facts resource "$1")" ] || echo "$built/$1.resources.swift"
}
embed() {
  [ -n "$(facts resource "$1")" ] || return 0
  {
    echo "struct PackageResources {"
    facts resource "$1" | while read -r path; do find "$root/$path" -type f; done | while read -r file; do
      name=$(basename "$file" | tr '.-' '__')
      echo "  static let $name: [UInt8] = [$(od -An -v -t u1 "$file" | tr -s ' \n' ',' | sed 's/^,//;s/,$//')]"
    done
    echo "}"
  } > "$built/$1.resources.new"
  keep "$built/$1.resources.new" "$built/$1.resources.swift"
}
# Replaces a file with another, unless they are equal.
keep() {
  if cmp -s "$1" "$2"; then rm "$1"; else mv "$1" "$2"; fi
}
compile() {
  name=$1
  shift
  # shellcheck disable=SC2046,SC2086 # paths without spaces, flags of their own
  swiftc "$optimization" -gline-tables-only -swift-version 6 -sanitize="$sanitizers" -parse-as-library -module-name "$name" \
    -package-name archtool -enable-testing -D FUZZER -wmo -I "$built" $flags "$@" $(sources "$name")
}
# Rebuilds a module, and those after it, if one of its sources is newer, or if its list of sources has changed.
anew=
for name in $modules; do
  interface=$built/$name.swiftmodule
  embed "$name"
  { echo "$flags"; sources "$name"; } > "$built/$name.sources.new"
  keep "$built/$name.sources.new" "$built/$name.sources"
  if [ -n "$anew" ] || [ ! -s "$built/$name.o" ] || [ ! -f "$interface" ] ||
    [ "$built/$name.sources" -nt "$interface" ] ||
    [ -n "$(sources "$name" | while read -r file; do find "$file" -newer "$interface"; done)" ]; then
    rm -f "$built/$name.o" "$interface"
    # Function bodies that no other module uses are compiled in the second pass.
    compile "$name" -Xfrontend -experimental-skip-non-inlinable-function-bodies-without-types \
      -emit-module -emit-module-path "$interface"
    anew="$anew $name"
  fi
done
# All interfaces exist now, so the modules are compiled in parallel.
waiting=
for name in $anew; do
  compile "$name" -emit-object -o "$built/$name.o" &
  waiting="$waiting $!"
  # shellcheck disable=SC2086 # numbers of processes
  set -- $waiting
  if [ $# -ge "$(getconf _NPROCESSORS_ONLN)" ]; then
    wait "$1"
    shift
    waiting="$*"
  fi
done
for process in $waiting; do wait "$process"; done
# shellcheck disable=SC2046 # paths without spaces
[ -z "$anew" ] || swiftc -sanitize="$sanitizers" -o "$built/fuzz" \
  $(for name in $modules; do echo "$built/$name.o"; done)
[ -n "$targets" ] || targets=$("$built/fuzz")

# Every target starts with all archives, and with its own inputs from earlier runs.
seeds=$folder/seeds
rm -rf "$seeds"
mkdir -p "$seeds/all" "$seeds/schema" "$seeds/lens" "$seeds/rules" "$seeds/records" "$seeds/plan" "$seeds/journal" \
  "$seeds/patterns" "$seeds/demangler" "$seeds/queries" "$seeds/differences" \
  "$seeds/patches"
# Longer files are left out, because the fuzzer would truncate them.
longest=4096
for argument in $arguments; do
  case $argument in -max_len=*) longest=${argument#*=} ;; esac
done
find "$root/TestArchives" -type f -size -"$((longest + 1))"c ! -path '*/Makers/*' ! -path '*/Transcripts/*' |
  while read -r archive; do
    cp "$archive" "$seeds/all/$(basename "$(dirname "$archive")")-$(basename "$archive")"
  done
# A schema on the first line, then the value to validate.
find "$root/Sources/ArchiveSchemas" "$root/TestArchives/Families" -name '*.json' | while read -r schema; do
  { tr -d '\n' < "$schema"; echo; cat "$root/TestArchives/WeatherFeed/json-1-city.json"; } \
    > "$seeds/schema/schema-$(basename "$schema")"
done
# A lens before a value, rules before an archive.
find "$root/Sources/ArchiveSchemas" "$root/TestArchives/Families" -name '*.lens.json' | while read -r lens; do
  { tr -d '\n' < "$lens"; echo; cat "$root/TestArchives/WeatherFeed/json-1-city.json"; } \
    > "$seeds/lens/lens-$(basename "$(dirname "$lens")")-$(basename "$lens")"
done
for archive in WeatherFeed/v1-1-city Movie/v0-mirror-class Graphs/value-classes; do
  name=$(basename "$archive")
  { echo "-c NSArray=Demo.Array -d *Date -k *.NS.objects=o -a Name"; cat "$root/TestArchives/$archive"; } \
    > "$seeds/rules/all-$name"
  { echo "-c *.*=*.New* -c NS?*=?*"; cat "$root/TestArchives/$archive"; } > "$seeds/rules/classes-$name"
  printf '{"id": 1, "data": "%s", "lost": {}}\n\n{"id": [1], "data": "\\u0041A=="}\n' \
    "$(base64 < "$root/TestArchives/$archive" | tr -d '\n')" \
    > "$seeds/records/$name"
done
hash=$(printf '%064d' 0)
printf '%s\n' '{"plan":"archtool","version":1,"made":"","directory":"/","arguments":["migrate","-n"]}' \
  "{\"file\":\"a\",\"sha256\":\"$hash\",\"newSha256\":\"$hash\",\"outcome\":\"changed\",\"path\":[\"v1\",\"v2\"]}" \
  > "$seeds/plan/plan"
printf '%s\n' '{"journal":"archtool","version":1,"run":"0123456789abcdef","started":"","directory":"/a","arguments":["migrate"],"backups":"/b","roots":[{"path":"/a","recursive":true}],"options":{"inputs":1}}' \
  '{"event":"input","file":"/a/f"}' \
  "{\"event\":\"intent\",\"file\":\"/a/f\",\"root\":\"/a\",\"changes\":[{\"path\":\"/a/f\",\"temporary\":\"/a/.t\",\"new\":{\"sha256\":\"$hash\",\"size\":1},\"old\":{\"sha256\":\"$hash\",\"size\":1,\"mode\":\"0644\",\"uid\":0,\"gid\":0,\"modified\":\"1.000000000\",\"accessed\":\"1.000000000\"}}],\"facts\":{}}" \
  '{"event":"done","file":"/a/f"}' '{"event":"refused","file":"/a/g","reason":"r"}' \
  '{"event":"end","interrupted":false,"counts":{"changed":1}}' > "$seeds/journal/journal"

# A pattern and a text; one name per line.
number=0
while read -r pattern text; do
  number=$((number + 1))
  printf '%s\n%s' "$pattern" "$text" > "$seeds/patterns/$number"
done <<'END'
^[a-z]+$ abc
(?<year>[0-9]{4})-\k<year> 2026-2026
^(?=.*\d)(?!.*\s)[\p{L}\d]{8,}$ passw0rdé
(a*)*b aaaaaaaaaaaaaaaaaaaaaaaaaaaaaac
\u{1F600}|[^\W\cA\x41-Z]+? 😀x
OldApp.*=New?pp.* OldApp.Movie
*.NS?.*o*=?.*** App.NSo.o
**/[!a-c]*.plist a/b/d.plist
yyyy-MM-dd'T'HH:mm:ss.SSSXXX 2026-11-22T12:00:00.000Z
EEE,d_MMM_y_h:mm_a_Z Sun,22_Nov_2026_1:05_PM_+0900
yyyyMMddHHmmssSSS 20261122120000999
END
# An expression before an archive.
number=0
while read -r expression; do
  number=$((number + 1))
  { printf '%s\n' "$expression"; cat "$root/TestArchives/WeatherFeed/json-1-city.json"; } > "$seeds/queries/$number-json"
  { printf '%s\n' "$expression"; cat "$root/TestArchives/Graphs/value-classes"; } > "$seeds/queries/$number-archive"
done <<'END'
$..[?@.Value > 50 && match(@.Unit, "[CF]")].Value
$.a['b',"c\u00e9"][0,-1,::2,1:-1:-1][*]
$[?length(@) == count($..*) || !value(@..x) == null]
$..[?isa(@, 'NSArray') || class(@) == 'NSUUID' || type(@) != 'data' && size(@) >= 1e2]
/topCityWeathers/0/Temperature~1Metric~0
:topCityWeathers:0:Temperature
topCityWeathers.0.a\.b
$.root⟨keyed archive⟩[0]['a b']
END
# A JSON Patch or an edit before an archive.
number=0
while read -r patch; do
  number=$((number + 1))
  for archive in Movie/v1 Movie/v2 Graphs/shared-references Graphs/value-classes TypedStreams/references WeatherFeed/json-1-city.json; do
    { printf '%s\n' "$patch"; cat "$root/TestArchives/$archive"; } > "$seeds/patches/$number-$(echo "$archive" | tr / -)"
  done
done <<'END'
[{"op":"replace","path":"/name","value":"x"},{"op":"add","path":"/new","value":{"a":[1,{"$date":"2020-01-01T00:00:00Z"}]}},{"op":"remove","path":"/director"}]
[{"op":"move","from":"/first/0","path":"/first/-"},{"op":"copy","from":"/first","path":"/third"},{"op":"test","path":"/first/0","value":"y"}]
[{"op":"add","path":"/array/1","value":{"$data":"AAA="}},{"op":"replace","path":"/set/0","value":{"$object":{"class":"A","classes":["A","NSObject"],"fields":{"x":1}}}}]
{"op":"set","path":"$[0]","value":"z"}
{"op":"rename-key","path":"/topCityWeathers/0/Key","key":"$k"}
{"op":"append","path":"array","value":null}
END
# Two archives with an empty line between them.
for pair in 'Movie/v1 Movie/v2' 'Movie/v1 Actor/v1' 'Graphs/cycle Graphs/cycle' 'Graphs/value-classes Graphs/mutable-classes'; do
  { cat "$root/TestArchives/${pair% *}"; printf '\n\n'; cat "$root/TestArchives/${pair#* }"; } \
    > "$seeds/differences/$(echo "$pair" | tr '/ ' '--')"
done
printf '{"a":[1,2,{"b":3},4,5]}\n\n{"a":[5,1,2,{"b":4,"c":null}]}' > "$seeds/differences/json"
grep -rhoE '"(_Tt|_?\$[sS])[A-Za-z0-9_]+"' "$root/Tests/KeyedArchivesTests" | tr -d '"' | sort -u |
  split -l 1 -a 4 - "$seeds/demangler/name-"
# The fuzzer reports crashes itself; Swift's own report would first ask on the terminal.
export SWIFT_BACKTRACE=enable=no
# Memory is used for one input only, so memory that was freed long before need not be quarantined.
export ASAN_OPTIONS="quarantine_size_mb=8:max_malloc_fill_size=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
export LSAN_OPTIONS="suppressions=$root/Tests/Fuzzing/suppressed-leaks.txt:print_suppressions=0"
export FUZZ_FAMILIES="$root/TestArchives/Families"
limit="$seconds s"
[ "$seconds" -gt 0 ] || limit=$arguments
for target in $targets; do
  dictionary=
  # Lines and names have text formats of their own, so archives are not useful seeds.
  case $target in
    plan | journal | records | patterns | demangler | queries | differences | patches) archives= ;;
    *) archives=$seeds/all ;;
  esac
  case $target in
    json5 | lens | schema | plan | journal | records) words=json ;;
    *) words=$target ;;
  esac
  own=
  [ ! -d "$seeds/$target" ] || own=$seeds/$target
  # Words of the seeds are useful in other inputs as well.
  {
    cat "$root/Tests/Fuzzing/Dictionaries/$words.dict" 2>/dev/null || true
    [ "$words" != json ] || [ -z "$own" ] || grep -ohE '"[$A-Za-z][A-Za-z0-9_.-]{1,30}"' "$own"/* | sort -u
  } > "$folder/words.dict"
  [ ! -s "$folder/words.dict" ] || dictionary=-dict=$folder/words.dict
  mkdir -p "$folder/corpus/$target"
  echo "fuzz: $target, $limit"
  # Weighting inputs by rare features takes longer than the runs themselves.
  # shellcheck disable=SC2086 # an empty word is none
  FUZZ_READER=$target "$built/fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -entropic=0 -max_len=$longest -print_final_stats=1 $dictionary -artifact_prefix="$folder/found/$target-" $arguments \
    "$folder/corpus/$target" $own $archives || {
    echo "fuzz: $target found something: $(ls -t "$folder/found/$target-"* 2>/dev/null | head -n 1)" >&2
    exit 1
  }
done
