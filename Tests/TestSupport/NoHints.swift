// A shape without knowledge, for writers that ask for one.

import ArchiveGraph
import ArchiveWriting

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
