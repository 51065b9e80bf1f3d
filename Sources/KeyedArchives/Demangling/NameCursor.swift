// A position in the bytes of a mangled name, and the small pieces that both manglings read there.

/// Reads a mangled name from its beginning to its end, never past it.
struct NameCursor {
  /// The largest number that a name may hold: no honest name comes near it, and no sum overflows.
  private static let largestNumber = 1_000_000

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// Whether nothing is left.
  var isAtEnd: Bool { position == bytes.count }

  /// The next byte, left where it is; the scalar zero at the end.
  var peek: Unicode.Scalar { isAtEnd ? "\0" : Unicode.Scalar(bytes[position]) }

  /// Takes the next byte.
  mutating func next() throws(NotUnderstood) -> Unicode.Scalar {
    guard !isAtEnd else { throw NotUnderstood() }
    defer { position += 1 }
    return Unicode.Scalar(bytes[position])
  }

  /// Takes the next byte if it is the one given.
  mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    guard !isAtEnd, Unicode.Scalar(bytes[position]) == byte else { return false }
    position += 1
    return true
  }

  /// Reads a decimal number, nil without a digit.
  mutating func number() throws(NotUnderstood) -> Int? {
    var value: Int?
    while case let byte = peek, ("0"..."9").contains(byte) {
      let sum = (value ?? 0) * 10 + Int(byte.value) - 48
      guard sum <= Self.largestNumber else { throw NotUnderstood() }
      value = sum
      position += 1
    }
    return value
  }

  /// Takes an index: `_` is 0, `0_` is 1, `1_` is 2.
  mutating func index() throws(NotUnderstood) -> Int {
    let number = try number()
    guard skip("_") else { throw NotUnderstood() }
    return number.map { $0 + 1 } ?? 0
  }

  /// Takes so many bytes as text.
  ///
  /// The name was a string, so its bytes are whole characters save where the count cuts one.
  mutating func text(count: Int) throws(NotUnderstood) -> String {
    guard count > 0, count <= bytes.count - position else { throw NotUnderstood() }
    let end = position + count
    guard !isInsideCharacter(position), !isInsideCharacter(end) else { throw NotUnderstood() }
    defer { position = end }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  private func isInsideCharacter(_ offset: Int) -> Bool {
    offset < bytes.count && bytes[offset] & 0xC0 == 0x80
  }
}
