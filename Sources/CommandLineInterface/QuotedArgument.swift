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
