// Interoperable regular expressions (RFC 9485), translated to ECMA-262.

/// An I-Regexp.
struct IRegexp {
  /// The same expression for ECMA-262 with the flag `u` (RFC 9485, 5.3), without anchors.
  private(set) var ecmaScript = ""

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var open = 0

  /// Checks an expression; nil if it is invalid.
  init?(_ text: String) {
    scalars = Array(text.unicodeScalars)
    while position < scalars.count { guard piece() else { return nil } }
    guard open == 0 else { return nil }
  }

  /// Reads an atom with its quantifier, a bar or a bracket.
  private mutating func piece() -> Bool {
    let scalar = scalars[position]
    position += 1
    switch scalar {
    case "(":
      open += 1
      // Groups do not capture.
      ecmaScript += "(?:"
      return true
    case "|":
      ecmaScript += "|"
      return true
    case ")":
      open -= 1
      ecmaScript += ")"
      return open >= 0 && quantifier()
    case ".":
      ecmaScript += "[^\\n\\r]"
      return quantifier()
    case "[": return classExpression() && quantifier()
    case "\\": return escape(inClass: false) && quantifier()
    case "*", "+", "?", "]", "{", "}": return false
    default:
      ecmaScript.unicodeScalars.append(scalar)
      return quantifier()
    }
  }

  private mutating func quantifier() -> Bool {
    guard position < scalars.count else { return true }
    switch scalars[position] {
    case "*", "+", "?":
      ecmaScript.unicodeScalars.append(scalars[position])
      position += 1
      return true
    case "{":
      guard let end = scalars[position...].firstIndex(of: "}") else { return false }
      let parts = scalars[(position + 1)..<end].split(
        separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = parts.first, !first.isEmpty,
        parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } })
      else { return false }
      ecmaScript.unicodeScalars.append(contentsOf: scalars[position...end])
      position = end + 1
      return true
    default: return true
    }
  }

  /// `[^a-z\p{L}-]`, whose opening bracket was already read.
  private mutating func classExpression() -> Bool {
    ecmaScript += "["
    if position < scalars.count, scalars[position] == "^" {
      ecmaScript += "^"
      position += 1
    }
    var isFirst = true
    while position < scalars.count {
      let scalar = scalars[position]
      if scalar == "]", !isFirst {
        ecmaScript += "]"
        position += 1
        return true
      }
      guard scalar != "[", scalar != "]" else { return false }
      position += 1
      if scalar == "\\" {
        guard escape(inClass: true) else { return false }
      } else if scalar == "-" {
        // Between characters it forms a range, which is checked when the expression is compiled; at the ends it is a
        // character.
        let isLast = position < scalars.count && scalars[position] == "]"
        ecmaScript += isFirst || isLast ? "\\-" : "-"
      } else {
        ecmaScript.unicodeScalars.append(scalar)
      }
      isFirst = false
    }
    return false
  }

  /// `\.`, `\n` or `\p{Lu}`, whose backslash was already read.
  private mutating func escape(inClass: Bool) -> Bool {
    guard position < scalars.count else { return false }
    let scalar = scalars[position]
    position += 1
    switch scalar {
    case "-":
      // ECMA-262 allows this escape in classes only.
      ecmaScript += inClass ? "\\-" : "-"
      return true
    case "(", ")", "*", "+", ".", "?", "[", "\\", "]", "^", "n", "r", "t", "{", "|", "}":
      ecmaScript += "\\"
      ecmaScript.unicodeScalars.append(scalar)
      return true
    case "p", "P":
      guard position < scalars.count, scalars[position] == "{",
        let end = scalars[position...].firstIndex(of: "}")
      else { return false }
      let name = String(String.UnicodeScalarView(scalars[(position + 1)..<end]))
      guard Self.categories.contains(name) else { return false }
      ecmaScript += "\\\(scalar){\(name)}"
      position = end + 1
      return true
    default: return false
    }
  }

  /// General categories of Unicode, except that of surrogates.
  private static let categories: Set<String> = [
    "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No", "P", "Pc",
    "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Z", "Zl", "Zp", "Zs", "S", "Sc", "Sk", "Sm", "So", "C",
    "Cc", "Cf", "Cn", "Co",
  ]
}
