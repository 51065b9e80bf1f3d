// The value that the end of a truncated binary property list cuts.

import ObjectGraph

/// A string or data whose count goes beyond the end of the file.
struct CutValue {
  /// The part that is left.
  private enum Part {
    case text(String)
    case data(UnsafeRawBufferPointer)
  }

  private let part: Part
  private let found: Int
  private let count: Int
  private let unit: String

  /// The value that begins with a marker, if what follows it to the end can be its content.
  ///
  /// - Parameters:
  ///   - marker: the marker of the value.
  ///   - start: where its content begins.
  ///   - count: the count after the marker.
  ///   - isShortest: whether a writer would spell the count like this.
  init?(
    _ bytes: UnsafeRawBufferPointer, marker: UInt8, start: Int, count: Int, isShortest: Bool
  ) {
    guard start < bytes.count else { return nil }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
    self.count = count
    switch marker >> 4 {
    case Marker.ascii:
      guard rest.allSatisfy({ $0 < 0x80 }), let text = PartialText.utf8(rest) else { return nil }
      (part, found, unit) = (.text(text), rest.count, "characters")
    case Marker.utf8:
      guard let text = PartialText.utf8(rest) else { return nil }
      (part, found, unit) = (.text(text), text.utf8.count, "bytes")
    case Marker.utf16:
      guard let text = Self.utf16(rest) else { return nil }
      (part, found, unit) = (.text(text), text.utf16.count, "UTF-16 units")
    case Marker.data:
      // Anything can be data, so at least the count must be as writers write it.
      guard isShortest else { return nil }
      (part, found, unit) = (.data(rest), rest.count, "bytes")
    default: return nil
    }
    if found == 0 { return nil }
  }

  /// How much of the value is left.
  var summary: String { "\(found) of its \(count) \(unit) are left" }

  /// Adds the part to a graph: a string says how much is missing.
  func add(to builder: inout GraphBuilder) -> UInt32 {
    switch part {
    case .text(let text):
      builder.add(PartialText.marked(text, found, of: UInt64(count), unit))
    case .data(let bytes): builder.add(data: bytes)
    }
  }

  /// The beginning of a string in UTF-16, without half of a character; nil if it is no text.
  private static func utf16(_ bytes: UnsafeRawBufferPointer) -> String? {
    var units = (0..<bytes.count / 2).map { number in
      UInt16(bytes[number * 2]) << 8 | UInt16(bytes[number * 2 + 1])
    }
    if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    guard let text = String(validating: units, as: UTF16.self) else { return nil }
    return PartialText.isPlausible(text) ? text : nil
  }
}
