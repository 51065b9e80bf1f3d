// A folder in which a test writes files and runs archtool, isolated from the user's own schemas.

import Foundation
import TestSupport
import Testing

/// A folder of files, and archtool run in it.
struct Workbench {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A bench with some texts in it.
  init(_ files: [String: String]) throws {
    try self.init()
    for (name, text) in files { try write(text, to: name) }
  }

  /// The place of a file.
  func url(_ name: String) -> URL { folder.file(name) }

  /// Writes a file, and the folders that it lies in.
  func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

  /// Writes a file, and the folders that it lies in.
  func write(_ data: Data, to name: String) throws {
    let url = url(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  /// Copies one of TestArchives.
  func copy(_ archive: String, to name: String) throws {
    try write(try Self.archive(archive), to: name)
  }

  /// The bytes of one of TestArchives.
  static func archive(_ path: String) throws -> Data {
    try Data(contentsOf: TestArchives.root.appendingPathComponent(path))
  }

  /// Runs archtool in the folder.
  @discardableResult
  func run(
    _ arguments: [String], input: Data = Data(), environment: [String: String] = [:]
  ) throws -> ProgramResult {
    let nothing = ["HOME": url("home").path, "XDG_CONFIG_HOME": "", "ARCHTOOL_SCHEMAS": ""]
    return try Program.run(
      "archtool", arguments, input: input, in: folder.url,
      environment: nothing.merging(environment) { $1 })
  }

  /// Runs archtool in the folder.
  @discardableResult
  func run(_ arguments: String...) throws -> ProgramResult { try run(arguments) }

  /// A file of Fixtures.
  static func fixture(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures").appendingPathComponent(name).path
  }
}

/// A unit of a report in NDJSON, as far as tests ask for it.
struct ReportedUnit: Decodable {
  let file: String?
  let valid: Bool
  let verdict: String?
  let schema: String?
  let reason: String?
  let keywordLocation: String
  let absoluteKeywordLocation: String?
  let instanceLocation: String
  let errorCount: Int?
  let rule: String?
  let path: String?
  let offset: Int?
  let errors: [ReportedUnit]?
  let warnings: [ReportedUnit]?
  let notes: [ReportedUnit]?

  /// The rules and places of the errors.
  var violations: [String] {
    (errors ?? []).map { "\($0.rule ?? "") \($0.path ?? "")" }.sorted()
  }
}

extension Workbench {
  /// What `archtool validate` finds, a unit for each file.
  func validate(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> [ReportedUnit] {
    let result = try run(
      ["validate", "--format", "ndjson"] + arguments, environment: environment)
    return try result.output.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(ReportedUnit.self, from: Data($0))
    }
  }
}
