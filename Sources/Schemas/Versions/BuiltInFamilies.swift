// The schema files that SwiftPM embeds in the program. Each file name includes the family's name, since embedded files
// with the same name would collide.

import Basics
import PropertyLists

/// The built-in families' files.
enum BuiltInFamilies {
  /// The files of one family.
  struct Files {
    let family: [UInt8]
    let schemas: [String: [UInt8]]

    /// Reads the family.
    ///
    /// - Throws: `ArchiveError` if one of its files is invalid.
    func read(_ options: SchemaVersion.Options) throws(ArchiveError) -> SchemaFamily {
      try SchemaFamily(JSONTree(json: family)) { (family, name) throws(ArchiveError) in
        guard let json = schemas[name] else {
          throw ArchiveError(.malformed, "the family \(family) has no schema for \(name)")
        }
        return try SchemaVersion(
          family: family, name: name, tree: JSONTree(json: json), uri: "", options: options)
      }
    }
  }

  /// The schema of a version; nil if no built-in family has it.
  static func schema(of family: String, _ version: String) throws(ArchiveError) -> JSONTree? {
    for files in all {
      guard try JSONTree(json: files.family)["family"]?.string == family else { continue }
      guard let json = files.schemas[version] else { return nil }
      return try JSONTree(json: json)
    }
    return nil
  }

  /// The families, in the order in which they are tried.
  static var all: [Files] {
    [
      Files(
        family: PackageResources.WeatherFeed_family_json,
        schemas: [
          "v1": PackageResources.WeatherFeed_v1_schema_json,
          "v2": PackageResources.WeatherFeed_v2_schema_json,
        ]),
      Files(
        family: PackageResources.Movie_family_json,
        schemas: [
          "v0": PackageResources.Movie_v0_schema_json,
          "v1": PackageResources.Movie_v1_schema_json,
          "v2": PackageResources.Movie_v2_schema_json,
        ]),
      Files(
        family: PackageResources.Actor_family_json,
        schemas: [
          "v0": PackageResources.Actor_v0_schema_json,
          "v1": PackageResources.Actor_v1_schema_json,
          "v2": PackageResources.Actor_v2_schema_json,
        ]),
      Files(
        family: PackageResources.Person_family_json,
        schemas: [
          "v0": PackageResources.Person_v0_schema_json,
          "v1": PackageResources.Person_v1_schema_json,
          "v2": PackageResources.Person_v2_schema_json,
        ]),
    ]
  }
}
