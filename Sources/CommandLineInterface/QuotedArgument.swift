// Arguments inside messages: a message stays one line and cannot control a terminal.

import ArchiveBasics

/// An argument in quotes, its control characters escaped and its end left out if it is long.
package func quoted(_ argument: some StringProtocol) -> String {
  let start = String(argument).shownPath.unicodeScalars.prefix(longestQuotation)
  let text = String(start).escaping { scalar in
    if let escaped = scalar.escapedForTerminal { return escaped }
    guard isLineSeparator(scalar) else { return nil }
    return String(scalar).utf16.map { "\\u" + String($0, radix: 16, width: 4) }.joined()
  }
  let isCut = argument.unicodeScalars.dropFirst(longestQuotation).first != nil
  return isCut ? "'\(text)...'" : "'\(text)'"
}

private let longestQuotation = 120

private func isLineSeparator(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .lineSeparator, .paragraphSeparator, .format: true
  default: false
  }
}

extension String {
  /// The string as a person would type it into a shell as one word; `$'…'` is not known to all shells.
  package var shellWord: String {
    let isPlain =
      !isEmpty && first != "=" && first != "#"
      && unicodeScalars.allSatisfy { scalar in
        scalar.value >= 0x80 || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || "/._-+,:@%=#".unicodeScalars.contains(scalar)
      }
    if unicodeScalars.contains(where: \.isObeyed) || shownPath != self { return escapedShellWord }
    return isPlain ? self : quotedWord
  }

  /// The string as any POSIX shell reads it back as one word.
  package var quotedWord: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// `$'caf\xe9'`: characters that a message could not show unchanged.
  private var escapedShellWord: String {
    var word = ""
    for byte in pathBytes {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\\"): word += "\\" + String(UnicodeScalar(byte))
      case 0x20..<0x7F: word += String(UnicodeScalar(byte))
      default: word += "\\x" + hexadecimal(byte)
      }
    }
    return "$'\(word)'"
  }
}
