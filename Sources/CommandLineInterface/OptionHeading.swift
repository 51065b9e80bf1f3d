// The headings under which help lists options.

/// A heading of help and the options under it, in the order in which help lists them.
public struct OptionHeading: Sendable {
  /// The heading, without a colon.
  public let title: String
  /// The options of all commands that belong under it.
  public let options: [OptionDescription]

  /// Names a heading.
  public init(_ title: String, _ options: [OptionDescription]) {
    self.title = title
    self.options = options
  }
}
