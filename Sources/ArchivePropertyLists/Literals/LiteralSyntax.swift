// Property lists in the literal syntax of Swift and Objective-C.
//
// Swift's collections have their types, since their elements are mixed; Objective-C has messages for the types without a
// literal.

import ArchiveBasics
import ArchiveGraph

/// The syntax of a literal.
package enum LiteralSyntax: TreeSyntax {
  /// Swift, after `import Foundation`.
  case swift
  /// Objective-C.
  case objectiveC

  var name: String { self == .swift ? "a Swift literal" : "an Objective-C literal" }

  func refusal(of kind: ContainerKind) -> ArchiveError? { nil }

  /// Swift considers strings equal that are equal in Unicode, and a program with a repeated key in a dictionary
  /// literal traps.
  func examine(_ dictionary: UInt32, in table: ValueTable) throws(ArchiveError) {
    guard self == .swift else { return }
    let (start, count) = table.counted(dictionary)
    var seen: Set<String> = []
    for position in 0..<count {
      guard let key = table.text(at: table.reference(start, position))?.string,
        !seen.insert(key).inserted
      else { continue }
      throw unrepresentable("a dictionary with equal keys: '\(key.prefix(40))'")
    }
  }

  // MARK: Containers

  func brackets(of kind: ContainerKind) -> ContainerBrackets {
    switch (self, kind) {
    case (.swift, .array): .init("[", "] as [Any]", "[] as [Any]")
    case (.swift, .dictionary): .init("[", "] as [String: Any]", "[:] as [String: Any]")
    case (.swift, .set): .init("NSSet(array: [", "] as [Any])", "NSSet()")
    case (.swift, .orderedSet): .init("NSOrderedSet(array: [", "] as [Any])", "NSOrderedSet()")
    case (.objectiveC, .array): .init("@[", "]", "@[]")
    case (.objectiveC, .dictionary): .init("@{", "}", "@{}")
    case (.objectiveC, .set): .init("[NSSet setWithArray:@[", "]]", "[NSSet set]")
    case (.objectiveC, .orderedSet):
      .init("[NSOrderedSet orderedSetWithArray:@[", "]]", "[NSOrderedSet orderedSet]")
    }
  }

  /// A literal of Objective-C is in the body of a function.
  func line(_ depth: Int, to output: inout ByteBuffer) {
    output.appendLine(indentedBy: (self == .swift ? depth : depth + 1) * 2)
  }

  func endItem(to output: inout ByteBuffer) { output.append(UInt8(ascii: ",")) }

  func key(_ text: Text, depth: Int, to output: inout ByteBuffer) throws(ArchiveError) {
    try string(text, to: &output)
    output.append(contentsOf: self == .swift ? ": " : " : ")
  }

  // MARK: Scalars

  func scalar(_ value: Value, depth: Int, to output: inout ByteBuffer) throws(ArchiveError) {
    switch value {
    case .null: output.append(contentsOf: self == .swift ? "NSNull()" : "[NSNull null]")
    case .boolean(let flag):
      output.append(self == .swift ? "\(flag)" : flag ? "@YES" : "@NO")
    case .integer(let number): output.append(self == .swift ? "\(number)" : Self.number(number))
    case .unsigned(let number):
      output.append(self == .swift ? "\(number) as UInt64" : "@\(number)ULL")
    case .wide(let number): throw unrepresentable("the integer \(number)")
    case .real(let number):
      if self == .objectiveC { output.append(UInt8(ascii: "@")) }
      output.append(real(number, number.description))
    case .single(let number):
      output.append(
        self == .swift
          ? real(Double(number), number.description + " as Float", type: "Float")
          : "@" + real(Double(number), number.description + "f"))
    case .string(let text): try string(text, to: &output)
    case .date(let seconds):
      let number = real(seconds, seconds.description)
      output.append(
        self == .swift
          ? "Date(timeIntervalSinceReferenceDate: \(number))"
          : "[NSDate dateWithTimeIntervalSinceReferenceDate:\(number)]")
    case .data(let bytes): data(bytes, to: &output)
    case .uid(let number): throw unrepresentable("UID \(number)")
    default: throw unrepresentable("this value")
    }
  }

  /// An integer of Objective-C; the literal of the least one would be the negation of one that is too large.
  private static func number(_ number: Int64) -> String {
    if number == .min { return "@(-9223372036854775807LL - 1)" }
    return "@\(number)" + (Int32(exactly: number) == nil ? "LL" : "")
  }

  private func real(_ number: Double, _ text: String, type: String = "Double") -> String {
    if number.isFinite { return text }
    if self == .swift {
      return number.isNaN ? "\(type).nan" : "\(number < 0 ? "-" : "")\(type).infinity"
    }
    return number.isNaN ? "(NAN)" : number < 0 ? "(-INFINITY)" : "(INFINITY)"
  }

  private func data(_ bytes: ByteView, to output: inout ByteBuffer) {
    let isSwift = self == .swift
    if bytes.isEmpty { return output.append(contentsOf: isSwift ? "Data()" : "[NSData data]") }
    output.append(
      contentsOf: isSwift
        ? "Data(base64Encoded: \"" : "[[NSData alloc] initWithBase64EncodedString:@\"")
    Base64.encode(bytes, to: &output)
    output.append(contentsOf: isSwift ? "\")!" : "\" options:0]")
  }

  // MARK: Strings

  private func string(_ text: Text, to output: inout ByteBuffer) throws(ArchiveError) {
    guard !text.hasLoneSurrogate else { throw unrepresentable("a lone surrogate") }
    output.append(contentsOf: self == .swift ? "\"" : "@\"")
    var previous: Unicode.Scalar?
    for scalar in text.string.unicodeScalars {
      switch scalar {
      case "\"", "\\": output.append("\\\(scalar)")
      // Two question marks could begin a trigraph.
      case "?" where self == .objectiveC && previous == scalar: output.append(contentsOf: "\\?")
      case "\t": output.append(contentsOf: "\\t")
      case "\n": output.append(contentsOf: "\\n")
      case "\r": output.append(contentsOf: "\\r")
      // Readers of the code must see its content.
      case _ where scalar.isObeyed: output.append(escaped(scalar))
      default: output.append(String(scalar))
      }
      previous = scalar
    }
    output.append(UInt8(ascii: "\""))
  }

  private func escaped(_ scalar: Unicode.Scalar) -> String {
    if self == .swift { return "\\u{\(String(scalar.value, radix: 16))}" }
    // C has no names for characters below U+00A0: their bytes have three octal digits each, so that a following digit
    // does not belong to them.
    if scalar.value < 0xA0 {
      return String(scalar).utf8.map { "\\" + String($0, radix: 8, width: 3) }.joined()
    }
    return scalar.value > 0xFFFF
      ? "\\U" + String(scalar.value, radix: 16, width: 8) : scalar.escapedForTerminal ?? ""
  }

  /// The class of Objective-C of a document's top value.
  static func objectiveCType(of kind: ContainerKind?, _ document: Document) -> String {
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
}
