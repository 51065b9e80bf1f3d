#!/bin/sh
# Builds a package that depends on the library ArchiveKit and has targets named as an application might name its own,
# runs its program, and looks at which system libraries it needs.
#
# usage: test-library.sh [PACKAGE]
#
# PACKAGE is the folder of the package, or of a copy of it; BUILD_OPTIONS in the environment are those of `swift build`.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
package=${1:-$root}
# Build products of an earlier run are kept, so that only changed files are built again.
work=$root/.build/library
rm -rf "$work/Sources"
for name in Basics Schemas Commands; do
  mkdir -p "$work/Sources/$name"
  printf 'import ArchiveKit\n\npublic func title%s(of path: String) throws -> String? {\n' "$name" > "$work/Sources/$name/$name.swift"
  printf '  try Archive(contentsOf: path).root["title"]?.string\n}\n' >> "$work/Sources/$name/$name.swift"
done
mkdir "$work/Sources/Application"
cat > "$work/Sources/Application/main.swift" <<'SWIFT'
import ArchiveKit
import Basics
import Commands
import Schemas

enum Film: ArchivedClass {
  static let classNames = ["Film"]
  static func value(of object: ArchivedFields) -> ArchivedValue? { object.string("title").map { .text($0) } }
}

let path = CommandLine.arguments[1]
print(try Archive(contentsOf: path, classes: [Film.self]).root.kind)
print([try titleBasics(of: path), try titleSchemas(of: path), try titleCommands(of: path)].compactMap { $0 })
do {
  _ = try Archive(contentsOf: path + "/missing")
} catch {
  print(error.code, error.file ?? "no file", error.message)
}
SWIFT
cat > "$work/Package.swift" <<SWIFT
// swift-tools-version: 6.0
import PackageDescription

let kit = Target.Dependency.product(name: "ArchiveKit", package: "$(basename "$package")")
let package = Package(
  name: "Application", platforms: [.macOS(.v15)],
  dependencies: [.package(path: "$package")],
  targets: [
    .target(name: "Basics", dependencies: [kit]),
    .target(name: "Schemas", dependencies: [kit]),
    .target(name: "Commands", dependencies: [kit]),
    .executableTarget(name: "Application", dependencies: ["Basics", "Schemas", "Commands", kit]),
  ])
SWIFT
cd "$work"
# shellcheck disable=SC2086 # options
${SWIFT:-swift} build --product Application ${BUILD_OPTIONS:-}
program=$(${SWIFT:-swift} build --show-bin-path)/Application
"$program" "$root/TestArchives/Movie/v1" > output
grep -qx dictionary output || { cat output >&2; exit 1; }
grep -q '^cannotOpen .*/missing ' output || { cat output >&2; exit 1; }
if command -v readelf >/dev/null 2>&1; then
  readelf --dynamic --wide "$program" > needed
  for library in pcre2 idn2 crypto ssl sqlite; do
    if grep -q "NEEDED.*lib$library" needed; then
      grep NEEDED needed >&2
      echo "test-library: a program with ArchiveKit needs lib$library" >&2
      exit 1
    fi
  done
fi
echo "test-library: an application builds with ArchiveKit, and needs no library that it does not use"
