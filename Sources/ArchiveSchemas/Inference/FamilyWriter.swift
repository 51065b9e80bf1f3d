// Writes a version of a schema to the folder of its family: `NAME/family.json` and `NAME/v1.schema.json`.

import ArchiveBasics
import ArchivePropertyLists

/// Writes schema families into a folder.
package struct FamilyWriter {
  private let folder: String
  private let isFamily: Bool
  private let bound: FilePermissions

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - folder: the folder that contains a folder for each family, or gets it.
  ///   - isFamily: whether that is the folder of the only family that is written, whatever it is called.
  ///   - bound: the upper bound of the permissions of new files: what all examples allow.
  package init(folder: String, isFamily: Bool = false, allowing bound: FilePermissions = .any) {
    (self.folder, self.isFamily, self.bound) = (folder, isFamily, bound)
  }

  /// Writes a version and adds its name to the family's file, whose other members are unchanged.
  ///
  /// - Parameters:
  ///   - schema: the version's schema.
  ///   - family: the family's name.
  ///   - version: the version's name: `v1`.
  ///   - title: a description of the model, for a new family; nil for the family's name.
  ///   - replacing: whether an existing version is replaced.
  /// - Throws: `ArchiveError` with code `outOfRange` for an invalid name, `malformed` for an invalid family file,
  ///   `cannotCreate` if the version exists or a file cannot be written. Nothing has changed in these cases.
  package func write(
    _ schema: JSONTree, family: String, version: String, title: String? = nil,
    replacing: Bool = false
  ) throws(ArchiveError) {
    try Self.check(family, what: "family")
    try Self.check(version, what: "version")
    let base = isFamily ? folder : "\(folder)/\(family)"
    let familyPath = "\(base)/family.json"
    let schemaPath = "\(base)/\(version).schema.json"
    let old = try Self.read(familyPath)
    let new = try Self.family(old, named: family, adding: version, title: title, path: familyPath)
    let isNew = access(schemaPath.asPath, F_OK) != 0
    try AtomicFile.makeFolder(base, allowing: bound)
    // The version's file comes first: a family must not name a missing file.
    try Self.write(schema, to: schemaPath, replacing: replacing, bound)
    if new == old { return }
    do throws(ArchiveError) {
      // It has names only, and none of the examples' values.
      try Self.write(new, to: familyPath, replacing: old != nil, old == nil ? bound : .any)
    } catch {
      if isNew { _ = unlink(schemaPath.asPath) }
      throw error
    }
  }

  // MARK: Names

  private static func check(_ name: String, what: String) throws(ArchiveError) {
    let isWrong = name.unicodeScalars.contains { scalar in
      scalar == "/" || scalar == "\\" || scalar == "@" || scalar.properties.isWhitespace
        || scalar.properties.generalCategory == .control
    }
    // A leading dot hides a file or leaves the folder; 200 bytes leave space for the suffixes.
    guard !name.isEmpty, !isWrong, !name.hasPrefix("."), !name.hasPrefix("-"),
      name.utf8.count <= 200
    else {
      throw ArchiveError(
        .outOfRange,
        "'\(name)' cannot be the name of a \(what): a word without slashes, spaces and @ is expected"
      )
    }
  }

  // MARK: The family's file

  private static func read(_ path: String) throws(ArchiveError) -> JSONTree? {
    guard access(path.asPath, F_OK) == 0 else { return nil }
    return try SchemaLibrary.read(path)
  }

  private static func family(
    _ old: JSONTree?, named name: String, adding version: String, title: String?, path: String
  ) throws(ArchiveError) -> JSONTree {
    guard let old else {
      return [
        "family": .string(name), "title": .string(title ?? name), "versions": [.string(version)],
      ]
    }
    guard var members = old.members, old["family"]?.string == name,
      let index = members.lastIndex(where: { $0.0 == "versions" }),
      let versions = members[index].1.list, versions.allSatisfy({ $0.string != nil })
    else {
      throw ArchiveError(
        .malformed, "\(path) is not the file of the family \(name): 'family' and 'versions' differ")
    }
    members[index].1 = .list(adding(version, to: versions.compactMap(\.string)))
    return .members(members)
  }

  /// Inserts a version before the first later one, and leaves the others unchanged.
  private static func adding(_ version: String, to versions: [String]) -> [JSONTree] {
    var versions = versions
    if !versions.contains(version) {
      let index = versions.firstIndex { sortKey(version) < sortKey($0) } ?? versions.endIndex
      versions.insert(version, at: index)
    }
    return versions.map { .string($0) }
  }

  /// A text that sorts as a name does with numbers in numeric order: `v9` before `v10`.
  private static func sortKey(_ name: String) -> String {
    var key = ""
    var others = name[...]
    while let first = others.first {
      let isNumber = ("0"..."9").contains(first)
      let run = others.prefix { ("0"..."9").contains($0) == isNumber }
      others = others.dropFirst(run.count)
      // A longer number is larger.
      let digits = run.drop { $0 == "0" }
      key += isNumber ? String(digits.count, width: 3) + digits : run
    }
    return key
  }

  private static func write(
    _ tree: JSONTree, to path: String, replacing: Bool, _ bound: FilePermissions
  ) throws(ArchiveError) {
    try AtomicFile.write(to: path, existing: replacing ? .replace : .refuse, allowing: bound) {
      (output) throws(ArchiveError) in try tree.write(to: &output)
    }
  }
}
