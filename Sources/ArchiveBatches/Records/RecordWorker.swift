// Converts the line of a record to the line of its answer.

import ArchiveBasics
import ArchivePropertyLists

enum RecordItem: Sendable {
  /// A line and its place.
  case line(ByteStorage, RecordLocation)
  /// A line that exceeds the length limit.
  case tooLong(RecordLocation)

  var weight: Int { if case .line(let storage, _) = self { storage.bytes.count } else { 0 } }
}

/// An answer as written.
struct AnsweredRecord: Sendable {
  let line: ByteStorage
  let isGood: Bool
  let resultCount: Int
}

enum RecordWorker {
  static func answer(
    _ item: RecordItem, _ format: RecordFormat, by handling: inout any RecordHandling
  ) -> AnsweredRecord {
    switch item {
    case .tooLong(let location):
      let error = ArchiveError(.limit, "the line is longer than \(RecordStream.longestLine) bytes")
      return written(unread(error, location), nil, format)
    case .line(let storage, let location):
      do throws(ArchiveError) {
        let line = try RecordLine(storage, format)
        return written(answer(line, location, format, &handling), line, format)
      } catch {
        return written(unread(error, location), nil, format)
      }
    }
  }

  private static func answer(
    _ line: RecordLine, _ location: RecordLocation, _ format: RecordFormat,
    _ handling: inout any RecordHandling
  ) -> RecordAnswer {
    do throws(ArchiveError) {
      let data = try line.archive()
      var lost: ByteStorage?
      if let member = line.member("lost") { lost = ByteStorage(copying: line.bytes(member.value)) }
      var answer = handling.answer(Record(data: data, lost: lost, name: "record \(location.line)"))
      if line.member("id") == nil, answer.outcome == "failed" || format.allowsBareLines {
        answer.name(location)
      }
      return answer
    } catch {
      return unread(error, location)
    }
  }

  /// The answer to a line that is not a record.
  private static func unread(_ error: ArchiveError, _ location: RecordLocation) -> RecordAnswer {
    var answer = RecordAnswer(error)
    answer.name(location)
    return answer
  }

  // MARK: Writing

  private static func written(
    _ answer: RecordAnswer, _ line: RecordLine?, _ format: RecordFormat
  ) -> AnsweredRecord {
    let contentCount = answer.content?.bytes.count ?? 0
    var output = ByteBuffer(capacity: 256 + (line?.storage.bytes.count ?? 0) + contentCount)
    // Few, so that a set would cost more.
    var names = ["id", "lost", "outcome"]
    if case .none = answer.data {} else { names.append(format.key) }
    var own: [RecordLine.Member] = []
    output.append("{\"id\":")
    if let id = line?.member("id") {
      output.append(line?.bytes(id.value) ?? ByteView())
    } else {
      output.append("null")
    }
    output.append(",\"outcome\":\"\(answer.outcome)\"")
    append(answer.data, format.key, line, to: &output) { bytes, output in
      output.append(UInt8(ascii: "\""))
      format.encoding.encode(bytes, to: &output)
      output.append(UInt8(ascii: "\""))
    }
    append(answer.lost, "lost", line, to: &output, JSONSpace.removed)
    if let content = answer.content, contentCount > 0 {
      output.append(UInt8(ascii: ","))
      output.append(content.bytes)
    }
    for member in answer.members where !names.contains(member.name) {
      names.append(member.name)
      append(member.name, member.value, to: &output)
    }
    for member in line?.members ?? [] where !["id", "lost", format.key].contains(member.name) {
      if names.contains(member.name) || format.answerNames.contains(member.name) {
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
    return AnsweredRecord(
      line: output.intoStorage(), isGood: answer.isGood, resultCount: answer.resultCount)
  }

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
      append(name, to: &output)
      encode(storage.bytes, &output)
      withExtendedLifetime(storage) {}
    case .same:
      if let line, let member = line.member(name) {
        append(name, to: &output)
        output.append(line.bytes(member.value))
      } else if let digits = line?.bareDigits, name != "lost" {
        append(name, .string(digits), to: &output)
      }
    }
  }

  private static func append(_ name: String, _ value: JSONTree, to output: inout ByteBuffer) {
    append(name, to: &output)
    value.append(to: &output)
  }

  /// Appends the name of a member, after the one before it.
  private static func append(_ name: String, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: ","))
    JSONText.append(name, to: &output)
    output.append(UInt8(ascii: ":"))
  }
}

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

extension RecordAnswer {
  /// Says where the line is to which this is the answer.
  fileprivate mutating func name(_ location: RecordLocation) {
    members.insert(("line", .integer(location.line)), at: 0)
    if let file = location.file { members.insert(("file", .string(file)), at: 0) }
  }
}
