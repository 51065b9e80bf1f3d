// Places in the values that a schema describes, as paths of a graph are written, with a star for any member or element.

import ObjectGraph

/// The steps of such a path.
enum ModelPath {
  /// Members that no schema names.
  static let anyMember = ".*"
  /// Elements that no schema tells apart.
  static let anyElement = "[*]"

  /// A member by its name: `.name`, or `['a name']`.
  static func step(_ name: String) -> String {
    String(GraphPath([.key(name)]).description.dropFirst())
  }

  /// An element by its number.
  static func step(_ index: Int) -> String { "[\(index)]" }
}
