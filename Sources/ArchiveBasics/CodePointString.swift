// Names and strings compared as JSON does, code point by code point: Swift's own equality of strings takes a
// composed letter for the decomposed one (RFC 8259 section 8.3).

/// A string that equals only strings with the same code points.
package struct CodePointString: Hashable, Comparable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: CodePointString, right: CodePointString) -> Bool {
    let isSame = left.text.utf8.withContiguousStorageIfAvailable {
      right.text.isUTF8(ByteView($0))
    }
    return isSame ?? left.text.utf8.elementsEqual(right.text.utf8)
  }

  package static func < (left: CodePointString, right: CodePointString) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    // Equal scalars are equal strings, so that Swift's own hash serves.
    hasher.combine(text)
  }
}

extension String {
  /// Whether bytes are its UTF-8.
  package func isUTF8(_ bytes: ByteView) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { haveSameBytes(ByteView($0), bytes) }
    return isSame ?? utf8.elementsEqual(bytes)
  }

  /// Whether it has the same code points as another string.
  package func hasSameScalars(as other: String) -> Bool {
    CodePointString(self) == CodePointString(other)
  }
}

extension [String] {
  /// Whether all strings have the same code points as those of another list.
  package func haveSameScalars(as other: [String]) -> Bool {
    elementsEqual(other) { $0.hasSameScalars(as: $1) }
  }
}
