// A family of schemas: one model in all versions that an application has written.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// A family of schemas.
package final class SchemaFamily {
  /// A payload that a service sends instead of the model when a request fails.
  package struct ErrorPayload: Sendable {
    /// The name of the payload.
    package let name: String
    /// The member that holds the error's code.
    package let code: String
    /// The member that holds the error's message.
    package let message: String
  }

  /// How a model is created from a service's answer.
  package struct Creation: Sendable {
    /// The member that a plain list becomes.
    package let list: String
    /// The member with the time when the answer was fetched.
    package let stamp: String
  }

  /// The family's name.
  package let name: String
  /// A description of the model.
  package let title: String
  /// The versions, oldest first.
  package let versions: [SchemaVersion]
  /// The payloads of errors that may replace the model.
  package let errorPayloads: [ErrorPayload]
  /// How a model is created from a service's answer; nil if the answer is the model.
  package let creation: Creation?
  /// What it says of the losses of migrations.
  package let losses: FamilyLosses

  /// The folder that it was read from; nil for built-in families.
  package let folder: String?
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
    losses = try FamilyLosses(tree[FamilyLosses.member], versions: names)
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
  package func version(_ name: String) -> SchemaVersion? { versions.first { $0.name == name } }
}

// MARK: - The families that are known in a run

/// Schema families by name.
package final class SchemaCatalog {
  /// The families, in the order in which they are tried.
  package let families: [SchemaFamily]
  let memo = DetectionMemo()

  /// Makes a catalog.
  package init(families: [SchemaFamily]) { self.families = families }

  /// Makes a catalog of the families in folders and the built-in ones; of two with one name, the first counts.
  ///
  /// - Parameter folders: each contains a family, or folders of families.
  /// - Throws: `ArchiveError` that names the invalid file.
  package init(folders: [String], assertsFormats: Bool = false) throws(ArchiveError) {
    var all: [SchemaFamily] = []
    let library = SchemaLibrary(folders: folders)
    for folder in folders {
      for path in try FamilyFolder.families(in: folder) {
        all.append(
          try FamilyFolder(path: path, library: library, assertsFormats: assertsFormats).read())
      }
    }
    for files in BuiltInFamilies.all { all.append(try files.read(assertsFormats: assertsFormats)) }
    var names: Set<String> = []
    families = all.filter { names.insert($0.name).inserted }
  }

  /// The family with a name; nil if there is none.
  package func family(_ name: String) -> SchemaFamily? { families.first { $0.name == name } }

  /// Every version of every family.
  package var versions: [SchemaVersion] { families.flatMap(\.versions) }
}

// MARK: - Families in folders: `family.json` and a schema for each version

/// A folder that contains a family, or several such folders.
package struct FamilyFolder {
  /// The file that makes a folder a family.
  static let familyFile = "family.json"

  /// The folder.
  package let path: String
  /// Where to find schemas that those of the family refer to.
  private let library: SchemaLibrary
  private let assertsFormats: Bool

  /// Names a folder.
  package init(path: String, library: SchemaLibrary, assertsFormats: Bool = false) {
    (self.path, self.library, self.assertsFormats) = (path, library, assertsFormats)
  }

  /// The file name of a version's schema.
  package static func schemaFile(_ version: String) -> String { "\(version).schema.json" }

  /// The family folders in a folder: the folder itself, or those directly below it.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen`.
  package static func families(in folder: String) throws(ArchiveError) -> [String] {
    let names = try SchemaLibrary.names(in: folder)
    if names.contains(familyFile) { return [folder] }
    return names.map { folder + "/" + $0 }.filter {
      FolderListing.isFile($0 + "/" + familyFile)
    }
  }

  /// Reads the family.
  ///
  /// - Throws: `ArchiveError` that names the invalid file.
  package func read() throws(ArchiveError) -> SchemaFamily {
    let file = path + "/" + Self.familyFile
    let tree = try SchemaLibrary.read(file)
    do throws(ArchiveError) {
      return try SchemaFamily(tree, folder: path) { (family, name) throws(ArchiveError) in
        try version(name, of: family)
      }
    } catch {
      throw error.file == nil ? Self.located(error, in: file).inFile(file) : error
    }
  }

  /// An error of a family's file, with the offset of the value at its path.
  static func located(_ error: ArchiveError, in file: String) -> ArchiveError {
    guard let path = error.path, error.offset == nil,
      let storage = try? ByteStorage.open(path: file),
      let graph = try? ArchiveReader(keepsPositions: true).read(storage, nested: false)
    else { return error }
    return error.moved(to: path, offset: graph.fileOffset(near: path))
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
    return try ArchiveError.inFile(file) { () throws(ArchiveError) in
      try SchemaVersion(
        family: family, name: name, tree: tree, uri: SchemaLibrary.uri(ofFile: file),
        library: library, assertsFormats: assertsFormats, permissions: FilePermissions(of: file))
    }
  }
}

