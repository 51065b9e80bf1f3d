// A schema's knowledge of a model's types, for writers that must encode values as a coder would.

import ArchiveGraph
import KeyedArchives

/// The type that a model's number has in the application; booleans are numbers of 0 and 1 in NSNumber.
package enum NumberShape: Sendable {
  /// As it is.
  case any
  /// An integer: an integral real is written as one.
  case integer
  /// A real: an integer is written as one.
  case real
  /// A boolean: 0 and 1 are written as one.
  case boolean
}

/// The application's type of a model's string.
package enum ExactShape: Sendable {
  /// A string, or anything else.
  case any
  /// A date, and nothing but a date or nil.
  case date
  /// Data, and nothing but data or nil.
  case data
}

/// A description of a model by numbered locations; location 0 is about nothing.
package protocol TypeHints {
  /// The location of the whole model.
  var root: Int { get }
  /// The location of a member; nil if the model has no such member.
  func member(_ schemaIndex: Int, _ key: Text) -> Int?
  /// The location of a list's elements.
  func element(_ schemaIndex: Int) -> Int
  /// The type of a number.
  func number(_ schemaIndex: Int) -> NumberShape
  /// The known classes and storage, or nil.
  func structure(_ schemaIndex: Int) -> StructureRule?
  /// Whether a value is a date or data.
  func exactType(_ schemaIndex: Int) -> ExactShape
  /// Whether a member is one that the description names.
  func names(_ name: String, in schemaIndex: Int) -> Bool
  /// Whether a member may be null.
  func allowsNull(_ name: String, in schemaIndex: Int) -> Bool
  /// The form of the model in JSON.
  var jsonCoding: JSONCoding { get }
  /// The Foundation that reads archives of the model.
  var foundation: FoundationKind { get }
}

extension TypeHints {
  /// Nothing is known unless a shape declares it.
  package func structure(_ schemaIndex: Int) -> StructureRule? { nil }
  /// Nothing is known to be a date or data.
  package func exactType(_ schemaIndex: Int) -> ExactShape { .any }
  /// No member is named.
  package func names(_ name: String, in schemaIndex: Int) -> Bool { false }
  /// No member may be null.
  package func allowsNull(_ name: String, in schemaIndex: Int) -> Bool { false }
  /// As a new JSONEncoder does it.
  package var jsonCoding: JSONCoding { JSONCoding() }
  /// Apple's.
  package var foundation: FoundationKind { .apple }

  /// The location of a member by its name; 0 for unknown members.
  package func schemaIndex(of name: String, in schemaIndex: Int) -> Int {
    var name = name
    return name.withUTF8 { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return member(
        schemaIndex, Text(base: UnsafeRawPointer(base), byteCount: bytes.count, form: .utf8)) ?? 0
    }
  }
}

/// A shape without knowledge: every value is accepted unchanged.
package struct NoHints: TypeHints {
  /// Makes the shape.
  package init() {}
  /// The only location.
  package var root: Int { 0 }
  /// Every member is taken as it is.
  package func member(_ schemaIndex: Int, _ key: Text) -> Int? { 0 }
  /// Every element is taken as it is.
  package func element(_ schemaIndex: Int) -> Int { 0 }
  /// Every number is taken as it is.
  package func number(_ schemaIndex: Int) -> NumberShape { .any }
}
