// A manual page in mdoc under construction.

import ArchiveBasics

/// Collects the lines of a manual page; every text that comes in is plain, and escaped here.
package struct MdocDocument {
  /// A term of a list.
  package struct Item {
    /// The term, as the arguments of a macro line.
    let macro: String
    let text: String
    /// Words of the text that are placeholders for user input.
    var placeholders: [String] = []

    package init(_ macro: String, _ text: String, placeholders: [String] = []) {
      self.macro = macro
      self.text = text
      self.placeholders = placeholders
    }
  }

  private var lines: [String] = []

  /// A page that begins with a comment, its name and what it is about.
  ///
  /// - Parameter date: the date on the page, in the format of mdoc.
  package init(comment: String, name: String, section: Int, about: String, date: String) {
    lines.append(".\\\" " + comment)
    macro("Dd " + date)
    macro("Dt \(name.uppercased()) \(section)")
    macro("Os")
    macro("Sh NAME")
    macro("Nm " + name)
    macro("Nd " + about)
  }

  /// The page's source.
  package var source: String { lines.joined(separator: "\n") + "\n" }

  /// A part of the page in mdoc, but for its running text, which is plain: it is escaped and filled, and options are marked.
  ///
  /// A line that begins with a dot and a capital is a macro line, and an empty line begins a paragraph. Lines between `.Bd`
  /// and `.Ed` are shown as they are.
  ///
  /// - Parameter placeholders: words of the running text that are placeholders for user input.
  package mutating func write(_ text: String, placeholders: [String] = []) {
    var prose = ""
    var isLiteral = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isMacro = line.first == "." && line.dropFirst().first?.isUppercase == true
      if isLiteral, line != ".Ed" {
        lines.append(MdocText.literal(line))
      } else if isMacro || line.isEmpty {
        lines += MdocText.paragraph(prose, placeholders: placeholders)
        lines.append(isMacro ? String(line) : ".Pp")
        prose = ""
        isLiteral = line.hasPrefix(".Bd")
      } else {
        prose += " " + line
      }
    }
    lines += MdocText.paragraph(prose, placeholders: placeholders)
  }

  /// A macro line, written unchanged.
  package mutating func macro(_ line: String) { lines.append("." + line) }

  /// The section that leads to other pages.
  package mutating func references(_ pages: [(name: String, section: Int)]) {
    macro("Sh SEE ALSO")
    for (position, page) in pages.enumerated() {
      macro("Xr \(page.name) \(page.section)" + (position < pages.count - 1 ? " ," : ""))
    }
  }

  /// Terms, as macro lines, and what they mean.
  package mutating func list(width: String, _ items: [Item], isCompact: Bool = false) {
    // A list that is not compact makes its own distance.
    if isCompact { macro("Pp") }
    macro("Bl -tag -width \(width)" + (isCompact ? " -compact" : ""))
    for item in items {
      macro("It " + item.macro)
      lines += MdocText.paragraph(item.text, placeholders: item.placeholders)
    }
    macro("El")
  }

  /// Lines that are shown as they are.
  package mutating func display(_ text: String) {
    write(".Bd -literal -offset 4n\n\(text)\n.Ed")
  }
}

// MARK: - Text as mdoc wants it: specials escaped, a line a sentence, options marked as options

/// Turns plain text into lines of mdoc.
package enum MdocText {
  private static let width = 78
  private static let closing: Set<Character> = [".", ",", ":", ";", ")", "?", "!"]

  /// A text line, with what roff would interpret escaped.
  static func escaped(_ text: some StringProtocol) -> String {
    let output = String(text).escaping { scalar in
      switch scalar {
      case "\\": "\\e"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      default: scalar.isASCII ? nil : named(scalar)
      }
    }
    // A leading dot would begin a macro line.
    return output.hasPrefix(".") ? "\\&" + output : output
  }

  /// A line of a literal display, where a hyphen is a minus sign that can be copied.
  static func literal(_ line: some StringProtocol) -> String {
    escaped(line).split(separator: "-", omittingEmptySubsequences: false).joined(separator: "\\-")
  }

  /// One argument of a macro line.
  package static func argument(_ text: some StringProtocol) -> String {
    let output = literal(text).split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\\(dq")
    if output.contains(" ") || output.isEmpty { return "\"\(output)\"" }
    return isSpecial(text) && !output.hasPrefix("\\&") ? "\\&" + output : output
  }

  /// A paragraph: a line a sentence, broken where it is too long, options on macro lines.
  ///
  /// - Parameter placeholders: words that are placeholders for user input.
  static func paragraph(_ text: String, placeholders: [String] = []) -> [String] {
    var lines: [String] = []
    var line = ""
    func endLine() {
      if !line.isEmpty { lines.append(line) }
      line = ""
    }
    for word in text.split(separator: " ") {
      if let macro = macro(for: word, placeholders) {
        endLine()
        lines.append(macro)
        continue
      }
      // A mark that ends no sentence must not look as if it did.
      let output =
        word.count == 1 && closing.contains(word.first ?? " ") ? word + "\\&" : escaped(word)
      if !line.isEmpty, line.count + 1 + output.count > width { endLine() }
      line += line.isEmpty ? output : " " + output
      if endsSentence(word) { endLine() }
    }
    endLine()
    return lines
  }

  /// `.Fl -in-place ,` for `--in-place,` and `.Ar FILE .` for `FILE.`; nil for ordinary words.
  private static func macro(for word: Substring, _ placeholders: [String]) -> String? {
    if let reference = reference(word) { return reference }
    var core = word
    var marks = ""
    while let last = core.last, closing.contains(last) {
      marks = " \(last)" + marks
      core.removeLast()
    }
    if placeholders.contains(String(core)) { return ".Ar \(argument(core))" + marks }
    // Not every word that begins with a hyphen is an option: -Infinity is not.
    guard core.hasPrefix("--") || core.hasPrefix("-") && core.count == 2 else { return nil }
    return ".Fl \(core.dropFirst())" + marks
  }

  /// `.Xr git 1 .` for `git(1).`; nil for ordinary words.
  private static func reference(_ word: Substring) -> String? {
    let parts = word.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let section = parts[1].first, section.isNumber,
      parts[1].dropFirst().first == ")", parts[1].dropFirst(2).allSatisfy(closing.contains),
      parts[0].allSatisfy({ $0.isASCII && ($0.isLowercase || $0 == "-") })
    else { return nil }
    let marks = parts[1].dropFirst(2).map { " \($0)" }.joined()
    return ".Xr \(parts[0]) \(section)" + marks
  }

  private static func endsSentence(_ word: Substring) -> Bool {
    let core = word.last == ")" ? word.dropLast() : word
    guard let last = core.last, core.count > 1 else { return false }
    return last == "." || last == "?" || last == "!"
  }

  /// Whether mdoc would treat an argument as a macro or as punctuation.
  private static func isSpecial(_ text: some StringProtocol) -> Bool {
    guard let first = text.first else { return false }
    if text.count == 1 { return !first.isLetter && !first.isNumber }
    return text.count <= 3 && first.isUppercase && text.allSatisfy(\.isLetter)
  }

  private static func named(_ scalar: Unicode.Scalar) -> String {
    "\\[u" + String(scalar.value, radix: 16, width: 4, uppercase: true) + "]"
  }
}
