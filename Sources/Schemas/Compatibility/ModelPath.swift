// Places in the values that a schema describes, as paths of a graph are written, with a star for any member or element.

import ObjectGraph

/// The steps of such a path.
package enum ModelPath {
  /// Members that no schema names.
  package static let anyMember = ".*"
  /// Elements that no schema tells apart.
  package static let anyElement = "[*]"

  /// A member by its name: `.name`, or `['a name']`.
  package static func step(_ name: String) -> String {
    String(GraphPath([.key(name)]).description.dropFirst())
  }

  /// An element by its number.
  package static func step(_ index: Int) -> String { "[\(index)]" }
}
