// The families that are known in a run.

import Basics

/// Schema families by name.
public final class SchemaCatalog {
  /// The families, in the order in which they are tried.
  public let families: [SchemaFamily]
  let memo = DetectionMemo()

  /// Makes a catalog.
  public init(families: [SchemaFamily]) { self.families = families }

  /// The families that are built into the program.
  ///
  /// - Throws: `ArchiveError` if one of them is invalid.
  public static func builtIn(
    options: SchemaVersion.Options = .init()
  ) throws(ArchiveError) -> SchemaCatalog {
    try SchemaCatalog(folders: [], options: options)
  }

  /// Makes a catalog of the families in folders and the built-in ones; of two with one name, the first counts.
  ///
  /// - Parameter folders: each contains a family, or folders of families.
  /// - Throws: `ArchiveError` that names the invalid file.
  public init(
    folders: [String], options: SchemaVersion.Options = .init()
  ) throws(ArchiveError) {
    var families: [SchemaFamily] = []
    let library = SchemaLibrary(folders: folders)
    for folder in folders {
      for path in try Self.families(in: folder) {
        let family = try FamilyFolder(path: path, library: library, options: options).read()
        if !families.contains(where: { $0.name == family.name }) { families.append(family) }
      }
    }
    for files in BuiltInFamilies.all {
      let family = try files.read(options)
      if !families.contains(where: { $0.name == family.name }) { families.append(family) }
    }
    self.families = families
  }

  private static func families(in folder: String) throws(ArchiveError) -> [String] {
    do throws(ArchiveError) {
      return try FamilyFolder.families(in: folder)
    } catch {
      throw error.inFile(folder)
    }
  }

  /// The family with a name; nil if there is none.
  public func family(_ name: String) -> SchemaFamily? { families.first { $0.name == name } }

  /// Every version of every family.
  public var versions: [SchemaVersion] { families.flatMap(\.versions) }
}
