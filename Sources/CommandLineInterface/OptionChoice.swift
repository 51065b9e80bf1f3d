// Options whose value is one of a few, as the cases of a type.

/// The values of an option; the first is the default, unless the option has none.
package protocol OptionChoice: RawRepresentable, CaseIterable, Sendable where RawValue == String {}

extension OptionDescription {
  /// An option whose value is a case of a type.
  @inlinable @inline(__always)
  package static func choice<Choice: OptionChoice>(
    _ name: String, valueName: String, of type: Choice.Type, hasDefault: Bool = true, help: String
  ) -> OptionDescription {
    choice(
      name, valueName: valueName, of: type.allCases.map { $0.rawValue }, hasDefault: hasDefault,
      help: help)
  }
}

extension ParsedArguments {
  /// The value of an option; nil if it has neither a value nor a default.
  @inlinable @inline(__always)
  package func choice<Choice: OptionChoice>(
    of option: OptionDescription, as type: Choice.Type = Choice.self
  ) -> Choice? {
    value(of: option).flatMap(Choice.init(rawValue:))
  }
}
