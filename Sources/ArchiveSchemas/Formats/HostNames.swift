// Names of hosts: RFC 1123 (section 2.1), and internationalized ones by IDNA2008 (RFC 5890 to 5893).

import ArchiveBasics
import ArchivePatterns
internal import CIDN2

/// The formats `hostname` and `idn-hostname`.
enum HostNames {
  /// The longest name: 255 octets on the wire (RFC 1035, 2.3.4) are 253 characters.
  ///
  /// Each label, and the root, has a length octet before it.
  private static let lengthLimit = 253
  private static let labelLimit = 63

  /// Whether all labels are letters, digits and hyphens (RFC 5321, 4.1.2, requires nothing else).
  ///
  /// - Parameter hasValidALabels: whether encoded labels must be valid as well.
  static func isHostName(_ text: String, hasValidALabels: Bool) -> Bool {
    guard text.utf8.count <= lengthLimit else { return false }
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.allSatisfy { label in
      let label = String(Substring(label))
      return plainLabel.accepts(label)
        && (!hasValidALabels || !isEncoded(label) || unicodeLabel(label) != nil)
    }
  }

  /// The characters that separate labels: the full stop, and three more (RFC 3490, 3.1).
  static let stops: [Unicode.Scalar] = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]

  /// Whether all labels are host name labels or U-labels.
  ///
  /// - Parameters:
  ///   - stops: the characters that separate labels.
  ///   - normalizes: whether the labels need not be in NFC.
  static func isInternationalized(
    _ text: String, stops: [Unicode.Scalar] = HostNames.stops, normalizes: Bool = false
  ) -> Bool {
    // An A-label has at least as many characters as its label has scalars, and a scalar has at most four bytes.
    guard text.utf8.count <= lengthLimit * 4 else { return false }
    var length = -1
    var unicodeLabels: [String] = []
    let labels = text.unicodeScalars.split(omittingEmptySubsequences: false) { stops.contains($0) }
    for label in labels {
      let label = String(label)
      guard let (ascii, unicode) = forms(of: label, normalizes: normalizes) else { return false }
      length += ascii.utf8.count + 1
      unicodeLabels.append(unicode)
    }
    return length <= lengthLimit && BidirectionalRule.holds(for: unicodeLabels)
  }

  /// A label in its lookup form and in its display form; nil if it is not a label.
  private static func forms(
    of label: String, normalizes: Bool
  ) -> (ascii: String, unicode: String)? {
    guard label.utf8.allSatisfy({ $0 < 0x80 }) else {
      guard let ascii = IDN2.loaded?.asciiLabel(of: label, normalizes: normalizes),
        ascii.utf8.count <= labelLimit
      else { return nil }
      return (ascii, label)
    }
    guard plainLabel.accepts(label) else { return nil }
    guard isEncoded(label) else { return (label, label) }
    return unicodeLabel(label).map { (label, $0) }
  }

  /// RFC 1123 allows a label to begin with a digit (2.1); hyphens are neither first nor last (RFC 952).
  private static let plainLabel = TextGrammar("[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?")

  /// Whether the label has the prefix of A-labels.
  private static func isEncoded(_ label: String) -> Bool {
    label.utf8.prefix(4).map { $0 | 0x20 } == Array("xn--".utf8)
  }

  private static func unicodeLabel(_ label: String) -> String? {
    IDN2.loaded?.unicodeLabel(of: label.lowercased())
  }
}

// MARK: - The Bidi rule for domain names (RFC 5893, section 2): how labels mix directions of writing

/// The rule that applies to all labels as soon as one is written from right to left.
private enum BidirectionalRule {
  /// Whether the rule holds, or does not apply because nothing is written from right to left.
  fileprivate static func holds(for labels: [String]) -> Bool {
    // Hebrew is the first right-to-left script.
    guard labels.contains(where: { $0.unicodeScalars.contains { $0.value >= 0x590 } }) else {
      return true
    }
    do throws(PatternFault) {
      let rightToLeft = try ECMAPattern(translated: rightToLeft)
      var isBidirectional = false
      for label in labels where try rightToLeft.matches(label) { isBidirectional = true }
      guard isBidirectional else { return true }
      let rule = try ECMAPattern(translated: "\(leftLabel)|\(rightLabel)")
      for label in labels {
        guard try rule.matches(label) else { return false }
      }
      return true
    } catch {
      // Without PCRE2, rely on libidn2's check of each label.
      return error.code == .libraryMissing
    }
  }

  /// The directions that make a label right-to-left.
  private static let rightToLeft = characters("R", "AL", "AN")

  /// Rules 5 and 6.
  private static let leftLabel =
    "\\A(?=" + characters("L") + ")"
    + characters("L", "EN", "ES", "CS", "ET", "ON", "BN", "NSM") + "*" + characters("L", "EN")
    + characters("NSM") + "*\\z"

  /// Rules 2 to 4.
  private static let rightLabel =
    "\\A(?=" + characters("R", "AL") + ")(?!.*\\p{bidiclass:EN}.*\\p{bidiclass:AN})"
    + "(?!.*\\p{bidiclass:AN}.*\\p{bidiclass:EN})"
    + characters("R", "AL", "AN", "EN", "ES", "CS", "ET", "ON", "BN", "NSM") + "*"
    + characters("R", "AL", "EN", "AN") + characters("NSM") + "*\\z"

