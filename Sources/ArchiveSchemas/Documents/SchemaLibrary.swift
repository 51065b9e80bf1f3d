// Finds the schemas that other schemas refer to: in folders, and among the built-in meta-schemas.

import ArchiveBasics
import ArchivePropertyLists

/// Folders of schema files.
///
/// A URI is resolved to the file with that `$id`, or to the file at its path below a folder:
/// `https://example.com/models/city.json` as `models/city.json` or `city.json`. The network is never used.
package final class SchemaLibrary {
  /// The most files that a folder may contain; a larger one is unlikely to be meant as a schema folder.
  private static let mostFiles = 20_000

  private let folders: [String]
  /// Folders in which relative references between files are followed; they are never listed.
  private let siblingFolders: [String]
  private var paths: [String: String] = [:]
  private var isListed = false
  private var identified: [String: String]?
  private var families: [(name: String, path: String)]?

  /// Makes a library.
  ///
  /// - Parameters:
  ///   - folders: the folders to search, in order of precedence.
  ///   - files: schema files that may refer to files beside or below them by relative references.
  package init(folders: [String] = [], besides files: [String] = []) {
    self.folders = folders.map(FolderListing.absolute)
    siblingFolders = files.map { file in
      String(FolderListing.absolute(file).reversed().drop { $0 != "/" }.dropFirst().reversed())
    }
  }

  /// The URI of a file, with percent encoding for characters that have a meaning in a URI.
  package static func uri(ofFile path: String) -> String {
    "file://" + PercentEncoding.encoded(FolderListing.absolute(path))
  }

  /// The document at a URI without a fragment; nil if there is none.
  ///
  /// - Throws: `ArchiveError` if the file at that URI cannot be read.
  func document(_ uri: String) throws(ArchiveError) -> JSONTree? {
    if let path = try path(uri) { return try Self.read(path) }
    return try MetaSchemas.document(uri)
  }

  /// `Influence@v1` in a reference that names a version of a family; nil for other references.
  package static func label(_ reference: String) -> String? {
    let path = URLReference(reference).path
    guard let last = path.split(separator: "/").last.map(String.init),
      let label = PercentEncoding.decoded(last), let at = label.lastIndex(of: "@"),
      at != label.startIndex, label.index(after: at) != label.endIndex
    else { return nil }
    return label
  }

  /// The version that a schema only refers to: `Influence@v1`; nil for other schemas.
  package static func label(ofReference tree: JSONTree) -> String? {
    guard tree.members?.count == 1, let text = tree["$ref"]?.string, !text.contains("/"),
      !text.contains("#")
    else { return nil }
    return label(text)
  }

  /// The schema of a version that a URI ends in: `Influence@v1`, of a family in the folders or of a built-in one.
  ///
  /// - Throws: `ArchiveError` if the file of that version cannot be read.
  func version(_ uri: String) throws(ArchiveError) -> (tree: JSONTree, uri: String)? {
    guard let label = Self.label(uri), let at = label.lastIndex(of: "@") else { return nil }
    let (family, version) = (String(label[..<at]), String(label[label.index(after: at)...]))
    for folder in try familyFolders() where folder.name == family {
      let path = folder.path + "/" + FamilyFolder.schemaFile(version)
      guard !version.contains("/"), FolderListing.isFile(path) else { return nil }
      return (try Self.read(path), Self.uri(ofFile: path))
    }
    guard let tree = try BuiltInFamilies.schema(of: family, version) else { return nil }
    return (tree, label)
  }

  /// The families in the folders by name, in order of precedence.
  private func familyFolders() throws(ArchiveError) -> [(name: String, path: String)] {
    if let known = families { return known }
    var found: [(name: String, path: String)] = []
    for folder in folders + siblingFolders {
      for path in try FamilyFolder.families(in: folder) {
        let tree = try Self.read(path + "/" + FamilyFolder.familyFile)
        if let name = tree["family"]?.string { found.append((name, path)) }
      }
    }
    families = found
    return found
  }

  private func path(_ uri: String) throws(ArchiveError) -> String? {
    let reference = URLReference(uri)
    if reference.scheme == "file" { return sibling(reference.path) }
    try list()
    if let path = identifiers()[uri] { return path }
    // The longest suffix of the path that matches a file.
    let decoded = PercentEncoding.decoded(reference.path) ?? reference.path
    var rest = decoded.split(separator: "/")[...]
    while !rest.isEmpty {
      if let path = paths[rest.joined(separator: "/")] { return path }
      rest.removeFirst()
    }
    return nil
  }

  /// The file of a `file:` URI, if it is beside or below a file or folder that was named.
  private func sibling(_ path: String) -> String? {
    // The path is decoded before the check: `%2e%2e` leads to the parent folder, and links are resolved.
    guard let decoded = PercentEncoding.decoded(path), let path = FolderListing.resolved(decoded),
      FolderListing.isFile(path),
      (siblingFolders + folders).contains(where: { folder in
        guard let folder = FolderListing.resolved(folder) else { return false }
        return path.hasPrefix(folder == "/" ? "/" : folder + "/")
      })
    else { return nil }
    return path
  }

  /// Finds the JSON files below the folders.
  private func list() throws(ArchiveError) {
    guard !isListed else { return }
    isListed = true
    for folder in folders {
      var pending: [(path: String, relative: String)] = [(folder, "")]
      while let (path, relative) = pending.popLast() {
        // A folder below a named one may be unreadable.
        let names =
          relative.isEmpty ? try Self.names(in: path) : (try? Self.names(in: path)) ?? []
        for text in names {
          let child = (path: path + "/" + text, relative: relative + text)
          if text.hasSuffix(".json") {
            // Reading something other than a regular file might never end.
            if paths[child.relative] == nil, FolderListing.isFile(child.path) {
              paths[child.relative] = child.path
            }
          } else if !text.hasPrefix("."), FolderListing.isFolder(child.path),
            relative.utf8.count < 1024
          {
            pending.append((child.path, child.relative + "/"))
          }
        }
        if paths.count > Self.mostFiles {
          throw ArchiveError(
            .limit, "has more than \(Self.mostFiles) JSON files; name a folder of schemas",
            file: folder)
        }
      }
    }
  }

  /// The files by their `$id`; files that are not JSON are skipped, and reported only if they are named.
  private func identifiers() -> [String: String] {
    if let identified { return identified }
    var found: [String: String] = [:]
    for (_, path) in paths.sorted(by: { $0.key < $1.key }) {
      guard let tree = try? Self.read(path), let id = tree["$id"]?.string else { continue }
      let uri = PercentEncoding.normalized(String(id.prefix { $0 != "#" }))
      if found[uri] == nil { found[uri] = path }
    }
    identified = found
    return found
  }

  /// The names of what a folder has.
  static func names(in folder: String) throws(ArchiveError) -> [String] {
    try ArchiveError.inFile(folder) { () throws(ArchiveError) in
      try FolderListing.names(in: folder).map { String(pathBytes: $0) }
    }
  }

  /// Reads a JSON file.
  ///
  /// - Throws: `ArchiveError` that names the file.
  package static func read(_ path: String) throws(ArchiveError) -> JSONTree {
    try ArchiveError.inFile(path) { () throws(ArchiveError) in
      try JSONTree(json: ByteStorage.open(path: path))
    }
  }
}
