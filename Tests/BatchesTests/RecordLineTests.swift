// Lines of which a long archive is decoded before the rest is checked, beside Foundation's reader of JSON.

import ArchiveBasics
import ArchiveBatches
import ArchivePropertyLists
import Foundation
import TestSupport
import Testing

@Suite struct RecordLineTests {
  /// Answers with the size of the archive.
  private struct Sizes: RecordHandling {
    mutating func answer(_ record: Record) -> RecordAnswer {
      RecordAnswer("read", isGood: true, members: [("size", .integer(record.data.bytes.count))])
    }
  }

  /// What a stream answers to a line.
  private func answer(to line: String) throws -> [String: Any] {
    let (input, output) = (Pipe(), Pipe())
    // Less than a pipe holds.
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    try input.fileHandleForWriting.close()
    let stream = RecordStream(
      workers: 1, sources: [.descriptor(input.fileHandleForReading.fileDescriptor)],
      output: output.fileHandleForWriting.fileDescriptor)
    _ = try stream.run { Sizes() }
    try output.fileHandleForWriting.close()
    let answers = try output.fileHandleForReading.readToEnd() ?? Data()
    return try #require(try JSONSerialization.jsonObject(with: answers) as? [String: Any])
  }

  private static let digits = String(repeating: "QUJD", count: 200)

  /// Long data among members that end where they should not, or that look like the data.
  @Test(arguments: [
    "{\"id\":1,\"data\":\"#\"}",
    "{\"data\":\"#\",\"id\":[1,{\"a\":\"b\"}]}",
    " { \"data\" : \"#\" } ",
    "{\"a\":\"\\\\\",\"data\":\"#\"}",
    "{\"a\":\"\\\"\",\"data\":\"#\"}",
    "{\"a\":\"\\\\\\\"\",\"data\":\"#\"}",
    "{\"a\":\"}\",\"data\":\"#\"}",
    "{\"data\":\"#\",\"data\":\"QQ==\"}",
    "{\"data\":\"QQ==\",\"data\":\"#\"}",
    "{\"data\":\"QQ==\",\"other\":\"#\"}",
    "{\"#\":\"#\",\"data\":\"#\"}",
    "{\"data\":\"#QQ==\"}",
    "{\"data\":\"#QUI=\"}",
    "{\"data\":\"# \"}",
    "{\"data\":\"#\\/\\/\\/\\/\"}",
    "{\"data\":\"#\"",
    "{\"data\":\"#\"}}",
    "{\"data\":\"#\"x}",
    "{\"data\":\"#\"\"\"}",
    "{\"data\":#}",
    "{\"data\" \"#\"}",
    "{\"data\":x\"#\"}",
    "{\"a\":[,\"data\":\"#\"}",
    "{\"a\":{\"data\":\"#\"}",
    "{\"a\":tru,\"data\":\"#\"}",
    "{\"a\":\"\u{1}\",\"data\":\"#\"}",
    "{\"a\":\"\\x\",\"data\":\"#\"}",
    "{\"a\":1,,\"data\":\"#\"}",
    "{,\"data\":\"#\"}",
    "[{\"data\":\"#\"}]",
    "\"#\"",
    "{\"a\":\"\\\",\"data\":\"#\"}",
    "{\"a\":01,\"data\":\"#\"}",
    "{'data':\"#\"}",
    "{\"data\":\"#\"}{}",
  ])
  func isARecordWhereFoundationReadsOne(_ shape: String) throws {
    let line = shape.replacingOccurrences(of: "#", with: Self.digits)
    let answer = try answer(to: line)
    let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    // Foundation keeps the first of equal keys, readers of JSON the last.
    let isRepeated = shape.components(separatedBy: "\"data\"").count > 2
    let data = (object?["data"] as? String).flatMap {
      Data(base64Encoded: $0.trimmingCharacters(in: .whitespaces))
    }
    #expect((answer["outcome"] as? String == "read") == (data != nil), "\(answer)")
    if !isRepeated { #expect(answer["size"] as? Int == data?.count) }
    if object == nil { #expect(answer["line"] as? Int == 1) }
  }

  /// Foundation reads these, RFC 8259 and RFC 4648 do not.
  @Test(arguments: ["{\"data\":\"#=\"}", "{\"data\":\"#\",}"])
  func isRefusedWhereTheStandardsAreStricter(_ shape: String) throws {
    let answer = try answer(to: shape.replacingOccurrences(of: "#", with: Self.digits))
    #expect(answer["outcome"] as? String == "failed")
  }

  @Test func theLastOfEqualMembersIsUsed() throws {
    let long = "\"data\":\"\(Self.digits)\""
    let short = "\"data\":\"QQ==\""
    #expect(try answer(to: "{\(long),\(short)}")["size"] as? Int == 1)
    #expect(try answer(to: "{\(short),\(long)}")["size"] as? Int == 600)
  }
}
