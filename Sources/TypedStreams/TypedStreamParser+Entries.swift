// What the parser remembers of a number in the tables of a typedstream.

extension TypedStreamParser {
  /// The meaning of a number in the table that objects, classes and C strings share: 4 bytes, since there are very many.
  struct Entry {
    /// Numbers are below this: a stream that has more of anything is refused.
    static let bound = 1 << 29

    private let bits: Int32

    /// The number is below `bound`.
    private init(_ kind: Int32, _ number: Int) {
      bits = Int32(truncatingIfNeeded: number) << 2 | kind
    }

    static func object(_ number: Int) -> Entry { Entry(0, number) }
    /// A class; -1 if its own superclass is still to be read.
    static func type(_ number: Int) -> Entry { Entry(1, number) }
    /// A C string by its number among the shared strings.
    static func text(_ number: Int) -> Entry { Entry(2, number) }

    var object: Int? { bits & 3 == 0 ? Int(bits >> 2) : nil }
    var type: Int? { bits & 3 == 1 ? Int(bits >> 2) : nil }
    var text: Int? { bits & 3 == 2 ? Int(bits >> 2) : nil }
  }

  /// A shared string as the types of groups.
  struct TypeString {
    /// Its list of types; -1 if it was not asked for.
    var list = -1
    /// See `StreamTypes`.
    var letter: UInt8 = 0
    /// What each group but the first costs.
    var cost = 0
  }
}
