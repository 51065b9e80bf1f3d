// Property lists in Objective-C's literal syntax, with messages for the types that have no literal.

import Basics
import ObjectGraph

/// The syntax of an Objective-C literal.
struct ObjectiveCLiteral: TreeSyntax {
  private static let step = 2

  var name: String { "an Objective-C literal" }

  /// The class of a document's top value.
  static func type(of kind: ContainerKind?, _ document: Document) -> String {
    switch kind {
    case .array: return "NSArray"
    case .dictionary: return "NSDictionary"
    case .set: return "NSSet"
    case .orderedSet: return "NSOrderedSet"
    case nil: break
    }
    switch document.table.scalar(at: document.top) {
    case .null: return "NSNull"
    case .string: return "NSString"
    case .data: return "NSData"
    case .date: return "NSDate"
    default: return "NSNumber"
    }
  }

  func refusal(of kind: ContainerKind) -> ArchiveError? { nil }

  func open(_ kind: ContainerKind, depth: Int, to output: inout ByteBuffer) {
    switch kind {
    case .array: output.append(contentsOf: "@[")
    case .dictionary: output.append(contentsOf: "@{")
    case .set: output.append(contentsOf: "[NSSet setWithArray:@[")
    case .orderedSet: output.append(contentsOf: "[NSOrderedSet orderedSetWithArray:@[")
    }
  }

  func close(_ kind: ContainerKind, depth: Int, to output: inout ByteBuffer) {
    output.appendLine(indentedBy: (depth + 1) * Self.step)
    switch kind {
    case .array: output.append(UInt8(ascii: "]"))
    case .dictionary: output.append(UInt8(ascii: "}"))
    case .set, .orderedSet: output.append(contentsOf: "]]")
    }
  }

  func empty(_ kind: ContainerKind, to output: inout ByteBuffer) {
    switch kind {
    case .array: output.append(contentsOf: "@[]")
    case .dictionary: output.append(contentsOf: "@{}")
    case .set: output.append(contentsOf: "[NSSet set]")
    case .orderedSet: output.append(contentsOf: "[NSOrderedSet orderedSet]")
    }
  }

  func beginItem(isFirst: Bool, depth: Int, to output: inout ByteBuffer) {
    output.appendLine(indentedBy: (depth + 1) * Self.step)
  }

  func endItem(to output: inout ByteBuffer) { output.append(UInt8(ascii: ",")) }

  func key(_ text: Text, depth: Int, to output: inout ByteBuffer) throws(ArchiveError) {
    try string(text, to: &output)
    output.append(contentsOf: " : ")
  }

  func scalar(_ value: Value, depth: Int, to output: inout ByteBuffer) throws(ArchiveError) {
    switch value {
    case .null: output.append(contentsOf: "[NSNull null]")
    case .boolean(let flag): output.append(contentsOf: flag ? "@YES" : "@NO")
    // The literal of the least integer would be the negation of one that is too large.
    case .integer(.min): output.append(contentsOf: "@(-9223372036854775807LL - 1)")
    case .integer(let number):
      output.append(UInt8(ascii: "@"))
      JSONText.append(number, to: &output)
      if Int32(exactly: number) == nil { output.append(contentsOf: "LL") }
    case .unsigned(let number): output.append("@\(number)ULL")
    case .wide(let number): throw noSpelling(for: "the integer \(number)")
    case .real(let number): output.append("@" + real(number, number.description))
    case .single(let number): single(number, to: &output)
    case .string(let text): try string(text, to: &output)
    case .date(let seconds):
      let number = real(seconds, seconds.description)
      output.append("[NSDate dateWithTimeIntervalSinceReferenceDate:\(number)]")
    case .data(let bytes): data(bytes, to: &output)
    case .uid(let number): throw noSpelling(for: "UID \(number)")
    default: throw noSpelling(for: "this value")
    }
  }

  private func real(_ number: Double, _ text: String) -> String {
    if number.isFinite { return text }
    return number.isNaN ? "(NAN)" : number < 0 ? "(-INFINITY)" : "(INFINITY)"
  }

  private func single(_ number: Float, to output: inout ByteBuffer) {
    let text = number.isFinite ? number.description + "f" : ""
    output.append("@" + (number.isFinite ? text : real(Double(number), text)))
  }

  private func data(_ bytes: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
    if bytes.isEmpty { return output.append(contentsOf: "[NSData data]") }
    output.append(contentsOf: "[[NSData alloc] initWithBase64EncodedString:@\"")
    Base64.encode(bytes, to: &output)
    output.append(contentsOf: "\" options:0]")
  }

  /// Control characters in three octal digits, so that a following digit does not belong to them.
  private static func octal(_ byte: UInt8) -> String {
    String(byte, radix: 8, width: 3)
  }

  private func string(_ text: Text, to output: inout ByteBuffer) throws(ArchiveError) {
    guard !text.hasLoneSurrogate else { throw noSpelling(for: "a lone surrogate") }
    output.append(contentsOf: "@\"")
    var previous: Unicode.Scalar?
    for scalar in text.string.unicodeScalars {
      switch scalar {
      case "\"", "\\": output.append("\\\(scalar)")
      // Two question marks could begin a trigraph.
      case "?" where previous == scalar: output.append(contentsOf: "\\?")
      case "\t": output.append(contentsOf: "\\t")
      case "\n": output.append(contentsOf: "\\n")
      case "\r": output.append(contentsOf: "\\r")
      // Readers of the code must see its content. C has no names for characters below U+00A0.
      case _ where scalar.isObeyed && scalar.value < 0xA0:
        for byte in String(scalar).utf8 { output.append("\\" + Self.octal(byte)) }
      case _ where scalar.isObeyed && scalar.value > 0xFFFF:
        output.append("\\U" + String(scalar.value, radix: 16, width: 8))
      case _ where scalar.isObeyed: output.append(scalar.escapedForTerminal ?? "")
      default: output.append(String(scalar))
      }
      previous = scalar
    }
    output.append(UInt8(ascii: "\""))
  }
}
