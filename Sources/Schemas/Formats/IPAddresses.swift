// Text forms of addresses of the Internet Protocol.

/// The formats `ipv4` and `ipv6`.
enum IPAddresses {
  /// Four numbers without leading zeros: RFC 2673 section 3.2, with `IPv4address` of RFC 3986 (3.2.2).
  static func isVersion4(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count <= 15 else { return false }
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy(isOctet)
  }

  private static func isOctet(_ digits: ArraySlice<UInt8>) -> Bool {
    guard (1...3).contains(digits.count), digits.allSatisfy(\.isDigit) else { return false }
    if digits.count > 1, digits.first == UInt8(ascii: "0") { return false }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 255
  }

  /// RFC 4291, 2.2: groups, one gap at most, an IPv4 address at the end; no zone.
  static func isVersion6(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count <= 45 else { return false }
    var rest = bytes
    var groups = 0
    var hasGap = false
    if rest.starts(with: [0x3A, 0x3A]) {
      hasGap = true
      rest = rest.dropFirst(2)
    }
    while !rest.isEmpty {
      let group = rest.prefix { $0 != UInt8(ascii: ":") }
      if group.contains(UInt8(ascii: ".")) {
        guard group.endIndex == rest.endIndex, isVersion4(group) else { return false }
        groups += 2
        break
      }
      guard (1...4).contains(group.count), group.allSatisfy(\.isHexadecimalDigit) else {
        return false
      }
      groups += 1
      rest = rest[group.endIndex...]
      guard !rest.isEmpty else { break }
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: ":") {
        guard !hasGap else { return false }
        hasGap = true
        rest = rest.dropFirst()
      } else if rest.isEmpty {
        return false
      }
    }
    return hasGap ? groups <= 7 : groups == 8
  }
}
