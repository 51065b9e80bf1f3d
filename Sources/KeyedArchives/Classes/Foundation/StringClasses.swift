// Strings, attributed strings and sets of characters.

import ArchiveBasics
import ArchiveGraph

// MARK: - NSString as an object of its own

/// NSString and NSMutableString.
package enum NSStringClass: FrameworkClass {
  package static let classNames = ["NSString", "NSMutableString"]
  package static let shown = "the string"
  package static let storedForm = StoredForm.value
  package static let isLeaf = true

  package static func value(of object: ArchivedObject) -> Value? {
    if let node = object.field(.string) {
      // The text "$null" is that string here, because it is not a reference to nil.
      guard case .string(let text) = object.graph.storedValue(of: node) else { return nil }
      return .string(text)
    }
    guard let node = object.field(.bytes), case .data(let bytes)? = object.flat(node),
      let base = bytes.baseAddress
    else { return nil }
    guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
    return .string(Text(base: base, byteCount: bytes.count, form: .utf8))
  }
}

// MARK: - NSAttributedString

/// NSAttributedString and its subclasses, text storages among them.
enum NSAttributedStringClass: FrameworkClass {
  static let classNames = [
    "NSAttributedString", "NSMutableAttributedString", "NSConcreteAttributedString",
    "NSConcreteMutableAttributedString", "NSTextStorage", "NSConcreteTextStorage",
  ]
  static let shown = "the string and its runs, each with its range, text and attributes"

  /// A run of characters with the same attributes.
  private struct Run {
    let location: Int
    let length: Int
    let attributes: Node?
  }

  static func value(of object: ArchivedObject) -> Value? {
    object.derivedObject(of: ["NSString", "NSAttributes", "NSAttributeInfo"]) {
      guard let string = object.string("NSString") else { return nil }
      let units = Array(string.utf16)
      guard let runs = runs(of: object, length: units.count) else { return nil }
      let forms = runs.map { run -> SyntheticValue in
        let text = String(decoding: units[run.location..<run.location + run.length], as: UTF16.self)
        return .members([
          ("location", .integer(Int64(run.location))), ("length", .integer(Int64(run.length))),
          ("text", .string(text)), ("attributes", run.attributes.map { .node($0) } ?? .members([])),
        ])
      }
      return [("string", .string(string)), ("runs", .list(forms))]
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    guard let string = object.string("NSString") else { return nil }
    guard let runs = runs(of: object, length: string.utf16.count) else {
      return SummaryText.quoted(string)
    }
    return "\(SummaryText.quoted(string)) \(SummaryText.count(runs.count, "run"))"
  }

  /// The runs, nil if they do not cover a string of that length.
  private static func runs(of object: ArchivedObject, length: Int) -> [Run]? {
    guard object.has("NSAttributeInfo") else {
      guard object.has("NSAttributes") else {
        return length == 0 ? [] : [Run(location: 0, length: length, attributes: nil)]
      }
      guard let node = object.field("NSAttributes"), object.pairs("NSAttributes") != nil else {
        return nil
      }
      return [Run(location: 0, length: length, attributes: node)]
    }
    guard let bytes = object.bytes("NSAttributeInfo"),
      let dictionaries = object.elements("NSAttributes"), let numbers = LEB128.all(of: bytes),
      numbers.count % 2 == 0
    else { return nil }
    var runs: [Run] = []
    var location = 0
    for position in stride(from: 0, to: numbers.count, by: 2) {
      guard numbers[position] <= Int64(length - location),
        let which = Int(exactly: numbers[position + 1]), which < dictionaries.count
      else { return nil }
      let count = Int(numbers[position])
      runs.append(Run(location: location, length: count, attributes: dictionaries[which]))
      location += count
    }
    return location == length ? runs : nil
  }

  // MARK: Stored form

  /// The text without attributes; a string that is not empty has a dictionary of them all the same.
  static let storedForm = StoredForm.made(shown: ["string", "runs"]) { value throws(FormRefusal) in
    var text = value.text
    if text == nil {
      var members = try value.members()
      text = try members.required(members.text("string"), "string")
      let runs = try members.elements("runs") ?? []
      try members.end()
      for node in runs {
        var run = try value.members(of: node)
        guard let attributes = run.remove("attributes") else { continue }
        guard case .dictionary(let pairs) = value.graph.value(of: attributes), pairs.count == 0,
          runs.count == 1
        else { throw FormRefusal(reason: "its attributes have no form that is known") }
      }
    }
    guard let text else { throw FormRefusal(reason: nil) }
    let string = StoredField("NSString", .text(text))
    return text.byteCount == 0
      ? [string] : [string, StoredField("NSAttributes", .emptyDictionary)]
  }
}

// MARK: - NSCharacterSet

enum NSCharacterSetClass: SimpleClass {
  static let classNames = [
    "NSCharacterSet", "NSMutableCharacterSet", "_NSCFCharacterSet", "__NSCFCharacterSet",
  ]
  static let shown = "its ranges of characters, before its fields"

