// Numbers as digits of a fixed width.

extension String {
  /// The digits of a number, with zeros before them up to a width.
  package init(
    _ number: some BinaryInteger, radix: Int = 10, width: Int, uppercase: Bool = false
  ) {
    let digits = String(number, radix: radix, uppercase: uppercase)
    self.init(repeating: "0", count: Swift.max(0, width - digits.utf8.count))
    append(digits)
  }
}

/// A byte as two hexadecimal digits in small letters.
public func hexadecimal(_ byte: UInt8) -> String {
  String(byte, radix: 16, width: 2)
}

extension UInt8 {
  /// The byte of two hexadecimal digits; nil for other characters.
  package init?(hexadecimal digits: some Collection<UInt8>) {
    guard digits.count == 2, digits.allSatisfy({ $0 != UInt8(ascii: "+") }) else { return nil }
    self.init(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}

extension Double {
  /// The number with some significant digits, as C's `%.*g` prints it.
  package func text(significantDigits count: Int) -> String {
    var buffer = [CChar](repeating: 0, count: 64)
    let length = withVaList([Int32(clamping: count), self]) { arguments in
      vsnprintf(&buffer, buffer.count, "%.*g", arguments)
    }
    let bytes = buffer.prefix(max(0, min(Int(length), buffer.count - 1)))
    return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
