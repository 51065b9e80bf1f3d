// Eight bytes of XML text looked at together.

extension UInt64 {
  /// A high bit in the lowest byte that is `<`, `>`, `&`, below 0x20 or above 0x7F; zero if none is.
  ///
  /// Bytes above the lowest may have one by the borrow of a subtraction.
  @inline(__always)
  var bytesSpecialToXML: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // `<` and `>` differ in one bit.
    let angles = (self | ones &* 0x02) ^ (ones &* 0x3E)
    let ampersands = self ^ (ones &* 0x26)
    let zeros = ((angles &- ones) & ~angles) | ((ampersands &- ones) & ~ampersands)
    return (zeros | ((self &- ones &* 0x20) & ~self) | self) & (ones &* 0x80)
  }
}
