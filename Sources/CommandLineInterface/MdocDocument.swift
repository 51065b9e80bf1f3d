// A manual page in mdoc under construction.

/// Collects the lines of a manual page; every text that comes in is plain, and escaped here.
package struct MdocDocument {
  /// A term of a list.
  package struct Item {
    /// The term, as the arguments of a macro line.
    let macro: String
    /// Its meaning.
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
