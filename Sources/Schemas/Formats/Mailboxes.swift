// Mailboxes: RFC 5321 (section 4.1.2), and with characters beyond ASCII RFC 6531 (section 3.3).

/// The formats `email` and `idn-email`.
struct Mailboxes {
  /// Whether characters beyond ASCII are accepted.
  private let isInternationalized: Bool

  /// RFC 5321, 4.5.3.1.1.
  private static let localPartLimit = 64

  /// `Mailbox` of RFC 5321.
  static func isMailbox(_ text: String) -> Bool {
    Mailboxes(isInternationalized: false).accepts(text)
  }

  /// `Mailbox` of RFC 6531.
  static func isInternationalizedMailbox(_ text: String) -> Bool {
    Mailboxes(isInternationalized: true).accepts(text)
  }

  private func accepts(_ text: String) -> Bool {
    let bytes = Array(text.utf8)[...]
    let local =
      bytes.first == UInt8(ascii: "\"")
      ? quotedString(bytes) : bytes.prefix { $0 != UInt8(ascii: "@") }
    guard let local, local.count <= Self.localPartLimit, local.endIndex < bytes.endIndex,
      bytes[local.endIndex] == UInt8(ascii: "@"),
      local.first == UInt8(ascii: "\"") || isDotString(local)
    else { return false }
    let domain = bytes[(local.endIndex + 1)...]
    if domain.first == UInt8(ascii: "[") { return isAddressLiteral(domain) }
    let name = String(decoding: domain, as: UTF8.self)
    return isInternationalized
      ? HostNames.isInternationalizedDomain(name) : HostNames.isDomain(name)
  }

  // MARK: - Local part

  /// `Dot-string`.
  private func isDotString(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0.allSatisfy(isAtomCharacter)
    }
  }

  /// `atext` of RFC 5322, 3.2.3.
  private func isAtomCharacter(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
      || isInternationalized && byte >= 0x80
  }

  /// `Quoted-string` at the start, with its quotes; nil if it does not end.
  private func quotedString(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var index = bytes.startIndex + 1
    while index < bytes.endIndex {
      switch bytes[index] {
      case UInt8(ascii: "\""): return bytes[...index]
      case UInt8(ascii: "\\"):
        guard index + 1 < bytes.endIndex, (0x20...0x7E).contains(bytes[index + 1]) else {
          return nil
        }
        index += 2
      case 0x20...0x7E: index += 1
      case 0x80... where isInternationalized: index += 1
      default: return nil
      }
    }
    return nil
  }

  // MARK: - Address literal

  /// `address-literal`; no tag other than `IPv6` was ever registered (RFC 5321, 4.1.3).
  private func isAddressLiteral(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.last == UInt8(ascii: "]") else { return false }
    let literal = bytes.dropFirst().dropLast()
    let tag = Array("ipv6:".utf8)
    if literal.prefix(tag.count).map({ $0 | 0x20 }) == tag.map({ $0 | 0x20 }) {
      return IPAddresses.isVersion6(literal.dropFirst(tag.count))
    }
    return IPAddresses.isVersion4(literal)
  }
}
