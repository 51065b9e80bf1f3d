// The headings under which help lists options.

/// A heading of help and the options under it, in the order in which help lists them.
package struct OptionHeading: Sendable {
  /// The heading, without a colon.
  package let title: String
  /// The options of all commands that belong under it.
  package let options: [OptionDescription]

  /// Names a heading.
  package init(_ title: String, _ options: [OptionDescription]) {
    self.title = title
    self.options = options
  }
}
