// Files whose names are not UTF-8: read, written and undone like any other, and shown with escaped bytes.

import FileTransactions
import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files of a name that is not UTF-8.
private enum UndecodableName {
  /// `caf\xe9`, then a byte that is no text anywhere, and the bytes of a private character.
  static let name: [UInt8] = Array("caf".utf8) + [0xE9, 0xFF, 0xF4, 0x8F, 0xBA, 0x80]

  static let isPossible: Bool = {
    do {
      let folder = try TemporaryFolder()
      try write(Data(), folder.url.path, name)
      return true
    } catch {
      return false
    }
  }()

  static func path(_ folder: String, _ name: [UInt8]) -> [CChar] {
    (Array(folder.utf8) + Array("/".utf8) + name + [0]).map { CChar(bitPattern: $0) }
  }

  static func write(_ data: Data, _ folder: String, _ name: [UInt8]) throws {
    let descriptor = open(path(folder, name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: data)
  }

  static func bytes(_ folder: String, _ name: [UInt8]) throws -> Data {
    let descriptor = open(path(folder, name), O_RDONLY)
    guard descriptor >= 0 else { throw CocoaError(.fileReadNoSuchFile) }
    return try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd() ?? Data()
  }

}

@Suite(.enabled(if: UndecodableName.isPossible, "the file system takes only UTF-8"))
struct UndecodableNameTests {
  private static let shown = "caf\\xe9\\xff\\xf4\\x8f\\xba\\x80"
  /// The name as bash reads it.
  private static let word = "$'\(shown)'"

  let bench: Workbench
  private let old: Data

  init() throws {
    bench = try Workbench(["in/a-folder/file": "x"])
    try FileManager.default.removeItem(at: bench.url("in/a-folder"))
    old = try Workbench.archive("Movie/v1")
    try UndecodableName.write(old, bench.url("in").path, UndecodableName.name)
  }

  /// Runs a command line that bash reads, which can name any bytes.
  private func shell(_ command: String, input: Data = Data()) throws -> ProgramResult {
    try Program.run(
      at: URL(fileURLWithPath: "/bin/bash"), ["-c", command], input: input, in: bench.url(""),
      environment: [
        "PATH": Program.folder + ":/usr/bin:/bin", "HOME": bench.url("home").path,
        "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": bench.url("state").path, "ARCHTOOL_SCHEMAS": "",
      ])
  }

  @Test(arguments: ["in/\(word)", "-r in", "--files-from <(echo in/\(word))"])
  func isRead(_ operand: String) throws {
    let result = try shell("archtool info \(operand)")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text.contains("file: in/\(Self.shown)\n"), "\(result.text)")
    #expect(result.text.contains("schema: Movie@v1"))
  }

