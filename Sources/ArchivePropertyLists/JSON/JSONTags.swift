// What JSON has no word for, with the tags of typed JSON: types of scalars, classes, the archiver.

import ArchiveBasics
import ArchiveGraph

/// Writes scalars, with a tag where JSON lacks their type; and what typed JSON tells of classes and archives.
struct JSONTags {
  /// Whether types that JSON lacks are written as tags.
  let areUsed: Bool

  func append(_ number: Int64, to output: inout ByteBuffer) {
    if areUsed, number.magnitude > 1 << 53 {
      append("$int", "\(number)", to: &output)
    } else {
      JSONText.append(number, to: &output)
    }
  }

  func append(large number: String, to output: inout ByteBuffer) {
    if areUsed { append("$int", number, to: &output) } else { output.append(number) }
  }

  func append(_ number: Double, to output: inout ByteBuffer) {
    guard areUsed, !number.isFinite || number == number.rounded() else {
      return JSONText.append(number, to: &output)
    }
    output.append(contentsOf: "{\"$real\": ")
    JSONText.append(number, to: &output)
    output.append(UInt8(ascii: "}"))
  }

  func append(_ number: Float, to output: inout ByteBuffer) {
    if areUsed { output.append(contentsOf: "{\"$float\": ") }
    if number.isFinite {
      output.append(number.description)
    } else {
      JSONText.append(Double(number), to: &output)
    }
    if areUsed { output.append(UInt8(ascii: "}")) }
  }

  func append(date seconds: Double, to output: inout ByteBuffer) {
    let text = JSONText.date(seconds)
    guard areUsed else { return JSONText.append(text, to: &output) }
    let isExact = Timestamp(text: text)?.secondsFromReference.bitPattern == seconds.bitPattern
    if isExact || !seconds.isFinite { return append("$date", text, to: &output) }
    output.append(contentsOf: "{\"$date\": ")
    JSONText.append(seconds, to: &output)
    output.append(UInt8(ascii: "}"))
  }

  func append(_ name: StaticString, _ text: String, to output: inout ByteBuffer) {
    output.append(contentsOf: "{\"")
    output.append(contentsOf: name)
    output.append(contentsOf: "\": ")
    JSONText.append(text, to: &output)
    output.append(UInt8(ascii: "}"))
  }

  // MARK: Classes and archives

  /// `"class": …, "classes": …`: all that typed JSON tells of a class.
  func append(_ description: ClassDescription, to output: inout ByteBuffer) {
    output.append(contentsOf: "\"class\": ")
    JSONText.append(description.name, to: &output)
    output.append(contentsOf: ", \"classes\": ")
    append(names: description.chain, to: &output)
    if !description.hints.isEmpty {
      output.append(contentsOf: ", \"hints\": ")
      append(names: description.hints, to: &output)
    }
    if !description.versions.isEmpty {
      let numbers = description.versions.map { "\($0)" }.joined(separator: ", ")
      output.append(", \"versions\": [\(numbers)]")
    }
  }

  private func append(names: [String], to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "["))
    for (position, name) in names.enumerated() {
      if position > 0 { output.append(contentsOf: ", ") }
      JSONText.append(name, to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  /// Begins `{"$archive": {"archiver": …, "root": ` if the archive is not as the usual archiver writes it.
  ///
  /// - Returns: whether it was begun.
  func open(_ archive: ArchiveFacts, to output: inout ByteBuffer) -> Bool {
    if archive.archiver == "NSKeyedArchiver", archive.version ?? 100_000 == 100_000 { return false }
    output.append(contentsOf: "{\"$archive\": {\"archiver\": ")
    JSONText.append(archive.archiver, to: &output)
    if let version = archive.version, version != 100_000 {
      output.append(", \"version\": \(version)")
    }
    output.append(contentsOf: ", \"root\": ")
    return true
  }
}
