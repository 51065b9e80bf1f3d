// JSON Pointers (RFC 6901, section 3) and relative ones.

import PropertyLists

/// The formats `json-pointer` and `relative-json-pointer`.
enum JSONPointers {
  /// Nothing, or tokens that each follow a slash; `~` only as `~0` and `~1`.
  static func isPointer(_ text: some StringProtocol) -> Bool {
    JSONPointer.tokens(of: String(text)) != nil
  }

  /// A number without leading zeros, then `#` or a pointer.
  ///
  /// That is draft-handrews-relative-json-pointer-01, section 3. A later draft adds `+1` and `-1` behind the
  /// number; the tests for 2020-12 do not know it.
  static func isRelativePointer(_ text: String) -> Bool {
    let digits = text.utf8.prefix(while: \.isDigit)
    guard let first = digits.first, digits.count == 1 || first != UInt8(ascii: "0") else {
      return false
    }
    let rest = text[digits.endIndex...]
    return rest.utf8.elementsEqual("#".utf8) || isPointer(rest)
  }
}
