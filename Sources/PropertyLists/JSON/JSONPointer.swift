// Locations in a JSON document as text: JSON Pointer (RFC 6901).

/// The syntax of JSON Pointers.
public enum JSONPointer {
  /// A reference token with `~` and `/` escaped.
  public static func escaped(_ token: some StringProtocol) -> String {
    var text = ""
    for scalar in token.unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The reference tokens of a pointer; nil if it does not begin with a slash, or an escape is malformed.
  public static func tokens(of pointer: String) -> [String]? {
    guard !pointer.isEmpty else { return [] }
    var tokens = pointer.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    guard tokens.removeFirst().isEmpty else { return nil }
    var result: [String] = []
    for token in tokens {
      guard let text = unescaped(token) else { return nil }
      result.append(text)
    }
    return result
  }

  private static func unescaped(_ token: Substring.UnicodeScalarView) -> String? {
    var text = String.UnicodeScalarView()
    var scalars = token.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "~" else {
        text.append(scalar)
        continue
      }
      switch scalars.next() {
      case "0": text.append("~")
      case "1": text.append("/")
      default: return nil
      }
    }
    return String(text)
  }
}

extension JSONTree {
  /// One step of a pointer: a member, or an element by its number.
  public func step(_ token: String) -> JSONTree? {
    switch self {
    case .members: return self[token]
    case .list(let items):
      // RFC 6901 section 4: digits without a leading zero.
      guard let index = Int(token), index >= 0, "\(index)" == token, index < items.count else {
        return nil
      }
      return items[index]
    default: return nil
    }
  }

  /// The value that a pointer leads to; nil if it leads nowhere.
  public func value(at pointer: String) -> JSONTree? {
    guard let tokens = JSONPointer.tokens(of: pointer) else { return nil }
    var tree: JSONTree? = self
    for token in tokens { tree = tree?.step(token) }
    return tree
  }
}
