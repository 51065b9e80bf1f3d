// The families that a run knows.

import ObjectGraph

/// Schema families by name.
public final class SchemaCatalog {
  /// The families, in the order in which they are tried.
  public let families: [SchemaFamily]

  /// Makes a catalog.
  public init(families: [SchemaFamily]) { self.families = families }

  /// The families that are built into the program.
  ///
  /// - Throws: `ArchiveError` if one of them is wrong.
  public static func builtIn() throws(ArchiveError) -> SchemaCatalog {
    var families: [SchemaFamily] = []
    for files in BuiltInFamilies.all {
      families.append(try SchemaFamily(json: files.family, schemas: files.schemas))
    }
    return SchemaCatalog(families: families)
  }

  /// The family of a name, nil if there is none.
  public func family(_ name: String) -> SchemaFamily? { families.first { $0.name == name } }

  /// Every version of every family.
  public var versions: [SchemaVersion] { families.flatMap(\.versions) }
}
