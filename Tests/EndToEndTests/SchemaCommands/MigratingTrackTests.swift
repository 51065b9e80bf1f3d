// `archtool schema swift --migrating` for a family of ten members with three versions: its length, its tests.

import Foundation
import TestSupport
import Testing

@Suite struct MigratingTrackTests {
  /// The members of the first version, without those that a version has in another way.
  private static let common = """
    "artist": {"type": "string", "x-plist-type": "string"}, "year": {"type": "integer", "x-storage": "inline"},
    "isLoved": {"type": "boolean", "x-storage": "inline"},
    "added": {"type": "string", "x-plist-type": "date"},
    "cover": {"type": "string", "x-plist-type": "data"},
    "tags": {"type": "array", "items": {"type": "string", "x-plist-type": "string"}}
    """

  private static func schema(
    _ archive: String, _ title: String, _ members: String, _ required: String
  ) -> String {
    let common =
      archive.contains("nscoding")
      ? Self.common : Self.common.replacingOccurrences(of: #", "x-storage": "inline""#, with: "")
    return """
      {
        "x-archive": {\(archive)}, "type": "object",
        "properties": {"\(title)": {\(text)}, \(common), \(members)},
        "required": ["\(title)", "artist", "year", "isLoved", "added", "tags"\(required)],
        "additionalProperties": false
      }
      """
  }

  private static let text = #""type": "string", "x-plist-type": "string""#
  private static let old = #""length": {"type": "integer"}, "link": {\#(text)}"#

  private static let files = [
    "family.json": #"{"family": "Track", "versions": ["v1", "v2", "v3"]}"#,
    "v1.schema.json": schema(
      #""envelope": "nscoding", "classes": ["Player.Track"]"#, "name",
      old, #", "length""#),
    "v2.schema.json": schema(
      #""envelope": "dictionariable""#, "title",
      old, #", "length""#),
    "v3.schema.json": schema(
      #""envelope": "codable""#, "title",
      #""length": {"type": "number"}, "rating": {"type": "integer"}, "link": {\#(text)}"#,
      #", "length", "rating""#),
    "v1-v2.lens.json":
      #"{"lens": [{"rename": {"source": "name", "destination": "title"}}]}"#,
    "v2-v3.lens.json":
      #"""
    {"lens": [
      {"convert": {"name": "length", "sourceType": "integer", "destinationType": "real"}},
      {"add": {"name": "rating", "default": 0}}
    ]}
    """#,
  ]

  private func bench() throws -> Workbench {
    let bench = try Workbench()
    for (file, text) in Self.files { try bench.write(text, to: "Schemas/Track/" + file) }
    return bench
  }

  @Test func tenMembersAndThreeVersionsTakeLessThan300Lines() throws {
    let made = try bench().run("schema", "swift", "--migrating", "--schemas", "Schemas", "Track")
    try #require(made.status == 0, "\(made.errors)")
    #expect(made.text.count(where: { $0 == "\n" }) < 300)
  }

  /// The tests pass in a package of their own, and fail if the code does another thing.
  @Test(.enabled(if: Program.find("swift") != nil, "swift is not on the path"))
  func testsHoldTheCodeToArchtool() throws {
    let bench = try bench()
    try bench.write("", to: "Package/Sources/Tracks/Empty.swift")
    let made = try bench.run(
      "schema", "swift", "--migrating", "--schemas", "Schemas", "Track", "-o",
      "Package/Sources/Tracks/Track.swift", "--tests", "Package/Tests/TracksTests", "--module",
      "Tracks")
    try #require(made.status == 0, "\(made.errors)")
    try bench.write(
      """
      // swift-tools-version: 6.0
      import PackageDescription

      let package = Package(
        name: "Tracks",
        targets: [
          .target(name: "Tracks"),
          .testTarget(name: "TracksTests", dependencies: ["Tracks"], exclude: ["Fixtures"]),
        ])
      """, to: "Package/Package.swift")
    let swift = try #require(Program.find("swift"))
    let arguments = ["test", "--package-path", bench.url("Package").path, "--disable-xctest"]
    let passed = try Program.run(at: swift, arguments)
    #expect(passed.status == 0, "\(passed.text)\(passed.errors)")
    let source = bench.url("Package/Sources/Tracks/Track.swift")
    let text = try String(contentsOf: source, encoding: .utf8)
    let broken = text.replacingOccurrences(of: #"add("rating", 0)"#, with: #"add("rating", 1)"#)
    try #require(broken != text)
    try Data(broken.utf8).write(to: source)
    let failed = try Program.run(at: swift, arguments)
    #expect(failed.status != 0)
    #expect((failed.text + failed.errors).contains("becomesWhatArchtoolMakesOfIt"))
  }
}
