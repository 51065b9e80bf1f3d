// Places in a graph as people write them: `$.topCityWeathers[3].Temperature`.

/// The way from a root to a node.
public struct GraphPath: Hashable, Sendable, CustomStringConvertible {
  /// One step of a path.
  public enum Step: Hashable, Sendable {
    /// The value of a key.
    case key(String)
    /// An element.
    case index(Int)
    /// Into an archive that a data value holds; the text names its kind.
    case content(String)
  }

  /// The steps from the root on.
  public var steps: [Step]

  /// Makes a path; without steps it is the root.
  public init(_ steps: [Step] = []) { self.steps = steps }

  /// The path one step further.
  public func appending(_ step: Step) -> GraphPath { GraphPath(steps + [step]) }

  /// `$`, then `.key` where the key is an identifier, `['key']` where it is not (RFC 9535, its normal form
  /// shortened), `[index]`, and `⟨kind⟩` where an archive in a data value is entered.
  public var description: String {
    var text = "$"
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .content(let kind): text += "⟨\(kind)⟩"
      case .key(let key): text += Self.isIdentifier(key) ? ".\(key)" : "[\(Self.quoted(key))]"
      }
    }
    return text
  }

  static func isIdentifier(_ key: String) -> Bool {
    guard let first = key.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
    return key.unicodeScalars.allSatisfy {
      $0.value >= 0x80 && $0.properties.isAlphabetic || $0 == "_" || ("a"..."z").contains($0)
        || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
    }
  }

  /// A key in single quotes, control characters escaped as RFC 9535 does.
  static func quoted(_ key: String) -> String {
    var text = "'"
    for scalar in key.unicodeScalars {
      switch scalar {
      case "'": text += "\\'"
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default:
        if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
          let digits = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    return text + "'"
  }
}
