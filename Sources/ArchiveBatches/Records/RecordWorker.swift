// Converts the line of a record to the line of its answer.

import ArchiveBasics
import ArchivePropertyLists

/// An item of the stream.
enum RecordItem: Sendable {
  /// A line and its number.
  case line(ByteStorage, Int)
  /// A line that exceeds the length limit.
  case tooLong(Int)

  /// Its memory use.
  var weight: Int { if case .line(let storage, _) = self { storage.bytes.count } else { 0 } }
}

/// An answer as written.
struct AnsweredRecord: Sendable {
  let line: ByteStorage
  let isGood: Bool
}

/// Answers lines.
enum RecordWorker {
  /// Answers any line.
  static func answer(
    _ item: RecordItem, by handling: inout any RecordHandling
  ) -> AnsweredRecord {
    switch item {
    case .tooLong(let number):
      let error = ArchiveError(.limit, "the line is longer than \(RecordStream.longestLine) bytes")
      return written(unread(error, number), nil)
    case .line(let storage, let number):
      do throws(ArchiveError) {
        let line = try RecordLine(storage)
        return written(answer(line, number, &handling), line)
      } catch {
        return written(unread(error, number), nil)
      }
    }
  }

  private static func answer(
    _ line: RecordLine, _ number: Int, _ handling: inout any RecordHandling
  ) -> RecordAnswer {
    do throws(ArchiveError) {
      guard let member = line.member("data") else {
        throw ArchiveError(.mismatch, "the record has no member 'data'")
      }
      let data = try line.data(member)
      var lost: ByteStorage?
      if let member = line.member("lost") { lost = ByteStorage(copying: line.bytes(member.value)) }
      return handling.answer(Record(data: data, lost: lost, name: "record \(number)"))
    } catch {
      return unread(error, number)
    }
  }

  /// The answer to a line that is not a record.
  private static func unread(_ error: ArchiveError, _ number: Int) -> RecordAnswer {
    var answer = RecordAnswer(error)
    answer.members.insert(("line", .integer(number)), at: 0)
    return answer
  }

  // MARK: Writing

  private static func written(_ answer: RecordAnswer, _ line: RecordLine?) -> AnsweredRecord {
    var output = ByteBuffer(capacity: 256 + (line?.storage.bytes.count ?? 0))
    // Few, so that a set would cost more.
    var names = ["id", "outcome", "data", "lost"]
    var own: [RecordLine.Member] = []
    output.append("{\"id\":")
    if let id = line?.member("id") {
      output.append(line?.bytes(id.value) ?? ByteView())
    } else {
      output.append("null")
    }
    output.append(",\"outcome\":\"\(answer.outcome)\"")
    append(answer.data, "data", line, to: &output) { bytes, output in
      output.append(UInt8(ascii: "\""))
      Base64.encode(bytes, to: &output)
      output.append(UInt8(ascii: "\""))
    }
    append(answer.lost, "lost", line, to: &output, JSONSpace.removed)
    for member in answer.members where !names.contains(member.name) {
      names.append(member.name)
      append(member.name, member.value, to: &output)
    }
    for member in line?.members ?? [] where !asked.contains(member.name) {
      if names.contains(member.name) || reserved.contains(member.name) {
        own.append(member)
      } else if let line {
        output.append(UInt8(ascii: ","))
        append(member, of: line, to: &output)
      }
    }
    if let line, !own.isEmpty {
      // Members whose names answers use are written into a nested object with the record's own values.
      output.append(",\"record\":{")
      for (index, member) in own.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        append(member, of: line, to: &output)
      }
      output.append("}")
    }
    output.append("}\n")
    return AnsweredRecord(line: output.intoStorage(), isGood: answer.isGood)
  }

  /// The members of a request; they are handled, not copied.
  private static let asked: Set = ["id", "data", "lost"]

  /// The member names that answers may use.
  private static let reserved: Set = [
    "outcome", "summary", "error", "line", "family", "from", "to", "path", "operations",
    "lossless", "losses", "withoutPlace", "warnings", "violations", "violationCount", "version",
    "reason", "rules", "record",
  ]

  private static func append(
    _ member: RecordLine.Member, of line: RecordLine, to output: inout ByteBuffer
  ) {
    output.append(line.bytes(member.quotedName))
    output.append(UInt8(ascii: ":"))
    output.append(line.bytes(member.value))
  }

  private static func append(
    _ part: RecordAnswer.Part, _ name: String, _ line: RecordLine?, to output: inout ByteBuffer,
    _ encode: (ByteView, inout ByteBuffer) -> Void
  ) {
    switch part {
    case .none: break
    case .bytes(let storage):
      output.append(",\"\(name)\":")
      encode(storage.bytes, &output)
      withExtendedLifetime(storage) {}
    case .same:
      guard let line, let member = line.member(name) else { return }
      output.append(",\"\(name)\":")
      output.append(line.bytes(member.value))
    }
  }

  /// Appends a member of an answer.
  private static func append(_ name: String, _ value: JSONTree, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: ","))
    JSONText.append(name, to: &output)
    output.append(UInt8(ascii: ":"))
    value.append(to: &output)
  }
}

/// White space between the values of a JSON text.
enum JSONSpace {
  /// Appends a JSON text without white space, so that it is one line.
  static func removed(_ text: ByteView, to output: inout ByteBuffer) {
    var isInString = false
    var isEscaped = false
    for byte in text {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
        continue
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      }
      output.append(byte)
    }
  }
}
