// How objects of value classes are laid out in typedstreams; each class names the layout that it has.

/// From the values that a class writes one after another to the keys that it has in keyed archives.
public struct StreamLayout: Sendable {
  typealias Translator =
    @Sendable (
      StreamObject, inout StreamTables, inout StreamAssembly
    ) -> UInt32?

  /// Adds an object; nil for one that does not fit exactly, which keeps its groups.
  let add: Translator

  private init(_ add: @escaping Translator) { self.add = add }
}

extension StreamLayout {
  /// The characters; stored bare.
  package static let string = StreamLayout { FoundationGroups.string($0, &$1, &$2) }
  /// The characters.
  package static let mutableString = StreamLayout { FoundationGroups.mutableString($0, &$1, &$2) }
  /// A length and bytes; stored bare.
  package static let data = StreamLayout { FoundationGroups.data($0, &$1, &$2) }
  /// A length and bytes.
  package static let mutableData = StreamLayout { FoundationGroups.mutableData($0, &$1, &$2) }
  /// Seconds from 2001.
  package static let date = StreamLayout { FoundationGroups.date($0, &$1, &$2) }
  /// A count and the elements.
  package static let list = StreamLayout { FoundationGroups.list($0, &$1, &$2) }
  /// A count, then each key with its value.
  package static let dictionary = StreamLayout { FoundationGroups.dictionary($0, &$1, &$2) }
  /// A type and a number of it.
  package static let number = StreamLayout { FoundationGroups.number($0, &$1, &$2) }
  /// A type and a structure of it.
  package static let value = StreamLayout { FoundationGroups.value($0, &$1, &$2) }
  /// Whether a base follows, the base, and the relative part.
  package static let url = StreamLayout { FoundationGroups.url($0, &$1, &$2) }
  /// Nothing.
  package static let null = StreamLayout { FoundationGroups.null($0, &$1, &$2) }
  /// The string, then its runs.
  package static let attributedString = StreamLayout {
    FoundationGroups.attributedString($0, &$1, &$2)
  }
  /// A color space and its components.
  package static let color = StreamLayout { FoundationGroups.color($0, &$1, &$2) }
}
