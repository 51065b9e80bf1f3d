// Families in folders: `family.json` and a schema for each version.

import Basics
import PropertyLists

/// A folder that contains a family, or several such folders.
public struct FamilyFolder {
  /// The file that makes a folder a family.
  static let familyFile = "family.json"

  /// The folder.
  public let path: String
  /// Where to find schemas that those of the family refer to.
  private let library: SchemaLibrary
  private let options: SchemaVersion.Options

  /// Names a folder.
  public init(path: String, library: SchemaLibrary, options: SchemaVersion.Options = .init()) {
    self.path = path
    self.library = library
    self.options = options
  }

  /// The file name of a version's schema.
  public static func schemaFile(_ version: String) -> String { "\(version).schema.json" }

  /// The family folders in a folder: the folder itself, or those directly below it.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen`.
  public static func families(in folder: String) throws(ArchiveError) -> [String] {
    let names = try FolderListing.names(in: folder).map { String(pathBytes: $0) }
    if names.contains(familyFile) { return [folder] }
    return names.map { folder + "/" + $0 }.filter {
      FolderListing.isFile($0 + "/" + familyFile)
    }
  }

  /// Reads the family.
  ///
  /// - Throws: `ArchiveError` that names the invalid file.
  public func read() throws(ArchiveError) -> SchemaFamily {
    let file = path + "/" + Self.familyFile
    let tree = try SchemaLibrary.read(file)
    return try naming(file) { () throws(ArchiveError) in
      try SchemaFamily(tree, folder: path) { (family, name) throws(ArchiveError) in
        try version(name, of: family)
      }
    }
  }

  private func version(
    _ name: String, of family: String
  ) throws(ArchiveError) -> SchemaVersion {
    guard !name.contains("/"), !name.isEmpty else {
      throw ArchiveError(
        .malformed, "'\(name)' cannot be the name of a version", path: GraphPath([.key("versions")])
      )
    }
    let file = path + "/" + Self.schemaFile(name)
    let tree = try SchemaLibrary.read(file)
    return try naming(file) { () throws(ArchiveError) in
      try SchemaVersion(
        family: family, name: name, tree: tree, uri: SchemaLibrary.uri(ofFile: file),
        library: library, options: options, permissions: FilePermissions(of: file))
    }
  }

  private func naming<Result>(
    _ file: String, _ body: () throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    do throws(ArchiveError) {
      return try body()
    } catch {
      throw error.inFile(file)
    }
  }
}
