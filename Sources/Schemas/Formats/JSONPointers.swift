// JSON Pointers (RFC 6901, section 3) and relative ones.

/// The formats `json-pointer` and `relative-json-pointer`.
enum JSONPointers {
  /// Nothing, or tokens that each follow a slash; `~` only as `~0` and `~1`.
  static func isPointer(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first else { return true }
    guard first == UInt8(ascii: "/") else { return false }
    var afterTilde = false
    for byte in bytes {
      if afterTilde, byte != UInt8(ascii: "0"), byte != UInt8(ascii: "1") { return false }
      afterTilde = byte == UInt8(ascii: "~")
    }
    return !afterTilde
  }

  /// A number without leading zeros, then `#` or a pointer (draft-handrews-relative-json-pointer-01, section 3).
  ///
  /// A later draft adds `+1` and `-1` behind the number; the tests for 2020-12 do not know it.
  static func isRelativePointer(_ text: String) -> Bool {
    let bytes = Array(text.utf8)[...]
    let digits = bytes.prefix(while: \.isDigit)
    guard let first = digits.first, digits.count == 1 || first != UInt8(ascii: "0") else {
      return false
    }
    let rest = bytes[digits.endIndex...]
    return rest.elementsEqual([UInt8(ascii: "#")]) || isPointer(rest)
  }
}