  /// A class of all characters with some directions.
  private static func characters(_ directions: String...) -> String {
    "[" + directions.map { "\\p{bidiclass:\($0)}" }.joined() + "]"
  }
}

// MARK: - libidn2, loaded when the first internationalized name is checked

typealias IDN2 = archtool_idn2

extension IDN2 {
  /// The library; nil if it is not installed.
  static let loaded: IDN2? =
    SharedLibrary(linux: fileName, darwin: fileName)?.functions(archtool_idn2_names())

  #if canImport(Darwin)
    static let fileName = "libidn2.0.dylib"
  #else
    static let fileName = "libidn2.so.0"
  #endif

  /// The A-label of a label that is not ASCII; nil if IDNA2008 has no such label.
  ///
  /// Registration (RFC 5891, section 4) is strict: it checks NFC, hyphens, a leading mark, the categories of all code
  /// points, their contextual rules (RFC 5892, appendix A), and the Bidi rule in the label.
  ///
  /// - Parameter normalizes: whether the label is converted to NFC first.
  func asciiLabel(of label: String, normalizes: Bool) -> String? {
    // The library would treat a zero byte as the end of the label.
    guard !label.utf8.contains(0) else { return nil }
    let flags = normalizes ? Int32(IDN2_NFC_INPUT.rawValue) : 0
    var output: UnsafeMutablePointer<UInt8>?
    let result = withUTF8(of: label) { registerLabel($0, nil, &output, flags) }
    defer { free(output) }
    guard result == IDN2_OK.rawValue, let output else { return nil }
    return String(cString: output)
  }

  /// The U-label of an A-label in lower case; nil if it is not an A-label (RFC 5890, 2.3.2.1).
  func unicodeLabel(of label: String) -> String? {
    var registered: UnsafeMutablePointer<UInt8>?
    let result = withUTF8(of: label) { registerLabel(nil, $0, &registered, 0) }
    free(registered)
    guard result == IDN2_OK.rawValue else { return nil }
    var decoded: UnsafeMutablePointer<CChar>?
    let status = label.withCString { decodeLabel($0, &decoded, 0) }
    defer { free(decoded) }
    guard status == IDN2_OK.rawValue, let decoded else { return nil }
    return String(cString: decoded)
  }

  private func withUTF8(of text: String, _ body: (UnsafePointer<UInt8>?) -> Int32) -> Int32 {
    text.withCString { start in
      start.withMemoryRebound(to: UInt8.self, capacity: text.utf8.count + 1) { body($0) }
    }
  }
}

// MARK: - Text forms of addresses of the Internet Protocol

/// The formats `ipv4` and `ipv6`, which the system reads as they are defined.
enum IPAddresses {
  /// Four numbers without leading zeros: RFC 2673 section 3.2, with `IPv4address` of RFC 3986 (3.2.2).
  static func isVersion4(_ text: String) -> Bool { isAddress(text, AF_INET) }

  /// RFC 4291, 2.2: groups, one gap at most, an IPv4 address at the end; no zone.
  static func isVersion6(_ text: String) -> Bool { isAddress(text, AF_INET6) }

  private static func isAddress(_ text: String, _ family: Int32) -> Bool {
    var address = in6_addr()
    return text.utf8.count <= 45 && !text.utf8.contains(0) && !text.utf8.contains(UInt8(ascii: "%"))
      && inet_pton(family, text, &address) == 1
  }
}

// MARK: - Mailboxes: RFC 5321 (section 4.1.2), and with characters beyond ASCII RFC 6531 (section 3.3)

/// The formats `email` and `idn-email`.
struct Mailboxes {
  static let ascii = Mailboxes(isInternationalized: false)
  static let internationalized = Mailboxes(isInternationalized: true)

  private let isInternationalized: Bool
  /// `Local-part`: atoms (RFC 5322, 3.2.3) with dots between them, or a quoted string.
  private let localPart: TextGrammar

  /// RFC 5321, 4.5.3.1.1.
  private static let localPartLimit = 64

  private init(isInternationalized: Bool) {
    self.isInternationalized = isInternationalized
    let beyond = isInternationalized ? "\u{1}\u{2}\u{3}" : ""
    let atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\(beyond)-]+"
    localPart = TextGrammar(
      #"\#(atom)(\.\#(atom))*|"([] !#-[^-~\#(beyond)]|\\[ -~])*""#)
  }

  /// Whether a text is `Mailbox` of RFC 5321, or of RFC 6531.
  func accepts(_ text: String) -> Bool {
    // A quoted string may have the mark as well, a domain does not.
    guard let mark = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return false }
    let (local, domain) = (text[..<mark], String(text[text.utf8.index(after: mark)...]))
    guard local.utf8.count <= Self.localPartLimit, localPart.accepts(String(local)) else {
      return false
    }
    if domain.hasPrefix("["), domain.hasSuffix("]") {
      // No tag other than `IPv6` was ever registered (RFC 5321, 4.1.3).
      let literal = String(domain.dropFirst().dropLast())
      return literal.prefix(5).lowercased() == "ipv6:"
        ? IPAddresses.isVersion6(String(literal.dropFirst(5))) : IPAddresses.isVersion4(literal)
    }
    return isInternationalized
      ? HostNames.isInternationalized(domain, stops: ["."], normalizes: true)
      : HostNames.isHostName(domain, hasValidALabels: false)
  }
}
