// NSAttributedString: `NSString`, and either one dictionary `NSAttributes`, or an array of dictionaries and
// `NSAttributeInfo`, pairs of LEB128 numbers: how many UTF-16 units, and which dictionary
// (swift-corelibs-foundation: NSAttributedString.swift).

import ObjectGraph
import TypedStreams

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
    object.derivedObject(spelling: ["NSString", "NSAttributes", "NSAttributeInfo"]) {
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
  static let storedForm = StoredForm.made(
    StoredFormMaker(shown: ["string", "runs"]) { value throws(FormRefusal) in
      var text = value.text
      if text == nil {
        var members = try value.members()
        text = try members.required(members.text("string"), "string")
        let runs = try members.elements("runs") ?? []
        try members.end()
        for node in runs {
          var run = try value.members(of: node)
          guard let attributes = run.take("attributes") else { continue }
          guard case .dictionary(let pairs) = value.graph.value(of: attributes), pairs.count == 0,
            runs.count == 1
          else { throw FormRefusal(reason: "its attributes have no form that is known") }
        }
      }
      guard let text else { throw FormRefusal(reason: nil) }
      let string = StoredField("NSString", .text(text))
      return text.byteCount == 0
        ? [string] : [string, StoredField("NSAttributes", .emptyDictionary)]
    })

  // MARK: Typedstreams

  static let streamLayouts: [String: StreamLayout] = [
    "NSAttributedString": .attributedString,
    "NSMutableAttributedString": .attributedString,
  ]
}
