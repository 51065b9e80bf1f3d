// One version of a family: an envelope and a schema of the model in it.

import Basics
import KeyedArchives
import PropertyLists

/// One version of a family, or a schema that stands alone.
public final class SchemaVersion {
  /// The family's name; empty for a schema that stands alone.
  public let family: String
  /// The version's name: `v1`; the file's for a schema that stands alone.
  public let name: String
  /// What it says of the archive around the model.
  let archive: ArchiveRule
  /// How the model is wrapped; nil where the schema says nothing of it, so that any envelope will do.
  public var envelope: Envelope? { archive.envelope }
  /// Patterns of the classes that the root object may have; empty for any.
  public var classPatterns: [String] { archive.classPatterns }
  /// The top-level key of the model in a keyed archive; nil where the keys are the members of the model.
  public var topKey: String? { archive.topKey }
  /// Whether the root may be a list of models.
  public var allowsList: Bool { archive.allowsList }
  /// The schema as it is written.
  public let tree: JSONTree
  /// The schema of the model.
  public let schema: CompiledSchema

  /// `WeatherFeed@v2`.
  public var label: String { family.isEmpty ? name : "\(family)@\(name)" }

  /// How schemas are read.
  public struct Options: Sendable {
    /// Whether `format` is an assertion.
    public var assertsFormats: Bool

    /// Makes the options.
    public init(assertsFormats: Bool = false) { self.assertsFormats = assertsFormats }
  }

  /// Compiles a version.
  ///
  /// - Parameters:
  ///   - tree: its schema.
  ///   - uri: where the schema was found; references are resolved against it unless it has an `$id`.
  ///   - library: where schemas are found that it refers to.
  /// - Throws: `ArchiveError` if the schema is wrong.
  public init(
    family: String, name: String, tree: JSONTree, uri: String,
    library: SchemaLibrary = SchemaLibrary(), options: Options = Options()
  ) throws(ArchiveError) {
    self.family = family
    self.name = name
    self.tree = tree
    archive = try ArchiveRule(tree["x-archive"], isNeeded: !family.isEmpty)
    let store = SchemaStore(library: library)
    let resource = try store.add(tree, uri: uri)
    schema = try SchemaCompiler.compile(
      resource: resource, of: store,
      options: SchemaCompiler.Options(
        assertsFormats: options.assertsFormats, allowsList: archive.allowsList,
        jsonCoding: try JSONCoding(archive: tree["x-archive"])))
  }

  /// Reads a schema file that stands alone.
  ///
  /// - Throws: `ArchiveError` naming the file if it cannot be read or the schema is wrong.
  public convenience init(
    file path: String, library: SchemaLibrary, options: Options = Options()
  ) throws(ArchiveError) {
    do throws(ArchiveError) {
      try self.init(
        family: "", name: Self.name(ofFile: path), tree: SchemaLibrary.read(path),
        uri: SchemaLibrary.uri(ofFile: path), library: library, options: options)
    } catch {
      throw error.inFile(path)
    }
  }

  /// The last name in a path; that of a descriptor, which a shell makes of `<(…)`, says nothing alone.
  private static func name(ofFile path: String) -> String {
    if path.hasPrefix("/dev/fd/") { return path }
    return path.split(separator: "/").last.map(String.init) ?? path
  }
}
