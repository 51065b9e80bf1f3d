// Lines and columns of inputs that are text, for messages about them.

import Basics
import ObjectGraph

/// Finds positions in one text.
public struct TextPositions {
  private let bytes: UnsafeRawBufferPointer
  package let lines: LineStarts
  /// How many bytes a unit of the encoding has.
  private let width: Int
  private let isBigEndian: Bool

  /// Finds the lines of an input.
  ///
  /// - Parameter bytes: the input; it must outlive this value.
  /// - Returns: nil if it is not text, or compressed.
  public init?(of bytes: UnsafeRawBufferPointer) {
    guard Formats.propertyLists.detect(bytes).encoding?.isText == true else { return nil }
    (width, isBigEndian) = Self.units(of: bytes)
    self.bytes = bytes
    lines = LineStarts(of: bytes, width: width, isBigEndian: isBigEndian)
  }

  /// How many bytes a unit of the encoding has, and in which order: by the mark at the beginning, or by the zeros around
  /// the first character, which is in ASCII in all three formats.
  private static func units(of bytes: UnsafeRawBufferPointer) -> (width: Int, isBigEndian: Bool) {
    let first = Array(bytes.prefix(4))
    guard first.count > 1 else { return (1, false) }
    let zeros = first.map { $0 == 0 }
    if first.starts(with: [0xFF, 0xFE]) {
      return (zeros.count == 4 && zeros[2] && zeros[3] ? 4 : 2, false)
    }
    if first.starts(with: [0xFE, 0xFF]) { return (2, true) }
    if zeros[0] { return (zeros[1] ? 4 : 2, true) }
    guard zeros[1] else { return (1, false) }
    return (zeros.count == 4 && zeros[2] && zeros[3] ? 4 : 2, false)
  }

  /// The position of a byte; that of the end for a later one.
  public func position(at offset: Int) -> TextPosition {
    let offset = min(max(offset, 0), bytes.count)
    let line = lines.line(at: offset)
    let start = lines.start(of: line)
    return TextPosition(line: line, column: max(characters(in: start..<offset), 0) + 1)
  }

  /// How many characters begin in a part of a line; the mark at the beginning of the text is none.
  private func characters(in range: Range<Int>) -> Int {
    switch width {
    case 1:
      let mark = range.lowerBound == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 1 : 0
      // Continuation bytes of UTF-8 begin no character.
      return bytes[range].count { $0 & 0xC0 != 0x80 } - mark
    case 2:
      let high = isBigEndian ? 0 : 1
      let mark =
        range.lowerBound == 0
          && (bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])) ? 1 : 0
      // The second half of a surrogate pair begins none.
      return stride(from: range.lowerBound, to: range.upperBound, by: 2).count { unit in
        unit + high < bytes.count && bytes[unit + high] & 0xFC != 0xDC
      } - mark
    default:
      let mark =
        range.lowerBound == 0
          && (bytes.starts(with: [0, 0, 0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE, 0, 0]))
        ? 1 : 0
      return range.count / 4 - mark
    }
  }
}

extension ArchiveError {
  /// The same error with its line and column, if it has an offset in a text input.
  public func located(in bytes: UnsafeRawBufferPointer) -> ArchiveError {
    guard let offset, file == nil else { return self }
    return at(position: TextPositions(of: bytes)?.position(at: offset))
  }
}