  @Test(arguments: [
    "--in-place -r in", "--in-place in/\(word)",
    "--in-place --files-from <(printf 'in/%s\\0' \(word)) -0",
  ])
  func isReplacedAndRestored(_ operands: String) throws {
    let folder = bench.url("in").path
    let result = try shell("archtool migrate --to v2 --journal run \(operands)")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("in/\(Self.shown): migrated Movie@v1 to v2"), "\(result.errors)")
    let new = try UndecodableName.bytes(folder, UndecodableName.name)
    #expect(new != old)
    #expect(try shell("archtool journal show --files run").text.contains("\(Self.shown): done"))
    let undone = try shell("archtool undo run")
    #expect(undone.status == 0, "\(undone.errors)")
    #expect(undone.errors.contains("in/\(Self.shown): restored"))
    #expect(try UndecodableName.bytes(folder, UndecodableName.name) == old)
  }

  @Test(arguments: [
    ("convert --to xml1 in/\(word) -o out/\(word)", "out"),
    ("convert --to xml1 -r in --output-dir out", "out"),
    ("migrate --to v2 -r in --output-dir out", "out"),
    ("rename-class -c A=B in/\(word) -o out/\(word)", "out"),
    ("extract '$.name' in/\(word) -o out/\(word)", "out"),
    ("merge root=in/\(word) -o out/\(word)", "out"),
    ("dump -o out/\(word) in/\(word)", "out"),
  ]) func isWritten(_ command: String, _ folder: String) throws {
    try FileManager.default.createDirectory(
      at: bench.url(folder), withIntermediateDirectories: true)
    let result = try shell("archtool \(command)")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try !UndecodableName.bytes(bench.url(folder).path, UndecodableName.name).isEmpty)
  }

  @Test func isPlannedAndDone() throws {
    let command = "archtool migrate --to v2 --plan --format json -r in > plan"
    #expect(try shell(command).status == 0)
    let result = try shell("archtool migrate --apply plan --no-journal --in-place")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try UndecodableName.bytes(bench.url("in").path, UndecodableName.name) != old)
  }

  /// One function escapes names; none gets past it, whatever prints it.
  @Test(arguments: [
    "info in/\(word)", "info --format json in/\(word)", "dump -r in",
    "dump in/\(word) in/nowhere-\(word)",
    "validate in/\(word)", "validate --format json in/\(word)",
    "validate --format ndjson in/\(word)",
    "validate --format sarif --schema Movie@v2 in/\(word)", "validate --schema Movie@v2 in/\(word)",
    "validate --format junit --schema Movie@v2 in/\(word)", "validate --format-only in/\(word)",
    "validate --schema-file in/\(word) in/\(word)",
    "validate --allow-classes in/\(word) in/\(word)",
    "migrate --to v2 -n -r in", "migrate --to v2 --plan -r in", "migrate --to v1 -n in/\(word)",
    "migrate --to v2 -o in/\(word) in/\(word)",
    "migrate --to v2 --in-place --backup .bak in/\(word)",
    "migrate --to v2 --report /dev/stdout -n in/\(word)", "migrate --resume in/\(word)",
    "migrate --apply in/\(word)", "convert --to json in/\(word)", "convert --to \(word) in/\(word)",
    "convert --to xml1 in/\(word) -o in/\(word)", "rename-class -c \(word)=B -n -r in",
    "undo in/\(word)", "journal show in/\(word)", "schema check in/\(word)", "schema check in",
    "schema infer in/nowhere-\(word)", "schema show \(word)", "schema diff \(word) in/\(word)",
    "schema list --schemas in/\(word)", "schema swift in/\(word)",
    "create --schema \(word) -o x in/\(word)",
    "extract \(word) in/\(word) -o x", "merge \(word)=in/\(word) -o in/\(word)",
    "insert '$.a' in/\(word) in/\(word) -o x", "\(word)", "dump --\(word)", "dump -\(word)",
    "info --at \(word) in/\(word)", "help \(word)",
  ]) func isEscapedWhereverItIsShown(_ command: String) throws {
    let result = try shell("archtool \(command)")
    let output = try #require(String(validating: result.output, as: UTF8.self), "no UTF-8")
    for text in [output, result.errors] {
      let isEscaped = text.unicodeScalars.allSatisfy {
        $0 != "\u{FFFD}" && $0.properties.generalCategory != .privateUse
      }
      #expect(isEscaped, "\(text)")
    }
    if command.hasPrefix("validate --format sarif") {
      #expect(output.contains("\"uri\": \"in/caf%E9%FF%F4%8F%BA%80\""), "\(output)")
    }
  }

  /// What is shown of a run can be typed in again.
  @Test func isQuotedForTheShell() throws {
    let run = try shell(
      "archtool migrate --to v2 --in-place --journal \(Self.word) -r in")
    let line = try #require(run.errors.split(separator: "\n").last { $0.contains(" undo ") })
    let command = line.drop { $0 != "$" }.prefix { $0 != " " }
    #expect(command == "$'\(Self.shown)'", "\(line)")
    #expect(try shell("archtool undo \(command)").status == 0)
  }
}
