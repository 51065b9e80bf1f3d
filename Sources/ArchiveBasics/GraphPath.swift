// Paths in a graph as people write them: `$.topCityWeathers[3].Temperature`.

/// The steps from a root to a node.
public struct GraphPath: Hashable, Sendable, CustomStringConvertible {
  /// One step of a path.
  public enum Step: Hashable, Sendable {
    /// The value of a key.
    case key(String)
    /// An element.
    case index(Int)
    /// Into an archive in a data value; the text is its kind.
    case content(String)
    /// The values of keys that a schema does not name: in paths of schemas, which lead to no node.
    case anyMember
    /// The elements that a schema does not distinguish: in paths of schemas, which lead to no node.
    case anyElement
  }

  /// The steps from the root on.
  package var steps: [Step]

  /// Makes a path; without steps it is the root.
  package init(_ steps: [Step] = []) { self.steps = steps }

  /// The path one step further.
  package func appending(_ step: Step) -> GraphPath { GraphPath(steps + [step]) }

  /// The path that continues with the steps of another.
  package func appending(_ path: GraphPath) -> GraphPath { GraphPath(steps + path.steps) }

  /// `$`, then `.key` where the key is an identifier, `['key']` where it is not (RFC 9535, its normal form
  /// shortened), `[index]`, `⟨kind⟩` where an archive in a data value is entered, `.*` for any member and `[*]` for
  /// any element.
  public var description: String {
    var text = "$"
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .content(let kind): text += "⟨\(kind)⟩"
      case .anyMember: text += ".*"
      case .anyElement: text += "[*]"
      case .key(let key): text += Self.isIdentifier(key) ? ".\(key)" : "[\(Self.quoted(key))]"
      }
    }
    return text
  }

  /// The normal form of RFC 9535, as in `$['key'][3]`.
  ///
  /// What an archive in a data value is entered by has no step of its own there.
  package var normalized: String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key): text += "[\(Self.quoted(key, isNormal: true))]"
      case .anyMember, .anyElement: text += "[*]"
      case .content: break
      }
    }
  }

  static func isIdentifier(_ key: String) -> Bool {
    guard let first = key.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
    return key.unicodeScalars.allSatisfy {
      $0.value >= 0x80 && $0.properties.isAlphabetic || $0 == "_" || ("a"..."z").contains($0)
        || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
    }
  }

  /// A key in single quotes, control characters escaped as RFC 9535 does.
  ///
  /// - Parameter isNormal: whether to escape only what the normal form escapes, not the controls from U+007F on.
  package static func quoted(_ key: String, isNormal: Bool = false) -> String {
    let text = key.escaping { scalar in
      switch scalar {
      case "'": return "\\'"
      case "\\": return "\\\\"
      case "\n": return "\\n"
      case "\r": return "\\r"
      case "\t": return "\\t"
      case "\u{8}": return "\\b"
      case "\u{C}": return "\\f"
      default:
        let isControl = scalar.value < 0x20 || !isNormal && (0x7F..<0xA0).contains(scalar.value)
        return isControl ? "\\u" + String(scalar.value, radix: 16, width: 4) : nil
      }
    }
    return "'\(text)'"
  }
}

// MARK: - Paths read back: what `GraphPath.description` prints, and the quotes that RFC 9535 has

extension GraphPath {
  /// Parses `$`, `.key`, `['key']`, `["key"]`, `[3]` and `⟨kind⟩`.
  ///
  /// - Throws: `ArchiveError` with code `malformed`, its offset being the position in the text.
  package init(parsing text: String) throws(ArchiveError) {
    var parser = PathParser(text)
    steps = try parser.run()
  }
}

private struct PathParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  mutating func run() throws(ArchiveError) -> [GraphPath.Step] {
    guard skip("$") else { throw problem("a path begins with $") }
    var steps: [GraphPath.Step] = []
    while let mark = next() {
      switch mark {
      case ".": steps.append(.key(try name()))
      case "[": steps.append(try bracket())
      case "⟨":
        let kind = text { $0 != "⟩" }
        guard skip("⟩") else { throw problem("⟨ without its ⟩") }
        steps.append(.content(kind))
      default:
        position -= 1
        throw problem("expected '.', '[' or '⟨', found '\(mark)'")
      }
    }
    return steps
  }

  private mutating func name() throws(ArchiveError) -> String {
    let name = text { !".[⟨".unicodeScalars.contains($0) }
    guard !name.isEmpty else { throw problem("a key must follow the dot") }
    return name
  }

  private mutating func bracket() throws(ArchiveError) -> GraphPath.Step {
    let step: GraphPath.Step
    if let quote = peek(), quote == "'" || quote == "\"" {
      position += 1
      step = .key(try quoted(quote))
    } else {
      let digits = text { ("0"..."9").contains($0) }
      guard let index = Int(digits) else {
        throw problem("the brackets must contain a number or a quoted key")
      }
      step = .index(index)
    }
    guard skip("]") else { throw problem("[ without its ]") }
    return step
  }

  private mutating func quoted(_ quote: Unicode.Scalar) throws(ArchiveError) -> String {
    var key = String.UnicodeScalarView()
    while let scalar = next() {
      if scalar == quote { return String(key) }
      key.append(scalar == "\\" ? try escape() : scalar)
    }
    throw problem("the quoted key has no end")
  }

  private mutating func escape() throws(ArchiveError) -> Unicode.Scalar {
    guard let scalar = next() else { throw problem("the quoted key has no end") }
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "u": return try EscapedScalar.read(scalars, &position)
    default: return scalar
    }
  }

  // MARK: Characters

  private func peek() -> Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func next() -> Unicode.Scalar? {
    guard let scalar = peek() else { return nil }
    position += 1
    return scalar
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    position += 1
    return true
  }

  private mutating func text(while belongs: (Unicode.Scalar) -> Bool) -> String {
    let run = scalars[position...].prefix { belongs($0) }
    position += run.count
    return String(String.UnicodeScalarView(run))
  }

  private func problem(_ message: String) -> ArchiveError {
    ArchiveError(.malformed, message, offset: position)
  }
}
