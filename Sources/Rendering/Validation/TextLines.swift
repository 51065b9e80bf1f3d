// Finds the beginnings of lines and the ends of values in a text, for reports that show lines and bytes.

import Basics
import PropertyLists

/// The text of an input.
public struct TextLines {
  private let bytes: UnsafeRawBufferPointer
  private let format: any PropertyListFormat.Type
  private let starts: [Int]
  private let positions: TextPositions?

  /// Finds the lines of a text.
  ///
  /// - Parameter bytes: the text; it must outlive this value.
  public init(of bytes: UnsafeRawBufferPointer, format: any PropertyListFormat.Type) {
    self.bytes = bytes
    positions = TextPositions(of: bytes)
    self.format = format
    starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  /// The line that contains a byte, from 1.
  func line(at offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return max(low, 1)
  }

  /// The line and column of a byte; nil if the encoding is not UTF-8.
  func position(at offset: Int) -> TextPosition? { positions?.position(at: offset) }

  /// How many bytes the value at an offset occupies; nil if that is unknown.
  func byteCount(at offset: Int) -> Int? {
    SourceExtent.byteCount(at: offset, in: bytes, format)
  }
}
