// Options whose value is one of a few, as the cases of a type.

/// The values of an option; the first is the default, unless the option has none.
///
/// The option is described with `allCases.map { $0.rawValue }`: where the type is known, no metadata is made at a start.
package protocol OptionChoice: RawRepresentable, CaseIterable, Sendable where RawValue == String {}

extension ParsedArguments {
  /// The value of an option; nil if it has neither a value nor a default.
  @inlinable
  package func choice<Choice: OptionChoice>(
    of option: OptionDescription, as type: Choice.Type = Choice.self
  ) -> Choice? {
    value(of: option).flatMap(Choice.init(rawValue:))
  }
}
