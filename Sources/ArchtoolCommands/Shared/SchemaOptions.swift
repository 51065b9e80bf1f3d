// Options that select the available schemas.

import ArchiveBasics
import ArchiveSchemas
import CommandLineInterface

extension OptionDescription {
  static let schemaFolders = text(
    "schemas", valueName: "DIR", isRepeatable: true,
    help: """
      Look for schemas in the folder DIR. These may be families, or schemas that others \
      refer to.
      """)

  static let schemaFile = text(
    "schema-file", valueName: "SCHEMA",
    completedFrom: .files,
    help: """
      Check against the JSON Schema in the file SCHEMA. Inputs may then be JSON as well.
      """)

  static let assertFormats = flag(
    "assert-formats",
    help: "Treat a string in the wrong format as a violation.")

  static let meta = flag(
    "meta", help: "Show the meta-schema of archtool's schemas.")

  static let className = text(
    "class", valueName: "NAME",
    completedFrom: .classes,
    help: """
      Set the class of the root object to NAME. This is for v0 archives; App.MovieClass is \
      such a NAME.
      """)
}

// MARK: - The schema that `--schema NAME[@VERSION]` selects

struct SchemaSelection {
  let family: SchemaFamily?
  let version: SchemaVersion?

  /// Finds the family and version; neither if nothing is selected.
  init(_ text: String?, in catalog: SchemaCatalog) throws(UsageError) {
    guard let text else {
      (family, version) = (nil, nil)
      return
    }
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let family = try Self.family(String(parts[0]), in: catalog)
    self.family = family
    version = parts.count > 1 ? try Self.version(String(parts[1]), of: family) : nil
  }

  static func family(_ name: String, in catalog: SchemaCatalog) throws(UsageError) -> SchemaFamily {
    if let family = catalog.family(name) { return family }
    let names = catalog.families.map(\.name)
    throw UsageError(unknown("schema family", name, among: names))
  }

  static func version(
    _ name: String, of family: SchemaFamily
  ) throws(UsageError) -> SchemaVersion {
    if let version = family.version(name) { return version }
    let names = family.versions.map(\.name)
    throw UsageError(unknown("version of \(family.name)", name, among: names))
  }

  /// The shortest name for which a suggestion is made.
  private static let shortestGuessed = 4

  static func unknown(_ kind: String, _ name: String, among names: [String]) -> String {
    let nearest = Suggestion.nearest(to: name, among: names).map { "; did you mean '\($0)'?" }
    let list = names.isEmpty ? "" : "; there are \(names.joined(separator: ", "))"
    // Names such as v1 and v2 are all equally near.
    let hint = name.count < shortestGuessed ? list : nearest ?? list
    return "unknown \(kind) '\(name)'" + hint
  }
}

// MARK: - The locations of a command's schemas

struct SchemaSources {
  /// The folders, those of the command line first.
  let folders: [String]
  private let assertsFormats: Bool

  init(_ arguments: ParsedArguments, assertsFormats: Bool = false) {
    self.assertsFormats = assertsFormats || arguments.has(.assertFormats)
    folders = arguments.values(of: .schemaFolders) + Self.documentedFolders
  }

  /// The folders of `--schemas`, before the documented ones.
  init(folders: [String]) {
    assertsFormats = false
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
    try SchemaCatalog(folders: folders, assertsFormats: assertsFormats)
  }

  func version(file path: String) throws -> SchemaVersion {
    if path == "-" { throw UsageError("a schema cannot be read from standard input; name a file") }
    if FolderListing.isFolder(path) {
      throw ArchiveError(.cannotOpen, "is a folder; a schema is a file", file: path)
    }
    return try SchemaVersion(
      file: path, library: SchemaLibrary(folders: folders, besides: [path]),
      assertsFormats: assertsFormats)
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
