// Paths as texts: a path is bytes to the system, and every path has exactly one text here.

/// The private characters that represent the bytes 0x80 to 0xFF of a path that are not valid UTF-8.
private let firstByteCharacter: UInt32 = 0x10FE80
private let byteCharacters: ClosedRange<UInt32> = 0x10FE80...0x10FEFF

extension String {
  /// The text of a path, from which `pathBytes` gives the same bytes again.
  ///
  /// An invalid byte becomes a private character. So does each byte of such a character itself, so that no two
  /// paths have one text.
  package init(pathBytes bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: \.isByteOfPath)
    {
      self = text
      return
    }
    self = ""
    var rest = bytes[...]
    while let first = rest.first {
      // A prefix of a character is invalid.
      let text = (1...4).lazy.compactMap { String(validating: rest.prefix($0), as: UTF8.self) }
        .first
      if let text, !text.unicodeScalars.contains(where: \.isByteOfPath) {
        unicodeScalars.append(contentsOf: text.unicodeScalars)
        rest = rest.dropFirst(text.utf8.count)
      } else {
        unicodeScalars.append(Unicode.Scalar(firstByteCharacter + UInt32(first) - 0x80) ?? "?")
        rest = rest.dropFirst()
      }
    }
  }

  /// The text of a path that the system gives, up to its zero byte.
  package init(path: UnsafePointer<CChar>) {
    // Most paths are plain text: a character that represents a byte begins with 0xF4.
    if let text = String(validatingCString: path), !text.utf8.contains(0xF4) {
      self = text
      return
    }
    var count = 0
    while path[count] != 0 { count += 1 }
    self.init(pathBytes: ByteView(start: path, count: count))
  }

  /// The bytes of the path that this is the text of.
  package var pathBytes: [UInt8] {
    // Most paths have no such character: its first byte is 0xF4.
    var bytes = Array(utf8)
    guard bytes.contains(0xF4) else { return bytes }
    bytes = []
    for scalar in unicodeScalars {
      if scalar.isByteOfPath {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value - firstByteCharacter + 0x80))
      } else {
        bytes += UTF8.encode(scalar) ?? UTF8.EncodedScalar()
      }
    }
    return bytes
  }

  /// The path as the system's functions take it.
  package var asPath: [CChar] { (pathBytes + [0]).map { CChar(bitPattern: $0) } }

  /// The path with its invalid bytes as `\xe9`: for people and reports, not for opening.
  package var shownPath: String {
    utf8.contains(0xF4) ? escaping(\.escapedByteOfPath) : self
  }

  /// Whether the path is one that no system can have: it has a zero byte.
  package var hasZeroByte: Bool { utf8.contains(0) }
}

extension Unicode.Scalar {
  /// Whether the character represents an invalid byte of a path.
  var isByteOfPath: Bool { byteCharacters.contains(value) }

  /// The byte as it is shown: `\xe9`.
  var escapedByteOfPath: String? {
    guard isByteOfPath else { return nil }
    return "\\x" + String(value - firstByteCharacter + 0x80, radix: 16)
  }
}
