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
    self.comment(comment)
    macro("Dd " + date)
    macro("Dt \(name.uppercased()) \(section)")
    macro("Os")
    self.section("NAME")
    macro("Nm " + name)
    macro("Nd " + about)
  }

  /// The section that leads to other pages.
  package mutating func references(_ pages: [(name: String, section: Int)]) {
    section("SEE ALSO")
    for (position, page) in pages.enumerated() {
      macro("Xr \(page.name) \(page.section)" + (position < pages.count - 1 ? " ," : ""))
    }
  }

  /// The page's source.
  package var source: String { lines.joined(separator: "\n") + "\n" }

  /// A comment in the source.
  package mutating func comment(_ text: String) { lines.append(".\\\" " + text) }

  /// A macro line, written unchanged.
  package mutating func macro(_ line: String) { lines.append("." + line) }

  /// The beginning of a section.
  package mutating func section(_ title: String) { lines.append(".Sh " + title) }

  /// The beginning of a subsection.
  package mutating func subsection(_ title: String) { lines.append(".Ss " + title) }

  /// Lines of running text, without a break before them.
  package mutating func text(_ text: String, placeholders: [String] = []) {
    lines += MdocText.paragraph(text, placeholders: placeholders)
  }

  /// A paragraph of its own.
  package mutating func paragraph(_ text: String, placeholders: [String] = []) {
    lines.append(".Pp")
    self.text(text, placeholders: placeholders)
  }

  /// Terms, as macro lines, and what they mean.
  package mutating func list(width: String, _ items: [Item], isCompact: Bool = false) {
    // A list that is not compact makes its own distance.
    if isCompact { lines.append(".Pp") }
    lines.append(".Bl -tag -width \(width)" + (isCompact ? " -compact" : ""))
    for item in items {
      lines.append(".It " + item.macro)
      text(item.text, placeholders: item.placeholders)
    }
    lines.append(".El")
  }

  /// Lines that are written unchanged.
  package mutating func display(_ text: String) {
    lines.append(".Bd -literal -offset 4n")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append(MdocText.literal(line))
    }
    lines.append(".Ed")
  }
}
