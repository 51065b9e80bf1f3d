// Finds the beginnings of lines and the ends of values in a text, for reports that show lines and bytes.

import Basics
import PropertyLists

/// The text of an input.
package struct TextLines {
  private let bytes: UnsafeRawBufferPointer
  private let format: any PropertyListFormat.Type
  private let lines: LineStarts
  private let positions: TextPositions?

  /// Finds the lines of a text.
  ///
  /// - Parameter bytes: the text; it must outlive this value.
  package init(of bytes: UnsafeRawBufferPointer, format: any PropertyListFormat.Type) {
    self.bytes = bytes
    positions = TextPositions(of: bytes)
    self.format = format
    lines = positions?.lines ?? LineStarts(of: bytes)
  }

  /// The line that contains a byte, from 1.
  func line(at offset: Int) -> Int { lines.line(at: offset) }

  /// The line and column of a byte; nil if the encoding is not UTF-8.
  func position(at offset: Int) -> TextPosition? { positions?.position(at: offset) }

  /// How many bytes the value at an offset occupies; nil if that is unknown.
  func byteCount(at offset: Int) -> Int? {
    SourceExtent.byteCount(at: offset, in: bytes, format)
  }
}
