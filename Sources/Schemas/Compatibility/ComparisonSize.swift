// Schemas that are too large to be compared: each branch of one may have to be held against each of the other.

import Basics
import ObjectGraph
import PropertyLists

/// Bounds on what is compared.
enum ComparisonSize {
  private static let bounds = [
    "anyOf": 4_000, "oneOf": 4_000, "allOf": 4_000, "prefixItems": 20_000, "properties": 20_000,
    "patternProperties": 4_000, "required": 20_000, "dependentRequired": 20_000,
    "dependentSchemas": 4_000,
  ]

  /// Checks a schema.
  ///
  /// - Throws: `ArchiveError` with code `limit` and the place of a keyword that has too many parts.
  static func check(_ tree: JSONTree) throws(ArchiveError) {
    var waiting = [(tree: tree, path: GraphPath())]
    while let (tree, path) = waiting.popLast() {
      for (index, item) in (tree.list ?? []).enumerated() where isContainer(item) {
        waiting.append((item, path.appending(.index(index))))
      }
      for (name, value) in tree.members ?? [] where isContainer(value) {
        let count = value.list?.count ?? value.members?.count ?? 0
        if let bound = bounds[name], count > bound {
          throw ArchiveError(
            .limit, "'\(name)' has \(count) parts; schemas with up to \(bound) are compared",
            path: path.appending(.key(name)).description)
        }
        waiting.append((value, path.appending(.key(name))))
      }
    }
  }

  private static func isContainer(_ tree: JSONTree) -> Bool {
    tree.list != nil || tree.members != nil
  }
}
