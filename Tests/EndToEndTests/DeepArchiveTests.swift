// Archives whose values are nearly as deep as a reader allows: every command rewrites or refuses them, and the archives
// beside them in a folder are rewritten in any case.

import Foundation
import TestSupport
import Testing

@Suite struct DeepArchiveTests {
  /// How values are in one another.
  enum Nesting: String, CaseIterable {
    /// Stored in the field of an object.
    case inlineDictionaries, inlineLists
    /// Objects, one behind a UID of another.
    case dictionaries, lists
  }

  private let bench: Workbench

  init() throws {
    bench = try Workbench()
    let models = [
      ("v1", #""envelope": "nscoding", "classes": ["M"]"#, "a"),
      ("v2", #""envelope": "nscoding", "classes": ["M"]"#, "b"),
      ("v3", #""envelope": "dictionariable""#, "b"), ("v4", #""envelope": "codable""#, "b"),
      ("v5", #""envelope": "json""#, "b"),
    ]
    try bench.write(
      #"{"family": "Deep", "versions": ["v1", "v2", "v3", "v4", "v5"]}"#,
      to: "Families/Deep/family.json")
    for (version, envelope, name) in models {
      try bench.write(
        #"{"x-archive": {\#(envelope)}, "type": "object", "required": ["\#(name)"], "properties": {"\#(name)": {"type": "string"}, "x": true}}"#,
        to: "Families/Deep/\(version).schema.json")
      guard version != "v1" else { continue }
      let lens = version == "v5" ? "" : #"{"rename": {"source": "a", "destination": "b"}}"#
      let source = version == "v5" ? "v4" : "v1"
      try bench.write(
        #"{"lens": [\#(lens)]}"#, to: "Families/Deep/\(source)-\(version).lens.json")
    }
  }

  /// An archive of an object of the class M.
  private func archive(_ nesting: Nesting, depth: Int) -> String {
    func uid(_ number: Int) -> String {
      "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
    }
    func record(_ name: String) -> String {
      "<dict><key>$classname</key><string>\(name)</string><key>$classes</key><array><string>\(name)</string><string>NSObject</string></array></dict>"
    }
    var value = ""
    var objects: [String] = []
    switch nesting {
    case .inlineDictionaries, .inlineLists:
      let (start, end) =
        nesting == .inlineLists ? ("<array>", "</array>") : ("<dict><key>k</key>", "</dict>")
      value =
        String(repeating: start, count: depth) + "<true/>" + String(repeating: end, count: depth)
    case .dictionaries, .lists:
      value = uid(6)
      let keys =
        nesting == .lists ? "" : "<key>NS.keys</key><array>\(uid(5))</array>"
      for level in 0..<depth {
        objects.append(
          "<dict>\(keys)<key>NS.objects</key><array>\(uid(7 + level))</array><key>$class</key>\(uid(4))</dict>"
        )
      }
      objects.append("<true/>")
    }
    let root = "<dict><key>a</key>\(uid(3))<key>x</key>\(value)<key>$class</key>\(uid(2))</dict>"
    let name = nesting == .lists ? "NSArray" : "NSDictionary"
    let all =
      [root, record("M"), "<string>a</string>", record(name), "<string>k</string>"] + objects
    return
      "<plist version=\"1.0\"><dict><key>$version</key><integer>100000</integer><key>$archiver</key><string>NSKeyedArchiver</string><key>$top</key><dict><key>root</key>\(uid(1))</dict><key>$objects</key><array><string>$null</string>\(all.joined())</array></dict></plist>"
  }

  /// The commands that write archives, without their output.
  private static let commands = [
    ["rename-class", "-c", "M=N", "deep"], ["set", "deep", "$.a", "\"z\""],
    ["insert", "deep", "$.y", "1"], ["remove", "deep", "$.x"], ["extract", "$.x", "deep"],
    ["convert", "--to", "xml1", "deep"], ["convert", "--to", "keyed-archive", "deep"],
    ["convert", "--to", "typedstream", "deep"], ["merge", "a=deep", "b=deep"],
  ]

  private static let migrations = ["v2", "v3", "v4", "v5"]

  private func run(_ arguments: [String]) throws -> ProgramResult {
    let result = try bench.run(arguments)
    #expect([0, 1, 65].contains(result.status), "\(arguments): \(result.status) \(result.errors)")
    if result.status != 0 {
      #expect(result.errors.contains("error: "), "\(arguments)")
    }
    return result
  }

  @Test(arguments: Nesting.allCases)
  func everyCommandRewritesADeepArchiveOrRefusesIt(nesting: Nesting) throws {
    try bench.write(archive(nesting, depth: 9900), to: "deep.plist")
    _ = try run(["convert", "--to", "binary1", "deep.plist", "-o", "deep"])
    for command in Self.commands { _ = try run(command + ["-f", "-o", "out"]) }
    let common = ["migrate", "--schemas", "Families", "--allow-loss", "-f"]
    for version in Self.migrations {
      let result = try run(common + ["--from", "v1", "--to", version, "-o", version, "deep"])
      guard result.status == 0 else { continue }
      _ = try run(common + ["--from", version, "--to", "v1", "-o", "back", version])
    }
  }

  @Test(arguments: Nesting.allCases, ["rename-class"] + migrations)
  func theFilesBesideADeepArchiveAreRewritten(nesting: Nesting, command: String) throws {
    for (name, depth) in [("a", 3), ("b", 9900), ("c", 3)] {
      try bench.write(archive(nesting, depth: depth), to: "folder/\(name)")
    }
    let files = ["a", "b", "c"].map { bench.url("folder/\($0)") }
    let before = try files.map { try Data(contentsOf: $0) }
    let arguments =
      command == "rename-class"
      ? [command, "-c", "M=N"]
      : [
        "migrate", "--schemas", "Families", "--from", "v1", "--to", command, "--allow-loss",
      ]
    let result = try run(arguments + ["-r", "--in-place", "--no-journal", "folder"])
    let after = try files.map { try Data(contentsOf: $0) }
    #expect(before[0] != after[0] && before[2] != after[2])
    #expect((before[1] != after[1]) == (result.status == 0))
  }
}