  private static let planeBytes = 8192

  /// The numbers of CFCharacterSetPredefinedSet.
  private static let builtIn: [Int64: String] = [
    1: "control", 2: "whitespace", 3: "whitespace and newline", 4: "decimal digit", 5: "letter",
    6: "lowercase letter", 7: "uppercase letter", 8: "non-base", 9: "decomposable",
    10: "alphanumeric", 11: "punctuation", 12: "illegal", 13: "capitalized letter", 14: "symbol",
    15: "newline",
  ]

  static func summary(of object: ArchivedObject) -> String? {
    guard let text = content(of: object) else { return nil }
    let isInverted = object.flag("NSIsInverted") ?? object.flag("NSIsInverted2") ?? false
    return isInverted ? "all but \(text)" : text
  }

  private static func content(of object: ArchivedObject) -> String? {
    if let number = object.integer("NSBuiltinID") ?? object.integer("NSBuiltinID2") {
      return builtIn[number].map { "\($0) characters" }
    }
    if let string = object.string("NSString") ?? object.string("NSStringObject") {
      return SummaryText.quoted(string)
    }
    if let packed = object.integer("NSRange") ?? object.integer("NSRange2") {
      return range(packed).map { RangeText.list([$0], text: character) }
    }
    guard let bytes = object.bytes("NSBitmap") ?? object.bytes("NSBitmapObject") else { return nil }
    return ranges(of: bytes).map { RangeText.list($0, text: character) }
  }

  /// A range whose first character stands above 32 bits of length, nil if it leaves Unicode.
  private static func range(_ packed: Int64) -> Range<Int64>? {
    let first = packed >> 32
    let length = packed & 0xFFFF_FFFF
    guard first >= 0, length > 0, first + length <= 0x11_0000 else { return nil }
    return first..<first + length
  }

  /// The ranges of a bitmap, or as many as are shown; nil if its length is none of a bitmap.
  private static func ranges(of bytes: ByteView) -> [Range<Int64>]? {
    guard bytes.count >= planeBytes, (bytes.count - planeBytes) % (planeBytes + 1) == 0,
      bytes.count <= planeBytes + 16 * (planeBytes + 1)
    else { return nil }
    var ranges: [Range<Int64>] = []
    addPlane(0, bytes[..<planeBytes], to: &ranges)
    // Each plane's number is looked at even where there are ranges enough.
    for start in stride(from: planeBytes, to: bytes.count, by: planeBytes + 1) {
      guard (1...16).contains(bytes[start]) else { return nil }
      addPlane(Int64(bytes[start]), bytes[(start + 1)..<(start + 1 + planeBytes)], to: &ranges)
    }
    return ranges
  }

  private static func addPlane(
    _ plane: Int64, _ bytes: Slice<ByteView>, to ranges: inout [Range<Int64>]
  ) {
    for (position, byte) in bytes.enumerated() where byte != 0 {
      // The last range may still grow, so that one more than is shown has to begin.
      guard ranges.count <= RangeText.most + 1 else { return }
      for bit in 0..<8 where byte & (1 << UInt8(bit)) != 0 {
        let character = plane << 16 + Int64(position * 8 + bit)
        if let last = ranges.last, last.upperBound == character {
          ranges[ranges.count - 1] = last.lowerBound..<character + 1
        } else {
          ranges.append(character..<character + 1)
        }
      }
    }
  }

  private static func character(_ number: Int64) -> String {
    if (0x21..<0x7F).contains(number), let scalar = Unicode.Scalar(UInt32(number)) {
      return String(scalar)
    }
    return "U+" + String(number, radix: 16, width: 4, uppercase: true)
  }
}
