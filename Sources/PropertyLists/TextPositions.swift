// Lines and columns of inputs that are text, for messages about them.

import Basics
import ObjectGraph

/// Finds positions in one text.
public struct TextPositions {
  private let bytes: UnsafeRawBufferPointer
  package let lines: LineStarts

  /// Finds the lines of an input.
  ///
  /// - Parameter bytes: the input; it must outlive this value.
  /// - Returns: nil if it is not ASCII-compatible text: binary, compressed, UTF-16.
  public init?(of bytes: UnsafeRawBufferPointer) {
    guard Formats.propertyLists.detect(bytes).encoding?.isText == true else { return nil }
    // A zero byte among the first: UTF-16 or UTF-32.
    guard !bytes.prefix(4).contains(0), !bytes.starts(with: [0xFE, 0xFF]),
      !bytes.starts(with: [0xFF, 0xFE])
    else { return nil }
    self.bytes = bytes
    lines = LineStarts(of: bytes)
  }

  /// The position of a byte; that of the end for a later one.
  public func position(at offset: Int) -> TextPosition {
    let offset = min(max(offset, 0), bytes.count)
    let line = lines.line(at: offset)
    // Continuation bytes of UTF-8 begin no character.
    let column = bytes[lines.start(of: line)..<offset].count { $0 & 0xC0 != 0x80 } + 1
    return TextPosition(line: line, column: column)
  }
}

extension ArchiveError {
  /// The same error with its line and column, if it has an offset in a text input.
  public func located(in bytes: UnsafeRawBufferPointer) -> ArchiveError {
    guard let offset, file == nil else { return self }
    return at(position: TextPositions(of: bytes)?.position(at: offset))
  }
}
