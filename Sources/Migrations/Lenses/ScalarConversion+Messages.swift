// What messages say of conversions: what they want, and what it is that they lose.

import ObjectGraph

extension ScalarConversion {
  /// What a scalar should have been in a direction, and what to do, for a message.
  func wanting(_ direction: LensDirection) -> String {
    switch self {
    case .table(let table):
      let other = direction == .forward ? "else" : "elseBackward"
      if direction == .backward, table.forwardElse != nil, table.backwardElse == nil {
        return
          "it may stand for any value that 'else' took, which is known only where it was kept (--keep-lost); a pair or 'elseBackward' says what it becomes"
      }
      return "the table has no pair for it; a pair or '\(other)' says what it becomes"
    case .types(let source, let destination):
      let (source, destination) =
        direction == .forward ? (source, destination) : (destination, source)
      return "\(source.wording) is wanted\(destination.wording(asTarget: source))"
    }
  }

  /// Whether what comes back of a text says the same, spelled otherwise.
  func keepsMeaning(
    of scalar: DerivedForm, _ result: DerivedForm, _ back: DerivedForm?
  ) -> Bool {
    guard case .types = self, case .string = scalar, case .string? = back else { return false }
    return true
  }
}

extension ScalarConversion.ScalarType {
  fileprivate var wording: String {
    switch self {
    case .integer, .real, .dateNumber: "a number"
    case .boolean: "true, false, 0 or 1"
    case .string: "a string"
    case .date: "a date"
    case .dateText(let format): "a text that spells a date \(format.wording)"
    case .data: "data"
    case .base64: "a text in Base64"
    }
  }

  /// What the other type asks of the values of this one.
  fileprivate func wording(asTarget source: ScalarConversion.ScalarType) -> String {
    switch (source, self) {
    case (.string, .integer): " that spells an integer of 64 bits"
    case (.string, .real): " that spells a number in decimal"
    case (.string, .boolean): ", true or false"
    case (.integer, .boolean), (.real, .boolean): ", 0 or 1"
    case (.integer, .real), (.boolean, .real): " that a real holds exactly"
    case (.real, .integer), (.boolean, .integer): " of no more than 64 bits"
    case (.integer, .string), (.real, .string): " that is finite"
    case (_, .dateText(let format)): " that can be spelled \(format.wording)"
    default: ""
    }
  }
}

extension ScalarConversion.DateFormat {
  fileprivate var wording: String {
    switch self {
    case .iso8601: "as iso8601"
    case .rfc5322: "as rfc5322"
    case .medium: "in the medium style"
    case .pattern: "by the pattern"
    case .number(let epoch): "as the number \(epoch.rawValue)"
    }
  }
}
