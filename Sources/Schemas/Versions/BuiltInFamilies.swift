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
  /// The schema.
  let json: [UInt8]
  /// Its `x-archive`.
  let archive: ArchiveRule
  /// The members that it names, all of which it requires.
  let members: [String]
}
