// The schema that `--schema NAME[@VERSION]` selects.

import Basics
import CommandLineInterface
import Schemas

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
