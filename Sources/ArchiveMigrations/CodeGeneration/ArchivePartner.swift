// The families whose archives are in the values of another, as generated source needs to know them.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

/// A family whose archives a lens may enter.
struct ArchivePartner {
  let name: String
  /// The name of its newest version.
  let newest: String?
  /// The type that its own file declares.
  let typeName: String
  /// The ways in which its archives are there.
  ///
  /// Each is the layers of `x-encoded`, `text` for a string without them, and nothing for data.
  private let layers: Set<[String]>
  private let hasLists: Bool

  /// Finds where the archives of a family are in those of another.
  init(_ partner: SchemaFamily, in family: SchemaFamily) {
    name = partner.name
    newest = partner.versions.last?.name
    hasLists = partner.versions.last?.allowsList == true
    var names = SwiftNames(reserved: [])
    typeName = names.upper(partner.name, fallback: "Model")
    layers = Set(
      family.versions.flatMap { version in
        version.schemaParts.compactMap { part in
          guard let inner = part["x-archived"] else { return nil }
          let reference = inner["$ref"]?.string ?? ""
          let isOther = !reference.isEmpty && !reference.hasPrefix(partner.name + "@")
          return isOther ? nil : Self.layers(of: part, in: version)
        }
      })
  }

  private static func layers(of part: JSONTree, in version: SchemaVersion) -> [String] {
    if let encoded = part["x-encoded"]?.strings { return encoded }
    let types = part["x-plist-type"]?.strings ?? []
    // JSON has data as Base64, of which the form of the value makes data.
    return types.contains("data") || types.isEmpty && version.envelope == .json ? [] : ["text"]
  }

  /// The expression that migrates an archive in the value `$0`.
  ///
  /// - Throws: `ArchiveError` with what Swift code cannot do.
  func expression() throws(ArchiveError) -> String {
    if layers.count > 1 {
      throw ArchiveError(.unsupported, "archives of \(name) are in other layers elsewhere")
    }
    let layers = layers.first ?? []
    if layers.contains("gzip") {
      throw ArchiveError(.unsupported, "Foundation does not decompress archives of \(name)")
    }
    if layers.isEmpty {
      return hasLists
        ? "try \(typeName).migrated(data($0))" : "try \(typeName).load(from: data($0)).archive()"
    }
    let list = layers.filter { $0 != "text" }.map { SwiftWriter.literal($0) + ", " }.joined()
    let body =
      hasLists
      ? ", migrate: \(typeName).migrated)"
      : ") { archive in try \(typeName).load(from: archive).archive() }"
    return "try inLayers(\(list)of: $0" + body
  }
}
