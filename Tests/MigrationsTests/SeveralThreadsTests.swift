// The readers and the validator on several threads at once: shared library state must be thread-safe.

import ArchiveBasics
import ArchiveBatches
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import ArchiveMigrations

@Suite struct SeveralThreadsTests {
  /// Results of files that are gone through on several threads, in order.
  private static func results(
    _ files: [String], workers: Int,
    makeWorker: @escaping @Sendable () throws(ArchiveError) -> (String) -> String
  ) throws -> [String] {
    var rest = files[...]
    var results: [String] = []
    try OrderedPipeline<String, String>(workers: workers).run(
      next: { rest.popFirst().map { .item($0) } ?? .end },
      makeWorker: makeWorker,
      consume: {
        results += $0
        return true
      })
    return results
  }

  @Test func readsAndValidatesAsOnOneThread() throws {
    let entries = TestArchives.all.filter { !$0.path.hasPrefix("Regressions") }
    let files = (0..<4).flatMap { _ in entries.map(\.url.path) }
    let work: @Sendable () throws(ArchiveError) -> (String) -> String = {
      () throws(ArchiveError) in
      let validation = Validation(
        catalog: try SchemaCatalog(folders: [], assertsFormats: true), family: nil,
        version: nil)
      return { path in
        do throws(ArchiveError) {
          let graph = try ArchiveReader().read(try ByteStorage.open(path: path))
          let result = try validation.run(graph)
          return "\(result.version?.label ?? "none") \(result.violationCount)"
        } catch {
          return error.line(file: path)
        }
      }
    }
    let alone = try Self.results(files, workers: 1, makeWorker: work)
    #expect(Set(alone).count > 5)
    for _ in 0..<3 { #expect(try Self.results(files, workers: 8, makeWorker: work) == alone) }
  }

  @Test func judgesPatternsAndFormatsAsOnOneThread() throws {
    let schema = """
      {"type": "object", "properties": {
        "code": {"type": "string", "pattern": "^\\\\p{Lu}{2}-[0-9]+$"},
        "mail": {"format": "idn-email"}, "host": {"format": "idn-hostname"},
        "when": {"format": "date-time"}, "rule": {"format": "regex"}, "at": {"format": "uri"}}}
      """
    let texts = (0..<200).map { number in
      """
      {"code": "ÄÖ-\(number)\(number % 3 == 0 ? "x" : "")", "mail": "ü\(number)@bücher.example",
       "host": "\(number % 5 == 0 ? "-" : "")ελλάδα.example", "when": "2026-01-0\(number % 10)T00:00:00Z",
       "rule": "(\(number % 7 == 0 ? "" : ")")", "at": "http://a/\(number % 4 == 0 ? "%" : "")"}
      """
    }
    let work: @Sendable () throws(ArchiveError) -> (String) -> String = {
      () throws(ArchiveError) in
      let version = try SchemaVersion(
        family: "", name: "test", tree: try JSONTree(json: Array(schema.utf8)), uri: "test:",
        assertsFormats: true)
      return { text in
        do throws(ArchiveError) {
          let graph = try ArchiveReader().read(ByteStorage(copying: Array(text.utf8)))
          return try version.validate(graph).map { $0.line(file: "") }.joined(separator: ",")
        } catch {
          return error.message
        }
      }
    }
    let alone = try Self.results(texts, workers: 1, makeWorker: work)
    #expect(Set(alone).count > 5)
    #expect(try Self.results(texts, workers: 8, makeWorker: work) == alone)
  }

  @Test func systemMessagesAreTheThreadsOwn() throws {
    let names = (0..<400).map { $0 % 2 == 0 ? "/nothing/at/all" : "/dev/null/x" }
    let work: @Sendable () throws(ArchiveError) -> (String) -> String = {
      { path in
        do throws(ArchiveError) {
          _ = try ByteStorage.open(path: path)
          return "opened"
        } catch {
          return error.message
        }
      }
    }
    let messages = try Self.results(names, workers: 8, makeWorker: work)
    #expect(messages == (try Self.results(names, workers: 1, makeWorker: work)))
    #expect(Set(messages).count == 2)
  }
}
