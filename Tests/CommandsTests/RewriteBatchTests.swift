// Runs over many files, with their own rewriting and destination.

import ArchiveBasics
import ArchiveBatches
import ArchiveEditing
import ArchiveGraph
import ArchiveMigrations
import ArchivePropertyLists
import ArchiveWriting
import FileTransactions
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import ArchtoolCommands
@testable import CommandLineInterface

@Suite struct RewriteBatchTests {
  /// Doubles texts; what begins with `=` stays, with `!` is refused, with `?` fails.
  struct Doubling: ArchiveRewriting {
    mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten {
      usleep(UInt32.random(in: 0..<300))
      let bytes = Array(input.storage.bytes)
      switch bytes.first {
      case UInt8(ascii: "="): return .unchanged("is right already")
      case UInt8(ascii: "!"): return .refused("does not fit", violations: [])
      case UInt8(ascii: "?"): throw ArchiveError(.malformed, "is broken", offset: 1)
      default:
        return .changed(
          RewrittenArchive(
            storage: ByteStorage(copying: bytes + bytes), summary: "doubled",
            details: RewriteDetails(format: ConversionTarget(rawValue: "json"))))
      }
    }
  }

  /// Keeps results in memory.
  final class Places: BatchOutput {
    var placed: [(path: String, text: String)] = []
    var discarded = 0
    var largestBatch = 0
    /// What cannot be put in its place.
    var refused: Set<String> = []
    /// After so many the sink gives up.
    var most = Int.max

    let preparation: Preparation = { (_, _, result) throws(ArchiveError) in
      String(decoding: result.storage.bytes, as: UTF8.self)
    }

    func commit(
      _ batch: [(input: Input, prepared: String)]
    ) throws(ArchiveError) -> [Result<WrittenLocation, ArchiveError>] {
      largestBatch = max(largestBatch, batch.count)
      if placed.count + batch.count > most { throw ArchiveError(.inputOutput, "the disk is full") }
      return batch.map { input, text in
        if refused.contains(input.relativePath) {
          return .failure(ArchiveError(.cannotCreate, "no place"))
        }
        placed.append((input.relativePath, text))
        return .success(WrittenLocation(name: nil))
      }
    }

    func discard(_ prepared: String) { discarded += 1 }
  }

  static let command = CommandDescription(
    name: "double", abstract: "test", operands: .files, options: OptionDescription.batch,
    commonOptions: OptionDescription.common, discussion: "", exits: [])

  struct Outcome {
    let places: Places
    let summary: BatchSummary
    let status: CommandLineInterface.ExitStatus
    let report: [[String: Any]]
  }

  static func run(
    _ files: [String: String], _ options: [String] = [], places: Places = Places()
  ) throws -> Outcome {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("in"), withIntermediateDirectories: true)
    for (name, text) in files { try Data(text.utf8).write(to: folder.file("in/" + name)) }
    let report = folder.file("in/report").path
    let table = CommandTable(
      program: "test", abstract: "test", commands: [command.name], describe: { _ in command },
      options: [])
    let line = ["double", "-qr", "--report", report, folder.file("in").path] + options
    guard case .run(let arguments) = try ArgumentParser(table: table).parse(line) else {
      throw UsageError("no run")
    }
    let session = Session(arguments)
    let run = try RewriteBatch(
      session, arguments.selection,
      wording: .init(done: "doubled", undone: "not doubled", verb: "double"),
      output: places)
    let summary = try run.run { Doubling() }
    let lines = try Data(contentsOf: URL(fileURLWithPath: report)).split(separator: 0x0A)
    let objects = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: $0) as? [String: Any])
    }
    return Outcome(places: places, summary: summary, status: session.status, report: objects)
  }

  static func name(_ number: Int) -> String { String(format: "%04d", number) }

  @Test(arguments: ["1", "2", "8"])
  func placesAndReportsInOrder(jobs: String) throws {
    let texts = (0..<500).map { number -> String in
      ["a\(number)", "=", "b", "!x", "c", "?"][number % 6]
    }
    let files = Dictionary(uniqueKeysWithValues: texts.enumerated().map { (Self.name($0), $1) })
    let outcome = try Self.run(files, ["-j", jobs])
    let changed = texts.enumerated().filter { !"=!?".contains($1.prefix(1)) }
    #expect(outcome.places.placed.map(\.path) == changed.map { Self.name($0.offset) })
    #expect(outcome.places.placed.map(\.text) == changed.map { $0.element + $0.element })
    #expect(outcome.summary.count(.changed) == changed.count)
    #expect(outcome.summary.count(.unchanged) == texts.count { $0 == "=" })
    #expect(outcome.summary.count(.refused) == texts.count { $0 == "!x" })
    #expect(outcome.summary.count(.failed) == texts.count { $0 == "?" })
    #expect(outcome.status == .undecodable)
    #expect(outcome.report.count == texts.count + 1)
    for (number, entry) in outcome.report.dropLast().enumerated() {
      #expect((entry["file"] as? String)?.hasSuffix("/in/" + Self.name(number)) == true)
      let expected = ["changed", "unchanged", "changed", "refused", "changed", "failed"][number % 6]
      #expect(entry["outcome"] as? String == expected)
      #expect((entry["error"] != nil) == (expected == "refused" || expected == "failed"))
      #expect((entry["format"] as? String == "json") == (expected == "changed"))
    }
    let counts = outcome.report.last?["counts"] as? [String: Any]
    #expect(counts?["files"] as? Int == 500)
    #expect(counts?["changed"] as? Int == changed.count)
  }

  @Test(arguments: ["1", "4"], ["!", "?"])
  func stopsAtTheFirstThatFails(jobs: String, bad: String) throws {
    let files = Dictionary(
      uniqueKeysWithValues: (0..<400).map { (Self.name($0), $0 == 37 || $0 == 40 ? bad : "a") })
    let outcome = try Self.run(files, ["-j", jobs, "--fail-fast"])
    #expect(outcome.places.placed.count == 37)
    #expect(outcome.summary.total == 38)
    #expect(outcome.report.count == 39)
    #expect(outcome.status == (bad == "!" ? .answerIsNo : .undecodable))
  }

  @Test func countsWhatHasNoPlaceAsFailed() throws {
    let places = Places()
    places.refused = ["0001"]
    let files = ["0000": "a", "0001": "b", "0002": "c"]
    let outcome = try Self.run(files, places: places)
    #expect(outcome.places.placed.map(\.path) == ["0000", "0002"])
    #expect(outcome.summary.count(.failed) == 1)
    #expect(outcome.status == .cannotCreate)
    #expect(outcome.report[1]["outcome"] as? String == "failed")
  }

  @Test(arguments: ["1", "3"])
  func stopsWhenNothingCanBePlacedAnyMore(jobs: String) throws {
    let places = Places()
    places.most = 20
    let files = Dictionary(uniqueKeysWithValues: (0..<300).map { (Self.name($0), "a") })
    let outcome = try Self.run(files, ["-j", jobs], places: places)
    #expect(outcome.status == .inputOutput)
    #expect(outcome.summary.total < 300)
    #expect(outcome.summary.count(.changed) == places.placed.count)
    #expect(outcome.summary.count(.failed) > 0)
  }
}
