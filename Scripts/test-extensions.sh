#!/bin/sh
# Adds a command, an encoding, a class and a report format to a copy of the package, as described in CONTRIBUTING: one
# file and one row each. Then builds the copy, as the package on which the one of test-library.sh depends, and uses them.
#
# usage: test-extensions.sh
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
copy=$root/.build/extensions
added=$root/Tests/Extensions
mkdir -p "$copy"
# Build products of an earlier copy are kept, so that only changed files are built again.
rm -rf "$copy/Sources" "$copy/Package.swift"
cp -Rp "$root/Sources" "$copy"
# The tests are not part of the copy.
python3 - "$root/Package.swift" > "$copy/Package.swift" <<'END'
import re, sys
text = open(sys.argv[1]).read()
start = text.index('    .target(\n      name: "TestSupport"')
print(text[:start] + "  ]\n)")
END

# row FILE LINE TEXT: inserts a row before the first line that contains LINE.
row() {
  grep -qF "$2" "$copy/$1" || { echo "$1 has no line $2" >&2; exit 1; }
  awk -v line="$2" -v row="$3" '!done && index($0, line) { print row; done = 1 } { print }' "$copy/$1" > "$copy/new"
  mv "$copy/new" "$copy/$1"
}
cp -p "$added/Count.swift" "$copy/Sources/ArchtoolCommands"
row Sources/ArchtoolCommands/Command.swift "Dump.self, Info.self" "      Count.self,"
cp -p "$added/PairListFormat.swift" "$copy/Sources/ArchivePropertyLists/Formats"
row Sources/ArchivePropertyLists/Formats/Formats.swift "BinaryFormat.self, XMLFormat.self" "    PairListFormat.self,"
cp -p "$added/NSThermometer.swift" "$copy/Sources/KeyedArchives/Classes/Foundation"
row Sources/KeyedArchives/Classes/Frameworks.swift "NSArrayClass.self," "        NSThermometerClass.self,"
cp -p "$added/FileNameReport.swift" "$copy/Sources/ArchiveRendering/Validation"
row Sources/ArchiveRendering/Validation/ReportFormat.swift "ReportFormat(" \
  '    ReportFormat(name: "names", meaning: "The names of files that do not fit.", hasStructure: false) { _ in FileNameReport() },'
# One build serves both tests; nobody looks for its symbols.
BUILD_OPTIONS="--disable-index-store -debug-info-format none"
export BUILD_OPTIONS
sh "$root/Scripts/test-library.sh" "$copy"
dependent=$root/.build/library
# shellcheck disable=SC2086 # options
${SWIFT:-swift} build --package-path "$dependent" --product archtool $BUILD_OPTIONS

archtool=$(${SWIFT:-swift} build --package-path "$dependent" --show-bin-path)/archtool
work=$copy/work
rm -rf "$work"
mkdir "$work"
# expect WORDS COMMAND…: checks that the command prints the words.
expect() {
  words=$1
  shift
  printed=$("$archtool" "$@" 2>&1 || true)
  case $printed in
    *"$words"*) ;;
    *) echo "test-extensions: archtool $* prints '$printed', not '$words'" >&2; exit 1 ;;
  esac
}
printf 'PAIRS\ntitle=Alien\nyear=1979\n' > "$work/pairs"
# The command is run, described and suggested.
expect "values" count "$root/TestArchives/Movie/v1"
expect "count the values of archives" --help
expect "--jobs N" help count
expect "Count the values of archives" help --manual
expect "did you mean 'count'" coutn
# The encoding is recognized, dumped, named and written.
expect "pair list" info "$work/pairs"
expect '"title": "Alien"' dump --format json "$work/pairs"
"$archtool" convert --to xml1 "$work/pairs" -o "$work/pairs.xml"
"$archtool" convert --to pairs "$work/pairs.xml" -o "$work/again"
cmp "$work/pairs" "$work/again"
expect "pairs" help convert
# The class is shown on one line, and belongs to a framework.
cat > "$work/object.json" <<'END'
{"$object": {"class": "NSThermometer", "classes": ["NSThermometer", "NSObject"], "fields": {"NS.degrees": "21"}}}
END
"$archtool" convert --to keyed-archive "$work/object.json" -o "$work/object"
expect "21 °C" dump "$work/object"
# The report is a format of validate.
expect "$work/pairs" validate --format names --schema Movie "$work/pairs"
expect "names" help validate
echo "test-extensions: a command, an encoding, a class and a report were added by a file and a row each"
