// Text as mdoc wants it: specials escaped, a line a sentence, options marked as options.

import Basics

/// Turns plain text into lines of mdoc.
package enum MdocText {
  private static let width = 78
  private static let closing: Set<Character> = [".", ",", ":", ";", ")", "?", "!"]

  /// A text line, with what roff would interpret escaped.
  static func escaped(_ text: some StringProtocol) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": output += "\\e"
      case "'": output += "\\(aq"
      case "`": output += "\\(ga"
      case "^": output += "\\(ha"
      case "~": output += "\\(ti"
      default: output += scalar.isASCII ? String(scalar) : named(scalar)
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
