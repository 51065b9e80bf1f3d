// `archtool validate --records`, as another program uses it.

import ArchiveBasics
import FileTransactions
import Foundation
import TestSupport
import Testing

// One after another: a program that is started while another's pipes are open may inherit them, and keep them open.
@Suite(.serialized) struct ValidateRecordsTests {
  static func record(_ id: Int, _ archive: String) throws -> String {
    #"{"id":\#(id),"data":"\#(try Workbench.archive(archive).base64EncodedString())"}"# + "\n"
  }

  static func objects(_ data: Data) throws -> [[String: Any]] {
    try data.split(separator: 0x0A).map {
      try #require(try JSONSerialization.jsonObject(with: $0) as? [String: Any])
    }
  }

  @Test(arguments: [["-j", "1"], ["-j", "4"], []])
  func judgesAsItJudgesFiles(options: [String]) throws {
    let entries = TestArchives.all.filter { $0.family != nil && $0.decodable }
    let bench = try Workbench()
    let lines = try entries.enumerated().map { try Self.record($0, $1.path) }
    let result = try bench.run(
      ["validate", "--records"] + options, input: Data(lines.joined().utf8))
    let answers = try Self.objects(result.output)
    #expect(result.errors == "")
    #expect(result.status == 1)
    #expect(answers.map { $0["id"] as? Int } == Array(0..<entries.count))
    for (entry, answer) in zip(entries, answers) {
      guard let isValid = entry.valid else { continue }
      #expect(answer["outcome"] as? String == (isValid ? "valid" : "invalid"), "\(entry.path)")
      guard isValid, let family = entry.family, let version = entry.version else { continue }
      #expect(answer["version"] as? String == "\(family)@\(version)")
      #expect(answer["violationCount"] as? Int == 0)
    }
  }

  @Test(arguments: [([], 10), (["--max-errors", "3"], 3), (["--max-errors", "100"], 50)])
  func listsTheFirstViolations(options: [String], count: Int) throws {
    let bench = try Workbench([
      "s.json": #"{"items": {"type": "string"}, "x-archive": {"envelope": "json"}}"#
    ])
    let numbers = Data("[\((0..<50).map { "\($0)" }.joined(separator: ","))]".utf8)
    let line = #"{"id":1,"data":"\#(numbers.base64EncodedString())"}"#
    let result = try bench.run(
      ["validate", "--records", "--schema-file", "s.json"] + options, input: Data(line.utf8))
    let answer = try #require(try Self.objects(result.output).first)
    #expect((answer["violations"] as? [Any])?.count == count)
    #expect(answer["violationCount"] as? Int == 50)
  }

  @Test func succeedsWithoutRecords() throws {
    let result = try Workbench().run("validate", "--records")
    #expect(result.status == 0)
    #expect(result.output.isEmpty)
  }

  @Test(arguments: [
    ["validate", "--records", "-r"], ["validate", "--data-key", "x", "y"],
    ["validate", "--records=octal"], ["validate", "--records", "--data-key", "id"],
    ["validate", "--records", "--data-key", "version"], ["get", "--records"],
    ["validate", "--records", "--files-from", "x"], ["validate", "--records", "--lint"],
    ["validate", "-0", "x"], ["validate"],
    ["validate", "--records", "-j", "0"],
    ["convert", "--to", "json", "--files-from", "x", "-o", "y"],
  ])
  func refusesWhatDoesNotGoTogether(line: [String]) throws {
    #expect(try Workbench().run(line).status == 64)
  }

  /// Archtool with its input left open, asked record by record.
  static func converse(
    _ options: [String], _ body: (FileHandle, FileHandle, Process) throws -> Void
  ) throws -> (status: Int32, reason: Process.TerminationReason) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.folder + "/archtool")
    process.arguments = ["validate", "--records"] + options
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = Pipe()
    try process.run()
    try body(input.fileHandleForWriting, output.fileHandleForReading, process)
    process.waitUntilExit()
    return (process.terminationStatus, process.terminationReason)
  }

  @Test(arguments: ["1", "3"])
  func answersEachRecordBeforeTheNextCame(jobs: String) throws {
    let line = Data(try Self.record(5, "Movie/v1").utf8)
    let end = try Self.converse(["-j", jobs]) { input, output, _ in
      for _ in 0..<20 {
        try input.write(contentsOf: line)
        let answer = output.availableData
        #expect(try Self.objects(answer).first?["outcome"] as? String == "valid")
      }
      try input.close()
    }
    #expect(end.status == 0)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP], ["1", "3"])
  func stopsInGoodOrder(signal: Int32, jobs: String) throws {
    let line = Data(try Self.record(5, "Movie/v1").utf8)
    let end = try Self.converse(["-j", jobs]) { input, output, process in
      try input.write(contentsOf: line)
      #expect(!output.availableData.isEmpty)
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
    }
    #expect(end.reason == .exit)
    #expect(end.status == 128 + signal)
  }

  /// A line that never ends does not keep a run from being stopped.
  @Test func aLineWithoutAnEndIsStopped() throws {
    let result = try Program.run(
      at: URL(fileURLWithPath: "/bin/sh"),
      [
        "-c",
        "yes | tr -d '\\n' | timeout -s TERM --preserve-status 0.3 \"$0\" validate --records",
        Program.folder + "/archtool",
      ])
    #expect(result.status == 128 + SIGTERM && result.text.isEmpty, "\(result.errors)")
  }
}
