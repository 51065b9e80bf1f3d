// The locations of a command's schemas: those on the command line, then the documented ones.

import Basics
import CommandLineInterface
import Schemas

/// The schema folders, and the schemas in them.
struct SchemaSources {
  /// The folders, those of the command line first.
  let folders: [String]
  private let options: SchemaVersion.Options

  init(_ arguments: ParsedArguments, assertsFormats: Bool = false) {
    options = SchemaVersion.Options(
      assertsFormats: assertsFormats || arguments.has(.assertFormats))
    folders = arguments.values(of: .schemaFolders) + Self.documentedFolders
  }

  /// The folders of `--schemas`, before the documented ones.
  init(folders: [String]) {
    options = SchemaVersion.Options()
    self.folders = folders + Self.documentedFolders
  }

  /// `$ARCHTOOL_SCHEMAS` (folders separated by colons) and `$XDG_CONFIG_HOME/archtool/schemas`.
  ///
  /// A missing folder in the environment is ignored: only one on the command line is required to exist.
  private static var documentedFolders: [String] {
    var folders = (XDGFolder.variable("ARCHTOOL_SCHEMAS") ?? "").split(separator: ":")
      .map(String.init)
    if let base = XDGFolder.configuration { folders.append(base + "/archtool/schemas") }
    return folders.filter(FolderListing.isFolder)
  }

  /// Every family.
  ///
  /// - Throws: `ArchiveError` that names the invalid file.
  func catalog() throws(ArchiveError) -> SchemaCatalog {
    try SchemaCatalog(folders: folders, options: options)
  }

  /// A single schema in a file.
  func version(file path: String) throws -> SchemaVersion {
    if path == "-" { throw UsageError("a schema cannot be read from standard input; name a file") }
    if FolderListing.isFolder(path) {
      throw ArchiveError(.cannotOpen, "is a folder; a schema is a file", file: path)
    }
    return try SchemaVersion(
      file: path, library: SchemaLibrary(folders: folders, besides: [path]), options: options)
  }

  /// The schema that an operand names: `NAME@VERSION`, or a file.
  func version(_ operand: String) throws -> SchemaVersion {
    if operand.hasSuffix(".json") || FolderListing.isFile(operand) {
      return try version(file: operand)
    }
    let catalog = try catalog()
    let name = operand.prefix { $0 != "@" }
    guard catalog.family(String(name)) != nil else {
      throw UsageError(
        "'\(operand)' is neither a file nor a schema family that is known; 'archtool schema list' lists them"
      )
    }
    let selection = try SchemaSelection(operand, in: catalog)
    guard let version = selection.version else {
      throw UsageError("'\(operand)' names a family; name a version of it, as in \(operand)@v1")
    }
    return version
  }
}
