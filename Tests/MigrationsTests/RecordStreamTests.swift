// Records and their answers, line by line.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import FileTransactions
import Foundation
import TestSupport
import Testing

@testable import ArchiveBatches
@testable import ArchiveMigrations

@Suite struct RecordStreamTests {
  /// Turns bytes round; what begins with `=`, `!` or `?` stays, is refused, or fails.
  struct Reversal: ArchiveRewriting {
    var delay: UInt32 = 0

    mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten {
      if delay > 0 { usleep(UInt32.random(in: 0..<delay)) }
      let bytes = Array(input.storage.bytes)
      switch bytes.first {
      case UInt8(ascii: "="): return .unchanged("is right")
      case UInt8(ascii: "!"):
        let violation = Diagnostic(
          rule: "type", message: "expected a number, found a string",
          path: GraphPath([.key("a")]), offset: 7)
        return .refused("does not fit", violations: [violation])
      case UInt8(ascii: "?"):
        throw ArchiveError(
          .truncated, "ends early", offset: 3, path: GraphPath([.key("b")]))
      default: break
      }
      let lost: RewrittenArchive.Companion =
        switch bytes.first {
        case UInt8(ascii: "L"):
          .written(ByteStorage(copying: Array("{\n \"a b\" : [ 1.50 ]\n}\n".utf8)))
        case UInt8(ascii: "R"): .removed
        default: .unchanged
        }
      let brought = input.lost.map { " with " + String(decoding: $0.bytes, as: UTF8.self) } ?? ""
      return .changed(
        RewrittenArchive(
          storage: ByteStorage(copying: bytes.reversed()), summary: "turned round\(brought)",
          lost: lost))
    }
  }

  /// What a stream answers.
  static func answers(
    _ input: Data, workers: Int = 1, delay: UInt32 = 0
  ) throws -> (lines: [String], result: RecordStream.Result) {
    let folder = try TemporaryFolder()
    try input.write(to: folder.file("in"))
    try Data().write(to: folder.file("out"))
    let source = try FileHandle(forReadingFrom: folder.file("in"))
    let target = try FileHandle(forWritingTo: folder.file("out"))
    let stream = RecordStream(
      workers: workers, sources: [.descriptor(source.fileDescriptor)],
      output: target.fileDescriptor)
    let result = try stream.run { RewritingRecords(Reversal(delay: delay)) }
    let text = String(decoding: try Data(contentsOf: folder.file("out")), as: UTF8.self)
    #expect(text.isEmpty || text.hasSuffix("\n"))
    return (text.split(separator: "\n").map(String.init), result)
  }

  /// What one record is answered by a migration.
  static func answers(_ input: Data, of migration: Migration) throws -> String {
    var records = RewritingRecords(migration)
    let line = try RecordLine(ByteStorage(copying: Array(input)))
    let member = try #require(line.member("data"))
    let answer = records.answer(Record(data: try line.data(member), lost: nil, name: "1"))
    var output = OutputBuffer(descriptor: nil)
    try JSONTree.members(answer.members).write(isCompact: true, to: &output)
    let bytes = output.intoBytes()
    return String(decoding: bytes.bytes, as: UTF8.self)
  }

  static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  static let changed = #""outcome":"changed","data":"Y2Jh""#
  static let tail = #""summary":"turned round""#

