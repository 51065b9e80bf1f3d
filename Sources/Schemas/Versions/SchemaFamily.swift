// A family of schemas: one model in all versions that an application has written.

import Basics
import PropertyLists

/// A family of schemas.
public final class SchemaFamily {
  /// A payload that a service sends instead of the model when a request fails.
  public struct ErrorPayload: Sendable {
    /// The name of the payload.
    public let name: String
    /// The member that holds the error's code.
    public let code: String
    /// The member that holds the error's message.
    public let message: String
  }

  /// How a model is created from a service's answer.
  public struct Creation: Sendable {
    /// The member that a plain list becomes.
    public let list: String
    /// The member with the time when the answer was fetched.
    public let stamp: String
  }

  /// The family's name.
  public let name: String
  /// A description of the model.
  public let title: String
  /// The versions, oldest first.
  public let versions: [SchemaVersion]
  /// The payloads of errors that may replace the model.
  public let errorPayloads: [ErrorPayload]
  /// How a model is created from a service's answer; nil if the answer is the model.
  public let creation: Creation?

  /// The folder that it was read from; nil for built-in families.
  public let folder: String?
  /// Whether the program has it from the start, as an example.
  var isBuiltIn: Bool { folder == nil }

  /// Reads a family.
  ///
  /// - Parameters:
  ///   - tree: `family.json`.
  ///   - folder: the folder of the file.
  ///   - version: returns the version with a name.
  /// - Throws: `ArchiveError` if one of the files is invalid.
  init(
    _ tree: JSONTree, folder: String? = nil,
    version: (_ family: String, _ name: String) throws(ArchiveError) -> SchemaVersion
  ) throws(ArchiveError) {
    guard let name = tree["family"]?.string, !name.isEmpty, !name.contains("@") else {
      throw ArchiveError(
        .malformed, "the family must have a name, without '@', in 'family'",
        path: GraphPath([.key("family")]))
    }
    guard let names = tree["versions"]?.list?.compactMap(\.string), !names.isEmpty,
      Set(names).count == tree["versions"]?.list?.count
    else {
      throw ArchiveError(
        .malformed, "the family must list its versions, oldest first, in 'versions'",
        path: GraphPath([.key("versions")]))
    }
    self.name = name
    self.folder = folder
    title = tree["title"]?.string ?? name
    var versions: [SchemaVersion] = []
    for each in names { versions.append(try version(name, each)) }
    self.versions = versions
    errorPayloads = Self.errorPayloads(tree["errorPayloads"])
    creation = tree["create"].flatMap { create in
      guard let list = create["list"]?.string, let stamp = create["stamp"]?.string else {
        return nil
      }
      return Creation(list: list, stamp: stamp)
    }
  }

  private static func errorPayloads(_ tree: JSONTree?) -> [ErrorPayload] {
    (tree?.list ?? []).compactMap { payload in
      guard let name = payload["name"]?.string, let code = payload["code"]?.string,
        let message = payload["message"]?.string
      else { return nil }
      return ErrorPayload(name: name, code: code, message: message)
    }
  }

  /// The version with a name; nil if there is none.
  public func version(_ name: String) -> SchemaVersion? { versions.first { $0.name == name } }
}

// MARK: - The families that are known in a run

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

// MARK: - Families in folders: `family.json` and a schema for each version

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