// MARK: - The schema files that SwiftPM embeds in the program
//
// Each file name includes the family's name, since embedded files with the same name would collide.

enum BuiltInFamilies {
  struct Files {
    let family: [UInt8]
    let schemas: [String: BuiltInVersion]

    /// Versions with the same members.
    ///
    /// - Parameters:
    ///   - className: the class of the model's objects that NSCoding wrote, in any module.
    ///   - isListable: whether an archive may hold a list of models.
    init(
      _ family: [UInt8], _ members: [String], className: String = "", isListable: Bool = true,
      _ versions: [(name: String, envelope: Envelope, json: [UInt8])]
    ) {
      self.family = family
      var schemas: [String: BuiltInVersion] = [:]
      for (name, envelope, json) in versions {
        let patterns = envelope == .nscoding ? ["*.\(className)", className] : []
        schemas[name] = BuiltInVersion(
          json: json,
          archive: ArchiveRule(envelope, classPatterns: patterns, allowsList: isListable),
          members: members)
      }
      self.schemas = schemas
    }

    /// Reads the family.
    ///
    /// - Throws: `ArchiveError` if one of its files is invalid.
    func read(assertsFormats: Bool) throws(ArchiveError) -> SchemaFamily {
      try SchemaFamily(JSONTree(json: family)) { (family, name) throws(ArchiveError) in
        guard let version = schemas[name] else {
          throw ArchiveError(.malformed, "the family \(family) has no schema for \(name)")
        }
        return SchemaVersion(
          family: family, name: name, builtIn: version, assertsFormats: assertsFormats)
      }
    }
  }

  static func schema(of family: String, _ version: String) throws(ArchiveError) -> JSONTree? {
    for files in all {
      guard try JSONTree(json: files.family)["family"]?.string == family else { continue }
      guard let version = files.schemas[version] else { return nil }
      return try JSONTree(json: version.json)
    }
    return nil
  }

  /// The members of these families that models of others have as well.
  static let commonMembers: Set<String> = ["name", "firstName", "lastName"]

  /// The families, in the order in which they are tried.
  static var all: [Files] {
    [
      Files(
        PackageResources.WeatherFeed_family_json, ["fetchedAt", "topCityWeathers"],
        isListable: false,
        [
          ("v1", .dictionariable, PackageResources.WeatherFeed_v1_schema_json),
          ("v2", .codable, PackageResources.WeatherFeed_v2_schema_json),
        ]),
      Files(
        PackageResources.Movie_family_json, ["name", "director", "releaseYear"],
        className: "MovieClass",
        [
          ("v0", .nscoding, PackageResources.Movie_v0_schema_json),
          ("v1", .dictionariable, PackageResources.Movie_v1_schema_json),
          ("v2", .codable, PackageResources.Movie_v2_schema_json),
        ]),
      Files(
        PackageResources.Actor_family_json, ["name", "firstMovie"],
        [
          ("v1", .dictionariable, PackageResources.Actor_v1_schema_json),
          ("v2", .codable, PackageResources.Actor_v2_schema_json),
        ]),
      Files(
        PackageResources.Person_family_json, ["firstName", "lastName"], className: "HelperClass",
        [
          ("v0", .nscoding, PackageResources.Person_v0_schema_json),
          ("v1", .dictionariable, PackageResources.Person_v1_schema_json),
          ("v2", .codable, PackageResources.Person_v2_schema_json),
        ]),
    ]
  }
}

/// A version of a built-in family, with what is known of its schema before that is read; a test compares the two.
struct BuiltInVersion {
  let json: [UInt8]
  /// Its `x-archive`.
  let archive: ArchiveRule
  /// The members that it names, all of which it requires.
  let members: [String]
}

// MARK: - Checks a family: its schemas must be well formed, and each sample must fit only its own version

