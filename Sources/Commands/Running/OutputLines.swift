// Lines of output.

import Basics

extension OutputBuffer {
  /// Appends a text and the end of its line; control characters of a terminal are escaped.
  mutating func append(escapedLine text: String) { bytes.append(text.escapedLine + "\n") }
}

extension ByteBuffer {
  /// Appends bytes and the end of their line.
  mutating func append(line bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
    append(UInt8(ascii: "\n"))
  }
}
