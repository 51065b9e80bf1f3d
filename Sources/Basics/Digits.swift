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
