// What a schema that is made from examples says, and from how many examples on.

extension SchemaInference {
  /// How much is concluded from examples.
  public struct Options: Sendable {
    /// The formats that strings are tried against, the narrower before the wider.
    ///
    /// `hostname` is not among them: most single words are one.
    public static let defaultFormats = [
      "date-time", "date", "time", "uuid", "email", "ipv4", "ipv6", "uri",
    ]

    /// Whether objects may have members that no example has.
    public var isOpen = false
    /// Whether lengths, counts and numbers are bounded by the least and the greatest that were seen.
    public var hasRanges = false
    /// Whether numbers that were always stored as integers, or always as reals, must stay so: `x-plist-type`.
    ///
    /// NSKeyedArchiver may store 64.0 as the 64 that it met before, so this is off.
    public var hasExactNumbers = false
    /// Whether equal shapes in several places stand once, in `$defs`.
    public var hasDefinitions = true
    /// How many different strings an `enum` may have; 0 for no `enum` at all.
    public var enumValues = 8
    /// How often each string of an `enum` must have been seen.
    public var enumRepetitions = 3
    /// How many strings must have been seen in a place before they are called an `enum`.
    public var enumObservations = 20
    /// How many strings must have been seen in a place, all of one format, before the format is required.
    public var formatObservations = 3
    /// The names of the formats that strings are tried against, at most 32.
    public var formats = Options.defaultFormats
    /// Tells whether a text is of a format: `(name, text)`.
    ///
    /// Nil for no formats.
    public var acceptsFormat: (@Sendable (String, String) -> Bool)?
    /// How many different names the dictionaries of a place must have to be a map rather than a record.
    ///
    /// No name may be in more than half of them, and all values must have one shape.
    public var mapNames = 16

    /// Makes the default options.
    public init() {}
  }
}