  @Test(arguments: [
    (#"{"id":1,"data":"YWJj"}"#, #"{"id":1,\#(changed),\#(tail)}"#),
    (#"{"data":"YWJj"}"#, #"{"id":null,\#(changed),\#(tail)}"#),
    (
      #" { "data" : "YWJj" , "id" : [1.0, {"a": "}"}] } "#,
      #"{"id":[1.0, {"a": "}"}],\#(changed),\#(tail)}"#
    ),
    (#"{"id":"\u00e9\"","data":"YW\u004aj"}"#, #"{"id":"\u00e9\"",\#(changed),\#(tail)}"#),
    (#"{"\u0069d":2,"d\u0061ta":"YWJj"}"#, #"{"id":2,\#(changed),\#(tail)}"#),
    // Further members stay as they are spelled; those that an answer may have are apart.
    (
      #"{"x":123456789012345678901234567890,"id":3,"data":"YWJj","outcome":"?","y z":"\/","summary":0}"#,
      #"{"id":3,\#(changed),\#(tail),"x":123456789012345678901234567890,"y z":"\/","record":{"outcome":"?","summary":0}}"#
    ),
    (
      #"{"id":3,"data":"YWJj","error":"x","record":1,"from":"here"}"#,
      #"{"id":3,\#(changed),\#(tail),"record":{"error":"x","record":1,"from":"here"}}"#
    ),
    (
      #"{"id":4,"data":"PWE="}"#,
      #"{"id":4,"outcome":"unchanged","data":"PWE=","summary":"is right"}"#
    ),
    (
      #"{"id":5,"data":"IWE=","k":true}"#,
      #"{"id":5,"outcome":"refused","error":{"code":"refused","message":"does not fit","offset":7,"path":"$.a"},"violations":[{"rule":"type","message":"expected a number, found a string","offset":7,"path":"$.a"}],"violationCount":1,"k":true}"#
    ),
    (
      #"{"id":6,"data":"P2E="}"#,
      #"{"id":6,"outcome":"failed","error":{"code":"truncated","message":"ends early","offset":3,"path":"$.b"}}"#
    ),
    // Lost values.
    (
      #"{"id":7,"data":"TGE="}"#,
      #"{"id":7,"outcome":"changed","data":"YUw=","lost":{"a b":[1.50]},"summary":"turned round"}"#
    ),
    (
      #"{"id":8,"data":"UmE=","lost":{"a": 1}}"#,
      #"{"id":8,"outcome":"changed","data":"YVI=","summary":"turned round with {\"a\": 1}"}"#
    ),
    (
      #"{"id":9,"data":"PWE=","lost":[ ]}"#,
      #"{"id":9,"outcome":"unchanged","data":"PWE=","lost":[ ],"summary":"is right"}"#
    ),
    // Slashes may be escaped, and the last of two members counts.
    (
      #"{"id":10,"data":"P\/8=","data":"\/\/8="}"#,
      #"{"id":10,"outcome":"changed","data":"//8=",\#(tail)}"#
    ),
  ])
  func answersRecords(line: String, answer: String) throws {
    let answers = try Self.answers(Data(line.utf8))
    #expect(answers.lines == [answer])
    let parsed = try JSONSerialization.jsonObject(
      with: Data(answer.utf8))
    #expect(parsed is [String: Any])
  }

  @Test(arguments: [
    ("no JSON", "null", "malformed"), ("[1]", "null", "mismatch"),
    ("{\"id\":1", "null", "truncated"),
    (#"{"id":1}"#, "1", "mismatch"), (#"{"id":1,"data":null}"#, "1", "mismatch"),
    (#"{"id":1,"data":{"data":"YQ=="}}"#, "1", "mismatch"),
    (#"{"id":1,"data":"Y"}"#, "1", "malformed"),
    (#"{"id":1,"data":"YQ-_"}"#, "1", "malformed"),
    (#"{"id":1,"data":"YQ==YQ=="}"#, "1", "malformed"),
    (#"{"id":1,"data":"YQ="}"#, "1", "malformed"),
    (#"{"id":1,"data":"YWJj"} {}"#, "null", "malformed"),
    ("\u{FEFF}\"x\"", "null", "mismatch"),
  ])
  func goesOnBehindLinesThatAreNoRecords(line: String, id: String, code: String) throws {
    let good = #"{"id":0,"data":"PQ=="}"#
    let input = "\(good)\r\n\n  \r\n\(line)\n\(good)"
    let (lines, result) = try Self.answers(Data(input.utf8))
    let expected = #"{"id":0,"outcome":"unchanged","data":"PQ==","summary":"is right"}"#
    // Blank lines are answered as well, so that answers and lines have the same numbers.
    try #require(lines.count == 5)
    #expect([lines[0], lines[4]] == [expected, expected])
    for number in [2, 3] {
      let blank = #"{"id":null,"outcome":"failed","line":\#(number),"error":{"code":"mismatch""#
      #expect(lines[number - 1].hasPrefix(blank), "\(lines[number - 1])")
    }
    let start = #"{"id":\#(id),"outcome":"failed","line":4,"error":{"code":""#
    #expect(lines[3].hasPrefix(start), "\(lines[3])")
    if line != "{\"id\":1" {
      #expect(lines[3].dropFirst(start.count).hasPrefix(code), "\(lines[3])")
    }
    #expect(result.count == 5)
    #expect(result.badCount == 3)
  }

  @Test(arguments: [1, 2, 7])
  func keepsTheOrderOfManyRecords(workers: Int) throws {
    let count = 10_000
    let input = (0..<count).map { #"{"id":\#($0),"data":"\#(Self.base64("x\($0)"))"}"# }
    let (lines, result) = try Self.answers(
      Data(input.joined(separator: "\n").utf8), workers: workers, delay: workers > 1 ? 100 : 0)
    #expect(result.count == count)
    #expect(result.badCount == 0)
    let expected = (0..<count).map { number in
      let data = Self.base64(String("x\(number)".reversed()))
      return #"{"id":\#(number),"outcome":"changed","data":"\#(data)",\#(Self.tail)}"#
    }
    #expect(lines == expected)
  }

  @Test(arguments: [1, 3])
  func bearsLargeRecords(workers: Int) throws {
    let data = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
    let line = #"{"id":1,"data":"\#(data.base64EncodedString())"}"#
    let (lines, _) = try Self.answers(Data("\(line)\n\(line)\n\(line)".utf8), workers: workers)
    #expect(lines.count == 3)
    for line in lines {
      let answer = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let text = try #require(answer?["data"] as? String)
      #expect(Data(base64Encoded: text) == Data(data.reversed()))
    }
  }

  @Test(arguments: [
    ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\nbb\n\nc", ["a", "bb", "", "c"]),
    ("aaaa\naaaaa\nb", ["aaaa", "-", "b"]), ("aaaaaaaaaaaa", ["-"]), ("aaaaaa\n", ["-"]),
  ])
  func readsLines(text: String, expected: [String]) throws {
    let folder = try TemporaryFolder()
    try Data(text.utf8).write(to: folder.file("in"))
    let source = try FileHandle(forReadingFrom: folder.file("in"))
    var reader = LineReader(descriptor: source.fileDescriptor, limit: 4)
    var lines: [String] = []
    reading: while true {
      switch try reader.next() {
      case .line(let storage): lines.append(String(decoding: storage.bytes, as: UTF8.self))
      case .tooLong: lines.append("-")
      case .nothingYet: Issue.record("a file has no pauses")
      case .end: break reading
      }
    }
    #expect(lines == expected)
    #expect(reader.number == expected.count)
  }

  /// A long line is read block by block, so that its reader may stop.
  @Test func aLongLineHasPauses() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "a", count: 300_000) + "\nb\n"
    try Data(text.utf8).write(to: folder.file("in"))
    let source = try FileHandle(forReadingFrom: folder.file("in"))
    var reader = LineReader(descriptor: source.fileDescriptor)
    var (pauses, counts): (Int, [Int]) = (0, [])
    reading: while true {
      switch try reader.next(waits: false) {
      case .line(let storage): counts.append(storage.bytes.count)
      case .tooLong: Issue.record("the line is allowed")
      case .nothingYet: pauses += 1
      case .end: break reading
      }
    }
    #expect(counts == [300_000, 1])
    #expect(pauses >= 2)
  }
}
