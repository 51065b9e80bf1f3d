// The schema files that SwiftPM embeds in the program. Each file name includes the family's name, since embedded files
// with the same name would collide.

import Basics
import KeyedArchives
import PropertyLists

/// The built-in families' files.
enum BuiltInFamilies {
  /// The files of one family.
  struct Files {
    let family: [UInt8]
    let schemas: [String: BuiltInVersion]

    /// Reads the family.
    ///
    /// - Throws: `ArchiveError` if one of its files is invalid.
    func read(_ options: SchemaVersion.Options) throws(ArchiveError) -> SchemaFamily {
      try SchemaFamily(JSONTree(json: family)) { (family, name) throws(ArchiveError) in
        guard let version = schemas[name] else {
          throw ArchiveError(.malformed, "the family \(family) has no schema for \(name)")
        }
        return SchemaVersion(family: family, name: name, builtIn: version, options: options)
      }
    }
  }

  /// The schema of a version; nil if no built-in family has it.
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
        family: PackageResources.WeatherFeed_family_json,
        schemas: [
          "v1": BuiltInVersion(
            PackageResources.WeatherFeed_v1_schema_json, .dictionariable,
            members: ["fetchedAt", "topCityWeathers"]),
          "v2": BuiltInVersion(
            PackageResources.WeatherFeed_v2_schema_json, .codable,
            members: ["fetchedAt", "topCityWeathers"]),
        ]),
      Files(
        family: PackageResources.Movie_family_json,
        schemas: [
          "v0": BuiltInVersion(
            PackageResources.Movie_v0_schema_json, .nscoding,
            classes: ["*.MovieClass", "MovieClass"], isListable: true,
            members: ["name", "director", "releaseYear"]),
          "v1": BuiltInVersion(
            PackageResources.Movie_v1_schema_json, .dictionariable, isListable: true,
            members: ["name", "director", "releaseYear"]),
          "v2": BuiltInVersion(
            PackageResources.Movie_v2_schema_json, .codable, isListable: true,
            members: ["name", "director", "releaseYear"]),
        ]),
      Files(
        family: PackageResources.Actor_family_json,
        schemas: [
          "v1": BuiltInVersion(
            PackageResources.Actor_v1_schema_json, .dictionariable, isListable: true,
            members: ["name", "firstMovie"]),
          "v2": BuiltInVersion(
            PackageResources.Actor_v2_schema_json, .codable, isListable: true,
            members: ["name", "firstMovie"]),
        ]),
      Files(
        family: PackageResources.Person_family_json,
        schemas: [
          "v0": BuiltInVersion(
            PackageResources.Person_v0_schema_json, .nscoding,
            classes: ["*.HelperClass", "HelperClass"], isListable: true,
            members: ["firstName", "lastName"]),
          "v1": BuiltInVersion(
            PackageResources.Person_v1_schema_json, .dictionariable, isListable: true,
            members: ["firstName", "lastName"]),
          "v2": BuiltInVersion(
            PackageResources.Person_v2_schema_json, .codable, isListable: true,
            members: ["firstName", "lastName"]),
        ]),
    ]
  }
}

/// A version of a built-in family, with what is known of its schema before that is read; a test compares the two.
struct BuiltInVersion {
  /// The schema.
  let json: [UInt8]
  /// Its `x-archive`.
  let archive: ArchiveRule
  /// The members that it names, all of which it requires.
  let members: [String]

  init(
    _ json: [UInt8], _ envelope: Envelope, classes: [String] = [], isListable: Bool = false,
    members: [String]
  ) {
    self.json = json
    self.members = members
    archive = ArchiveRule(envelope, classPatterns: classes, allowsList: isListable)
  }
}