/// Checks a family in a folder.
///
/// `samples/VERSION/*` must fit that version and no other; nothing in `samples/VERSION/invalid` may fit it.
package struct FamilyCheck {
  /// An error or a warning; not yet a diagnostic, because the code of the error decides the exit status.
  package struct Finding: Sendable {
    /// The file that it concerns.
    package let file: String
    /// The error.
    package let error: ArchiveError
    /// Whether it makes the family invalid.
    package let isError: Bool

    /// Makes a finding.
    package init(_ file: String, _ error: ArchiveError, isError: Bool = true) {
      (self.file, self.error, self.isError) = (file, error, isError)
    }

    /// Makes a finding about what files contain.
    package init(
      _ file: String, _ message: String, at path: GraphPath? = nil, offset: Int? = nil,
      isError: Bool = true
    ) {
      self.init(
        file, ArchiveError(.mismatch, message, offset: offset, path: path), isError: isError)
    }

    /// The finding as a diagnostic of its file.
    package var diagnostic: Diagnostic {
      Diagnostic(error.inFile(file), severity: isError ? .error : .warning)
    }
  }

  /// A sample of a version.
  package struct Sample {
    /// The version's name.
    package let version: String
    /// The file.
    package let path: String
  }

  /// The result of a check.
  package struct Result {
    /// The family.
    package let family: SchemaFamily
    /// How many samples were checked.
    package let sampleCount: Int
    /// The samples that fit their versions.
    package var samples: [Sample] = []
    /// The errors and warnings.
    package let findings: [Finding]
  }

  private let folder: String
  private let reader: FamilyFolder

  /// Specifies the family to check.
  package init(folder: String, library: SchemaLibrary, assertsFormats: Bool = false) {
    self.folder = folder
    reader = FamilyFolder(path: folder, library: library, assertsFormats: assertsFormats)
  }

  /// Checks the family.
  ///
  /// - Throws: `ArchiveError` that names the file if the family or one of its schemas cannot be read or is invalid.
  package func run() throws(ArchiveError) -> Result {
    let family = try reader.read()
    var findings = unknownPaths(of: family)
    for version in family.versions { findings += keywords(of: version) }
    var sampleCount = 0
    var fitting: [Sample] = []
    let samples = folder + "/samples"
    guard FolderListing.isFolder(samples) else {
      return Result(
        family: family, sampleCount: 0, findings: findings)
    }
    for name in try SchemaLibrary.names(in: samples) where !name.hasPrefix(".") {
      let path = samples + "/" + name
      guard let version = family.version(name) else {
        findings.append(Finding(path, "\(family.name) has no version \(name)"))
        continue
      }
      for file in try SchemaLibrary.names(in: path) where !file.hasPrefix(".") {
        let sample = path + "/" + file
        if FolderListing.isFile(sample) {
          sampleCount += 1
          let problems = check(sample, fits: version, of: family)
          if problems.isEmpty { fitting.append(Sample(version: name, path: sample)) }
          findings += problems
        } else if file == "invalid" {
          for file in try SchemaLibrary.names(in: sample)
          where !file.hasPrefix(".") && FolderListing.isFile(sample + "/" + file) {
            sampleCount += 1
            findings += check(sample + "/" + file, doesNotFit: version, of: family)
          }
        }
      }
    }
    return Result(
      family: family, sampleCount: sampleCount, samples: fitting, findings: findings)
  }

  // MARK: Samples

  /// A sample of a version must fit it, and no other version of the family.
  private func check(
    _ sample: String, fits version: SchemaVersion, of family: SchemaFamily
  ) -> [Finding] {
    do throws(ArchiveError) {
      let storage = try ByteStorage.open(path: sample)
      let graph = try ArchiveReader().read(storage)
      if let first = try version.validate(graph, family: family).first {
        return [
          Finding(
            sample, "does not fit \(version.label): \(first.message)", at: first.path,
            offset: first.offset)
        ]
      }
      var findings: [Finding] = []
      for other in family.versions where other !== version {
        if try other.validate(graph, family: family).isEmpty {
          findings.append(
            Finding(sample, "fits \(other.label) as well, so the two cannot be distinguished"))
        }
      }
      return findings
    } catch {
      return [Finding(sample, error)]
    }
  }

  /// An invalid sample must not fit its version; an unreadable one does not fit.
  private func check(
    _ sample: String, doesNotFit version: SchemaVersion, of family: SchemaFamily
  ) -> [Finding] {
    do throws(ArchiveError) {
      let graph = try ArchiveReader().read(ByteStorage.open(path: sample))
      guard try version.validate(graph, family: family).isEmpty else { return [] }
      return [Finding(sample, "fits \(version.label), and must not")]
    } catch {
      guard error.code != .cannotOpen, error.code != .inputOutput else {
        return [Finding(sample, error)]
      }
      return []
    }
  }

  // MARK: Losses

  /// A loss that is allowed at a path that no model has allows nothing.
  private func unknownPaths(of family: SchemaFamily) -> [Finding] {
    let file = folder + "/" + FamilyFolder.familyFile
    return family.losses.unknownPaths(in: family).map { path, location in
      let error = ArchiveError(
        .mismatch, "no version of these has a value at \(path), where a loss is allowed",
        path: location)
      return Finding(file, FamilyFolder.located(error, in: file))
    }
  }

  // MARK: Keywords

  /// Unknown keywords are annotations in JSON Schema, but usually mistakes.
  private func keywords(of version: SchemaVersion) -> [Finding] {
    let file = folder + "/" + FamilyFolder.schemaFile(version.name)
    return UnknownKeywords.find(in: version.tree).map { pointer, name in
      let hint = UnknownKeywords.nearest(to: name).map { "; did you mean '\($0)'?" } ?? ""
      return Finding(
        file, "the keyword '\(name)' is unknown and has no effect\(hint)",
        at: GraphPath(pointer: pointer),
        isError: false)
    }
  }
}
