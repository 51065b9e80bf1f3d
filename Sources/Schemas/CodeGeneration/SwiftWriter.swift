// Swift source, line by line, in the layout of swift-format with its default settings.

import PropertyLists

/// Writes declarations.
struct SwiftWriter {
  private static let width = 100

  private(set) var text = ""
  private var indentation = ""

  // MARK: Lines

  mutating func line(_ content: String = "") {
    text += content.isEmpty ? "\n" : indentation + content + "\n"
  }

  private mutating func block(_ opening: String, _ content: (inout SwiftWriter) -> Void) {
    line(opening + " {")
    indentation += "  "
    content(&self)
    indentation.removeLast(2)
    line("}")
  }

  /// The words of a text, separated at every character that could end a comment's line.
  static func words(_ text: String) -> [String] {
    text.unicodeScalars.split { scalar in
      scalar.properties.isWhitespace
        || [.control, .format, .lineSeparator, .paragraphSeparator].contains(
          scalar.properties.generalCategory)
    }.map { String(Substring($0)) }
  }

  /// A documentation comment: a summary sentence, an empty line, the remaining text.
  mutating func documentation(_ text: String?) {
    let words = Self.words(text ?? "")
    guard let last = words.last else { return }
    let end = words.firstIndex { $0.hasSuffix(".") || $0.hasSuffix("!") || $0.hasSuffix("?") }
    guard let end else { return fill(words.dropLast() + [last + "."]) }
    // swift-format requires a period after the summary.
    fill(words[..<end] + [words[end].dropLast() + "."])
    if end == words.count - 1 { return }
    line("///")
    fill(words[(end + 1)...])
  }

  private mutating func fill(_ words: some Sequence<String>) {
    var row = "///"
    for word in words {
      if row.count + word.count + indentation.count >= Self.width, row.count > 3 {
        line(row)
        row = "///"
      }
      row += " " + word
    }
    line(row)
  }

  // MARK: Declarations

  mutating func write(_ declaration: SwiftDeclaration, holding others: [SwiftDeclaration]) {
    documentation(declaration.documentation)
    switch declaration.form {
    case .record(let properties, let isReference):
      record(declaration.name, properties, isReference, others)
    case .strings(let cases):
      block("enum \(declaration.name): String, Codable, CaseIterable, Sendable") { writer in
        for item in cases { writer.enumCase(item.name, item.text) }
        writer.nested(others)
      }
    case .union(let alternatives): union(declaration.name, alternatives, others)
    }
  }

  private mutating func nested(_ declarations: [SwiftDeclaration]) {
    for declaration in declarations {
      line()
      write(declaration, holding: [])
    }
  }

  private mutating func record(
    _ name: String, _ properties: [SwiftDeclaration.Property], _ isReference: Bool,
    _ others: [SwiftDeclaration]
  ) {
    let protocols = "Codable, Equatable, Sendable"
    if properties.isEmpty, others.isEmpty { return line("struct \(name): \(protocols) {}") }
    block("\(isReference ? "final class" : "struct") \(name): \(protocols)") { writer in
      for property in properties {
        writer.documentation(property.documentation)
        let word = isReference ? "let" : "var"
        writer.line("\(word) \(Self.quoted(property.name)): \(property.type.source)")
      }
      if properties.contains(where: { $0.key != $0.name }) {
        writer.line()
        writer.block("enum CodingKeys: String, CodingKey") { writer in
          for property in properties { writer.enumCase(property.name, property.key) }
        }
      }
      if isReference { writer.members(ofClass: name, properties) }
      writer.nested(others)
    }
  }

  /// The members that Swift generates for structs only.
  private mutating func members(
    ofClass name: String, _ properties: [SwiftDeclaration.Property]
  ) {
    let parameters = properties.map { "\(Self.quoted($0.name)): \($0.type.source)" }
    line()
    line("init(")
    for (index, parameter) in parameters.enumerated() {
      line("  " + parameter + (index < parameters.count - 1 ? "," : ""))
    }
    block(")") { writer in
      for property in properties {
        writer.line("self.\(Self.quoted(property.name)) = \(Self.quoted(property.name))")
      }
    }
    line()
    block("static func == (left: \(name), right: \(name)) -> Bool") { writer in
      for (index, property) in properties.enumerated() {
        let name = Self.quoted(property.name)
        writer.line((index > 0 ? "  && " : "") + "left.\(name) == right.\(name)")
      }
    }
  }

  private mutating func enumCase(_ name: String, _ text: String) {
    if name == text { return line("case \(Self.quoted(name))") }
    let start = "case \(Self.quoted(name)) ="
    let literal = Self.literal(text)
    if indentation.count + start.count + 1 + literal.count <= Self.width {
      return line(start + " " + literal)
    }
    line(start)
    line("  " + literal)
  }

  private mutating func union(
    _ name: String, _ alternatives: [SwiftDeclaration.Alternative], _ others: [SwiftDeclaration]
  ) {
    block("enum \(name): Codable, Equatable, Sendable") { writer in
      for item in alternatives {
        writer.line("case \(Self.quoted(item.name))(\(item.type.source))")
      }
      writer.line()
      writer.decoding(alternatives)
      writer.line()
      writer.block("func encode(to encoder: any Encoder) throws") { writer in
        writer.line("var container = encoder.singleValueContainer()")
        writer.line("switch self {")
        for item in alternatives {
          writer.line(
            "case .\(Self.quoted(item.name))(let value): try container.encode(value)")
        }
        writer.line("}")
      }
      writer.nested(others)
    }
  }

  /// An initializer that tries each case; the user sees the error of the last one.
  private mutating func decoding(_ alternatives: [SwiftDeclaration.Alternative]) {
    block("init(from decoder: any Decoder) throws") { writer in
      writer.line("let container = try decoder.singleValueContainer()")
      var start = ""
      for item in alternatives.dropLast() {
        let type = item.type.source
        writer.line("\(start)if let value = try? container.decode(\(type).self) {")
        writer.line("  self = .\(Self.quoted(item.name))(value)")
        start = "} else "
      }
      guard let last = alternatives.last else { return }
      let decoded = "try container.decode(\(last.type.source).self)"
      let assignment = "self = .\(Self.quoted(last.name))(\(decoded))"
      if start.isEmpty { return writer.line(assignment) }
      writer.line("} else {")
      writer.line("  " + assignment)
      writer.line("}")
    }
  }

  // MARK: Literals

  private static func quoted(_ name: String) -> String { SourceIdentifier.quotedInSwift(name) }

  /// A string literal; invisible characters, and those that change the direction of text, are escaped.
  private static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\" + String(scalar)
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
          literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default: literal.unicodeScalars.append(scalar)
        }
      }
    }
    return literal + "\""
  }
}
