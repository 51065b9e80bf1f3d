// What an inventory lists of an archive; equal ones are counted together.

import ObjectGraph
import PropertyLists

/// What an archive is, in a few words.
public struct ArchiveFacts: Hashable, Sendable {
  /// The name of its encoding.
  public let encoding: String
  /// Whether it is compressed.
  public let isCompressed: Bool
  /// Whether it is a keyed archive.
  public let isKeyedArchive: Bool
  /// The envelope; nil if there is none.
  public let envelope: String?
  /// The class of the root object.
  public let rootClass: String?
  /// The schema family that was detected.
  public let family: String?
  /// The version of the family.
  public let version: String?
  /// Whether it fits the version.
  public let isValid: Bool?

  /// The schema, `WeatherFeed@v2`; nil if none was detected.
  public var schema: String? {
    guard let family, let version else { return nil }
    return "\(family)@\(version)"
  }

  /// The encoding, in which a keyed archive is binary unless something else is said.
  public var form: String {
    let name =
      !isKeyedArchive
      ? encoding
      : encoding == Encoding.binaryPropertyList.name
        ? "keyed archive" : "keyed archive in \(encoding)"
    return isCompressed ? name + ", gzip-compressed" : name
  }

  /// The facts for people, separated by commas.
  public var text: String {
    [
      form, envelope, rootClass,
      schema.map { isValid == false ? "\($0) (does not fit)" : $0 },
    ].compactMap { $0 }.joined(separator: ", ")
  }

  /// The names that a pattern may match.
  public var names: [String] {
    [encoding, envelope, rootClass, family, schema].compactMap { $0 }
      + (isKeyedArchive ? ["keyed archive"] : []) + (isCompressed ? ["gzip"] : [])
  }
}
