// The official suite of JSON Schema 2020-12, read from its original files, for data in three encodings.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

/// How the data of a test is given.
enum DataForm: String, CaseIterable, Sendable {
  case json = "JSON"
  case binary = "binary property list"
  case keyedArchive = "keyed archive"

  /// The data in this form; nil where the form cannot carry it.
  func encoded(_ data: JSONTree) -> ByteStorage? {
    do {
      var json = OutputBuffer(descriptor: nil)
      try data.write(to: &json)
      let storage = ByteStorage(copying: json.bytes.array)
      guard self != .json else { return storage }
      // Integers beyond 64 bits become reals, which need not be on the same side of a limit.
      guard !data.holdsWideIntegers else { return nil }
      var output = OutputBuffer(descriptor: nil)
      var conversion = Conversion(to: self == .binary ? .binary : .keyedArchive)
      conversion.readsTags = false
      _ = try conversion.run(storage, name: "data", to: &output)
      return ByteStorage(copying: output.bytes.array)
    } catch {
      return nil
    }
  }
}

extension JSONTree {
  fileprivate var holdsWideIntegers: Bool {
    if case .wide = self { return true }
    return (list ?? members?.map(\.1) ?? []).contains { $0.holdsWideIntegers }
  }
}

@Suite struct JSONSchemaSuiteTests {
  static let suite = Corpus.root.appendingPathComponent("suites/json-schema")

  /// The suite's files by their names; none where it is not there.
  static let files: [String] = {
    let found = FileManager.default.enumerator(atPath: suite.path)?.allObjects as? [String] ?? []
    return found.filter { $0.hasSuffix(".json") }.sorted()
  }()

  static let remotes = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Remotes").path

  /// What is not passed: nothing.
  static let exceptions: Set<String> = []

  @Test(arguments: files, DataForm.allCases)
  func everyVerdictIsTheSuites(_ file: String, _ form: DataForm) throws {
    let bytes = try Data(contentsOf: Self.suite.appendingPathComponent(file))
    let groups = try #require(JSONTree(json: Array(bytes)).list)
    // The format tests are of formats that assert.
    let assertsFormats = file.hasPrefix("optional/format/")
    var checked = 0
    for group in groups {
      let name = "\(file): \(group["description"]?.string ?? "")"
      let version = try SchemaVersion(
        family: "", name: name, tree: try #require(group["schema"]), uri: "",
        library: SchemaLibrary(folders: [Self.remotes]), assertsFormats: assertsFormats)
      for test in try #require(group["tests"]?.list) {
        let label = "\(name): \(test["description"]?.string ?? "")"
        guard !Self.exceptions.contains(label),
          let storage = form.encoded(try #require(test["data"]))
        else { continue }
        let graph = try ArchiveReader(keepsPositions: true).read(storage, nested: false)
        let found = try version.validate(graph.root, in: graph)
        #expect(found.isEmpty == (test["valid"]?.boolean == true), "\(label) \(found)")
        checked += 1
      }
    }
    // The numbers of this file are beyond the other two forms, but for a few.
    #expect(
      checked > 0 || file == "optional/bignum.json",
      "nothing in \(file) can be given as \(form.rawValue)")
  }

  @Test func theSuiteIsThereOrSaidToBeMissing() {
    if Self.files.isEmpty { print("the JSON Schema suite is not at \(Self.suite.path): skipped") }
  }
}
