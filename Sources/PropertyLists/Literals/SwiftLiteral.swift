// Property lists in Swift's literal syntax, every collection with its type, since their elements are mixed.

import Basics
import ObjectGraph

/// The syntax of a Swift literal.
struct SwiftLiteral: TreeSyntax {
  private static let step = 2

  var name: String { "a Swift literal" }

  func refusal(of kind: ContainerKind) -> ArchiveError? { nil }

  /// Swift considers strings equal that are equal in Unicode, and a program with a repeated key in a dictionary
  /// literal traps.
  func examine(_ dictionary: UInt32, in table: ValueTable) throws(ArchiveError) {
    let (start, count) = table.counted(dictionary)
    var seen: Set<String> = []
    for position in 0..<count {
      guard let key = table.text(at: table.reference(start, position))?.string,
        !seen.insert(key).inserted
      else { continue }
      throw noSpelling(for: "a dictionary with equal keys: '\(key.prefix(40))'")
    }
  }

  func open(_ kind: ContainerKind, depth: Int, to output: inout ByteBuffer) {
    switch kind {
    case .array, .dictionary: output.append(UInt8(ascii: "["))
    case .set: output.append(contentsOf: "NSSet(array: [")
    case .orderedSet: output.append(contentsOf: "NSOrderedSet(array: [")
    }
  }

  func close(_ kind: ContainerKind, depth: Int, to output: inout ByteBuffer) {
    output.appendLine(indentedBy: depth * Self.step)
    switch kind {
    case .array: output.append(contentsOf: "] as [Any]")
    case .dictionary: output.append(contentsOf: "] as [String: Any]")
    case .set, .orderedSet: output.append(contentsOf: "] as [Any])")
    }
  }

  func empty(_ kind: ContainerKind, to output: inout ByteBuffer) {
    switch kind {
    case .array: output.append(contentsOf: "[] as [Any]")
    case .dictionary: output.append(contentsOf: "[:] as [String: Any]")
    case .set: output.append(contentsOf: "NSSet()")
    case .orderedSet: output.append(contentsOf: "NSOrderedSet()")
    }
  }

  func beginItem(isFirst: Bool, depth: Int, to output: inout ByteBuffer) {
    output.appendLine(indentedBy: depth * Self.step)
  }

  func endItem(to output: inout ByteBuffer) { output.append(UInt8(ascii: ",")) }

  func key(_ text: Text, depth: Int, to output: inout ByteBuffer) throws(ArchiveError) {
    try string(text, to: &output)
    output.append(contentsOf: ": ")
  }

  func scalar(_ value: Value, depth: Int, to output: inout ByteBuffer) throws(ArchiveError) {
    switch value {
    case .null: output.append(contentsOf: "NSNull()")
    case .boolean(let flag): output.append(contentsOf: flag ? "true" : "false")
    case .integer(let number): JSONText.append(number, to: &output)
    case .unsigned(let number):
      JSONText.append(number, to: &output)
      output.append(contentsOf: " as UInt64")
    case .wide(let number): throw noSpelling(for: "the integer \(number)")
    case .real(let number): real(number, number.description, "Double", to: &output)
    case .single(let number):
      real(Double(number), number.description + " as Float", "Float", to: &output)
    case .string(let text): try string(text, to: &output)
    case .date(let seconds):
      output.append(contentsOf: "Date(timeIntervalSinceReferenceDate: ")
      real(seconds, seconds.description, "Double", to: &output)
      output.append(UInt8(ascii: ")"))
    case .data(let bytes): data(bytes, to: &output)
    case .uid(let number): throw noSpelling(for: "UID \(number)")
    default: throw noSpelling(for: "this value")
    }
  }

  private func real(_ number: Double, _ text: String, _ type: String, to output: inout ByteBuffer) {
    if number.isFinite {
      output.append(text)
    } else {
      output.append(number.isNaN ? "\(type).nan" : "\(number < 0 ? "-" : "")\(type).infinity")
    }
  }

  private func data(_ bytes: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
    if bytes.isEmpty { return output.append(contentsOf: "Data()") }
    output.append(contentsOf: "Data(base64Encoded: \"")
    Base64.encode(bytes, to: &output)
    output.append(contentsOf: "\")!")
  }

  private func string(_ text: Text, to output: inout ByteBuffer) throws(ArchiveError) {
    guard !text.hasLoneSurrogate else { throw noSpelling(for: "a lone surrogate") }
    output.append(UInt8(ascii: "\""))
    for scalar in text.string.unicodeScalars {
      switch scalar {
      case "\"", "\\": output.append("\\\(scalar)")
      case "\t": output.append(contentsOf: "\\t")
      case "\n": output.append(contentsOf: "\\n")
      case "\r": output.append(contentsOf: "\\r")
      // Readers of the code must see its content.
      case _ where scalar.isObeyed: output.append("\\u{\(String(scalar.value, radix: 16))}")
      default: output.append(String(scalar))
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}
