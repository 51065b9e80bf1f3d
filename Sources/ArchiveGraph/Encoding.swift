// How the bytes of a document encode values, and what everything above asks of that.

/// How bytes encode values: the lowest of the three layers.
///
/// Each format declares its own encoding beside its reader.
public struct Encoding: Sendable {
  /// What distinguishes encodings from one another.
  public struct Traits: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes traits of their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The bytes are text, which has lines and columns.
    package static let text = Traits(rawValue: 1)
    /// The file is the table: values have extents in it, are shared, and may overlap or hold themselves.
    package static let table = Traits(rawValue: 1 << 1)
    /// The values may be those of a keyed archive.
    package static let archives = Traits(rawValue: 1 << 2)
    /// The reader makes the values of others: no value is in the file as it is shown.
    package static let translated = Traits(rawValue: 1 << 3)
    /// The bytes of a data value are in the file as they are, at the value's offset.
    package static let verbatimData = Traits(rawValue: 1 << 4)
    /// A number may be stored as a string of its digits.
    package static let textualNumbers = Traits(rawValue: 1 << 5)
    /// The name begins with a vowel's sound.
    package static let vowel = Traits(rawValue: 1 << 6)
  }

  private let staticName: StaticString
  /// What distinguishes the encoding from others.
  package let traits: Traits

  /// Declares an encoding.
  ///
  /// - Parameter name: its name in messages and reports, without an article; no two encodings share one.
  package init(_ name: StaticString, _ traits: Traits) {
    staticName = name
    self.traits = traits
  }

  /// Values that archtool made and has not yet written.
  package static let memory = Encoding("memory", .archives)

  /// The name in messages and reports, without an article.
  package var name: String { staticName.description }

  /// The name with its article: `an XML property list`.
  package var nameWithArticle: String { (traits.contains(.vowel) ? "an " : "a ") + name }

  /// Whether the bytes are text.
  package var isText: Bool { traits.contains(.text) }

  /// Whether the file is the table of values itself.
  package var isTable: Bool { traits.contains(.table) }

  /// Whether the values may be those of a keyed archive.
  package var isArchivePossible: Bool { traits.contains(.archives) }

  /// Whether no value is in the file as it is shown.
  package var isTranslated: Bool { traits.contains(.translated) }

  /// Whether the reader presents the input as a keyed archive, although the file is not one.
  package var isLaidOutAsArchive: Bool { traits.isSuperset(of: [.archives, .translated]) }
}

extension Encoding: Equatable {
  /// Whether two encodings are the same one.
  public static func == (left: Encoding, right: Encoding) -> Bool {
    // Nearly always the same constant.
    left.staticName.utf8Start == right.staticName.utf8Start || left.name == right.name
  }
}
