// A graph to be drawn: boxes with lines of text, and arrows between them.

/// The boxes and arrows of a drawing, independent of the format that it is written in.
package struct Picture: Sendable {
  /// What a box represents, which determines its shape.
  package enum Kind: String, Sendable, CaseIterable {
    case object, dictionary, list, set, data, collapsed, `class`, root, null

    /// What the legend calls it.
    var meaning: String {
      switch self {
      case .object: "object"
      case .dictionary: "dictionary"
      case .list: "list"
      case .set: "set"
      case .data: "data that holds an archive"
      case .collapsed: "all objects of a class"
      case .class: "class, with the number of its objects"
      case .root: "where the picture begins"
      case .null: "conditional object that was not archived"
      }
    }
  }

  /// What an arrow represents, which determines its style.
  package enum Style: String, Sendable, CaseIterable {
    case reference, cycle, conditional, content, superclass

    /// What the legend calls it.
    var meaning: String {
      switch self {
      case .reference: "reference"
      case .cycle: "reference back to an object that contains this one"
      case .conditional: "conditional reference"
      case .content: "archive in a data value"
      case .superclass: "superclass"
      }
    }
  }

  /// A box.
  package struct Box: Sendable {
    /// What it represents.
    package let kind: Kind
    /// The class or type.
    package var title: String
    /// The scalar members, one line each.
    package var lines: [String] = []
    /// How many scalar members are not among the lines.
    package var omitted = 0
    /// Whether several references lead to it.
    package var isShared = false
    /// The number of the document: 0 is the input, others are archives in data values.
    package var document = 0
    /// How many objects it represents.
    package var count = 1

    /// All lines of text.
    var text: [String] {
      var text = [count > 1 || kind == .class && count > 0 ? "\(title) × \(count)" : title] + lines
      if omitted > 0 { text.append("… \(omitted) more") }
      return text
    }
  }

  /// An arrow.
  package struct Arrow: Hashable, Sendable {
    /// The box that it comes from.
    package let from: Int
    /// The box that it leads to.
    package let to: Int
    /// The key or the index.
    package let label: String
    /// What it represents.
    package let style: Style
  }

  /// The boxes.
  package internal(set) var boxes: [Box] = []
  /// The arrows.
  package internal(set) var arrows: [Arrow] = []
  /// The titles of documents: that of an archive in a data value names the value.
  package internal(set) var documents: [Int: String] = [:]

  var kinds: [Kind] {
    let found = Set(boxes.map(\.kind))
    return Kind.allCases.filter(found.contains)
  }

  var styles: [Style] {
    let found = Set(arrows.map(\.style))
    return Style.allCases.filter(found.contains)
  }

  /// Whether there is a class in it.
  package var hasClasses: Bool { boxes.contains { $0.kind == .class } }

  /// Whether several references lead to a box.
  var hasShared: Bool { boxes.contains { $0.isShared } }
}
