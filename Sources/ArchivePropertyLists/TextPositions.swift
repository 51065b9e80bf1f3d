// Lines and columns of inputs that are text, for messages about them.

import ArchiveBasics
import ArchiveGraph

/// Finds positions in one text.
package struct TextPositions {
  private let bytes: ByteView
  package let lines: LineStarts
  private let encoding: TextEncoding
  private let hasMark: Bool

  /// Finds the lines of an input.
  ///
  /// - Parameter bytes: the input; it must outlive this value.
  /// - Returns: nil if it is not text, or compressed.
  package init?(of bytes: ByteView) {
    guard Formats.propertyLists.detect(bytes).encoding?.isText == true else { return nil }
    let (encoding, mark) = TextEncoding.detect(bytes)
    (self.bytes, self.encoding, hasMark) = (bytes, encoding, mark > 0)
    lines = LineStarts(of: bytes, width: encoding.width, isBigEndian: encoding.isBigEndian)
  }

  /// The position of a byte; that of the end for a later one.
  package func position(at offset: Int) -> TextPosition {
    let offset = min(max(offset, 0), bytes.count)
    let line = lines.line(at: offset)
    let start = lines.start(of: line)
    return TextPosition(line: line, column: max(characters(in: start..<offset), 0) + 1)
  }

  /// How many characters begin in a part of a line; the mark at the beginning of the text is none.
  private func characters(in range: Range<Int>) -> Int {
    let mark = range.lowerBound == 0 && hasMark ? 1 : 0
    switch encoding.width {
    // Continuation bytes of UTF-8 begin no character.
    case 1: return bytes[range].count { $0 & 0xC0 != 0x80 } - mark
    case 2:
      let high = encoding.isBigEndian ? 0 : 1
      // The second half of a surrogate pair begins none.
      return stride(from: range.lowerBound, to: range.upperBound, by: 2).count { unit in
        unit + high < bytes.count && bytes[unit + high] & 0xFC != 0xDC
      } - mark
    default: return range.count / 4 - mark
    }
  }
}

extension ArchiveError {
  /// The same error with its line and column, if it has an offset in a text input.
  package func located(in bytes: ByteView) -> ArchiveError {
    guard let offset, file == nil else { return self }
    return at(position: TextPositions(of: bytes)?.position(at: offset))
  }
}

// MARK: - How far a value reaches in the text that it was read from

/// Measures values in texts.
package enum SourceExtent {
  /// How many bytes are looked at for one value: a report of many values in one another must not take their product.
  private static let mostBytes = 1 << 16

  /// How many bytes a value takes that begins at an offset.
  ///
  /// - Parameter format: the format of the text.
  /// - Returns: nil for binary formats, texts that are not in UTF-8 or a compatible encoding, and values that are very
  ///   long or do not end.
  package static func byteCount(
    at offset: Int, in bytes: ByteView, _ format: any PropertyListFormat.Type
  ) -> Int? {
    guard offset >= 0, offset < bytes.count, !bytes.prefix(4).contains(0), bytes[0] < 0xFE else {
      return nil
    }
    let end = min(bytes.count, offset + mostBytes)
    let value = bytes.part(offset..<end)
    return format.extent(of: value)
  }

  /// A string, a container with all that is in it, or a word.
  static func bracketed(_ bytes: ByteView, open: String, close: String, end: String) -> Int? {
    var depth = 0
    var quote: UInt8?
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if let mark = quote {
        if byte == UInt8(ascii: "\\") { position += 1 } else if byte == mark { quote = nil }
        if quote == nil, depth == 0 { return position }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if open.utf8.contains(byte) {
        depth += 1
      } else if depth > 0 {
        if close.utf8.contains(byte) { depth -= 1 }
        if depth == 0 { return position }
      } else if byte <= 0x20 || end.utf8.contains(byte) {
        return position - 1
      }
    }
    return depth == 0 && quote == nil ? position : nil
  }

  /// An element, from its opening tag to its closing one.
  static func element(_ bytes: ByteView) -> Int? {
    guard bytes.first == UInt8(ascii: "<") else { return nil }
    let name = bytes.dropFirst().prefix {
      $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
    }
    guard !name.isEmpty else { return nil }
    var depth = 0
    var position = 0
    while let tag = bytes[position...].firstIndex(of: UInt8(ascii: "<")),
      let end = bytes[tag...].firstIndex(of: UInt8(ascii: ">"))
    {
      let isClosing = bytes[tag + 1] == UInt8(ascii: "/")
      let rest = bytes[(tag + (isClosing ? 2 : 1))...]
      let after = rest.dropFirst(name.count).first ?? 0
      if rest.starts(with: name), after <= 0x20 || after == 0x3E || after == 0x2F {
        if isClosing { depth -= 1 } else if bytes[end - 1] != UInt8(ascii: "/") { depth += 1 }
      }
      position = end + 1
      if depth == 0 { return position }
    }
    return nil
  }
}

// MARK: - Where the lines of a text begin

/// The offsets of the lines of a text.
package struct LineStarts: Sendable {
  private let starts: [Int]

  /// Finds the lines.
  ///
  /// - Parameters:
  ///   - width: how many bytes a unit of the encoding has: 1, 2 in UTF-16, or 4.
  ///   - isBigEndian: the order of the bytes of a unit.
  package init(of bytes: ByteView, width: Int = 1, isBigEndian: Bool = false) {
    guard width > 1 else {
      starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
      return
    }
    var starts = [0]
    for unit in stride(from: 0, to: bytes.count - width + 1, by: width) {
      let last = isBigEndian ? unit + width - 1 : unit
      guard bytes[last] == UInt8(ascii: "\n"),
        (unit..<unit + width).allSatisfy({ $0 == last || bytes[$0] == 0 })
      else { continue }
      starts.append(unit + width)
    }
    self.starts = starts
  }

  /// The line that contains a byte, from 1; the last one for a later byte.
  package func line(at offset: Int) -> Int {
    max(starts.indices.firstNumber { starts[$0] > offset }, 1)
  }

  /// The offset at which a line begins.
  func start(of line: Int) -> Int { starts[line - 1] }
}
