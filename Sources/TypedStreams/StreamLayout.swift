// How objects of value classes are laid out in typedstreams; each class names the layout that it has.

/// From the values that a class writes one after another to the keys that it has in keyed archives.
public enum StreamLayout: Sendable {
  /// The characters; stored bare.
  case string
  /// The characters.
  case mutableString
  /// A length and bytes; stored bare.
  case data
  /// A length and bytes.
  case mutableData
  /// Seconds from 2001.
  case date
  /// A count and the elements.
  case list
  /// A count, then each key with its value.
  case dictionary
  /// A type and a number of it.
  case number
  /// A type and a structure of it.
  case value
  /// Whether a base follows, the base, and the relative part.
  case url
  /// Nothing.
  case null
  /// The string, then its runs.
  case attributedString
  /// A color space and its components.
  case color

  /// Adds an object; nil for one that does not fit exactly, which keeps its groups.
  func add(
    _ object: StreamObject, _ tables: inout StreamTables, _ assembly: inout StreamAssembly
  ) -> UInt32? {
    switch self {
    case .string: FoundationGroups.string(object, &tables, &assembly)
    case .mutableString: FoundationGroups.mutableString(object, &tables, &assembly)
    case .data: FoundationGroups.data(object, &tables, &assembly)
    case .mutableData: FoundationGroups.mutableData(object, &tables, &assembly)
    case .date: FoundationGroups.date(object, &tables, &assembly)
    case .list: FoundationGroups.list(object, &tables, &assembly)
    case .dictionary: FoundationGroups.dictionary(object, &tables, &assembly)
    case .number: FoundationGroups.number(object, &tables, &assembly)
    case .value: FoundationGroups.value(object, &tables, &assembly)
    case .url: FoundationGroups.url(object, &tables, &assembly)
    case .null: FoundationGroups.null(object, &tables, &assembly)
    case .attributedString: FoundationGroups.attributedString(object, &tables, &assembly)
    case .color: FoundationGroups.color(object, &tables, &assembly)
    }
  }
}
