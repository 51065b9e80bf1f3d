// Names and strings compared as JSON does, code point by code point: Swift's own equality of strings takes a
// composed letter for the decomposed one (RFC 8259 section 8.3).

import PropertyLists

/// A string that equals only what is spelt alike.
struct ExactText: Hashable, Comparable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  static func < (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension JSONTree {
  /// The value of the member that is spelt so; the last one if there are several.
  func member(_ name: String) -> JSONTree? {
    let name = ExactText(name)
    return members?.last { ExactText($0.0) == name }?.1
  }

  /// The strings of an array that holds nothing else; nil for anything else.
  var listOfStrings: [String]? {
    guard let list else { return nil }
    let strings = list.compactMap(\.string)
    return strings.count == list.count ? strings : nil
  }
}
