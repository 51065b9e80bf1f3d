// Arguments inside messages: whatever was typed, a message stays one line and cannot steer a terminal.

/// An argument in quotes, its control characters escaped and its end left out if it is long.
func quoted(_ argument: some StringProtocol) -> String {
  var text = ""
  for scalar in argument.unicodeScalars.prefix(longestQuotation) {
    if scalar.properties.generalCategory == .control || isLineSeparator(scalar) {
      text += "\\u{\(String(scalar.value, radix: 16))}"
    } else {
      text.unicodeScalars.append(scalar)
    }
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
  /// The string as a shell reads it back as one word.
  var shellWord: String {
    let isPlain =
      !isEmpty
      && unicodeScalars.allSatisfy { scalar in
        scalar.value >= 0x80 || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || "/._-+,:@%".unicodeScalars.contains(scalar)
      }
    return isPlain
      ? self
      : "'"
        + split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: #"'\''"#) + "'"
  }
}
