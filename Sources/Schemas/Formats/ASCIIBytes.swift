// The classes of ASCII characters that grammars of the Internet are made of (RFC 5234, appendix B.1).

extension UInt8 {
  /// DIGIT.
  var isDigit: Bool { (0x30...0x39).contains(self) }

  /// ALPHA.
  var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

  /// HEXDIG, in either case.
  var isHexadecimalDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }
}

extension ArraySlice<UInt8> {
  /// What is before and behind the first byte that is a mark; nil if there is none.
  func cut(at mark: Unicode.Scalar) -> (before: ArraySlice<UInt8>, behind: ArraySlice<UInt8>)? {
    guard let place = firstIndex(of: UInt8(ascii: mark)) else { return nil }
    return (self[..<place], self[(place + 1)...])
  }

  /// Whether a `%` stands only before two hexadecimal digits (RFC 3986, 2.1), and all else passes a test.
  func isPercentEncoded(elsewhere isAllowed: (UInt8) -> Bool) -> Bool {
    var index = startIndex
    while index < endIndex {
      if self[index] == UInt8(ascii: "%") {
        guard index + 2 < endIndex, self[index + 1].isHexadecimalDigit,
          self[index + 2].isHexadecimalDigit
        else { return false }
        index += 3
      } else {
        guard isAllowed(self[index]) else { return false }
        index += 1
      }
    }
    return true
  }
}
