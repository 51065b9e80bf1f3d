// NSString as an object of its own: mutable strings always, immutable ones from some archivers.
// `NS.string` leads to the characters, `NS.bytes` is UTF-8 (swift-corelibs-foundation: NSString.swift).

import ObjectGraph
import TypedStreams

/// NSString and NSMutableString.
enum NSStringClass: FrameworkClass {
  static let classNames = ["NSString", "NSMutableString"]
  static let shown = "the string"
  static let storedForm = StoredForm.value
  static let isLeaf = true

  static func value(of object: ArchivedObject) -> Value? {
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

  // MARK: Fields

  static let fieldRules = [
    FieldRule(.string, FieldRule.texts, "a string")
  ]

  // MARK: Typedstreams

  static let streamLayouts: [String: StreamLayout] = [
    "NSString": .string, "NSMutableString": .mutableString,
  ]
}
