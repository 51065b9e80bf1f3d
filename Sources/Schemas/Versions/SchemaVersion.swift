// One version of a family: an envelope and a schema of the model in it.

import KeyedArchives
import ObjectGraph
import PropertyLists

/// One version of a family, or a schema that stands alone.
public final class SchemaVersion {
  /// The family's name; empty for a schema that stands alone.
  public let family: String
  /// The version's name: `v1`; the file's for a schema that stands alone.
  public let name: String
  /// How the model is wrapped; nil where the schema says nothing of it, so that any envelope will do.
  public let envelope: Envelope?
  /// Patterns of the classes that the root object may have; empty for any.
  public let classPatterns: [String]
  /// The top-level key of the model in a keyed archive; nil where the keys are the members of the model.
  public let topKey: String?
  /// Whether the root may be a list of models.
  public let allowsList: Bool
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
    let archive = tree["x-archive"]
    envelope = try Self.envelope(archive, isNeeded: !family.isEmpty)
    classPatterns = archive?["classes"]?.strings ?? []
    allowsList = archive?["list"]?.boolean ?? false
    let hasKeys = archive?["keys"]?.boolean ?? false
    topKey = hasKeys ? nil : archive?["key"]?.string ?? UnwrappedModel.rootKey
    let store = SchemaStore(library: library)
    let resource = try store.add(tree, uri: uri)
    schema = try SchemaCompiler.compile(
      resource: resource, of: store,
      options: SchemaCompiler.Options(
        assertsFormats: options.assertsFormats, allowsList: allowsList,
        jsonCoding: try JSONCoding(archive: archive)))
  }

  /// Reads a schema file that stands alone.
  ///
  /// - Throws: `ArchiveError` naming the file if it cannot be read or the schema is wrong.
  public convenience init(
    file path: String, library: SchemaLibrary, options: Options = Options()
  ) throws(ArchiveError) {
    do throws(ArchiveError) {
      try self.init(
        family: "", name: path.split(separator: "/").last.map(String.init) ?? path,
        tree: SchemaLibrary.read(path), uri: SchemaLibrary.uri(ofFile: path), library: library,
        options: options)
    } catch {
      throw error.inFile(path)
    }
  }

  private static func envelope(
    _ archive: JSONTree?, isNeeded: Bool
  ) throws(ArchiveError) -> Envelope? {
    if archive == nil, !isNeeded { return nil }
    guard let text = archive?["envelope"]?.string, let envelope = Envelope(rawValue: text) else {
      let known = Envelope.allCases.map(\.rawValue).joined(separator: ", ")
      throw ArchiveError(
        .malformed, "the schema is wrong: 'x-archive' must name an envelope, one of \(known)",
        path: "$['x-archive']")
    }
    for (name, value) in archive?.members ?? [] {
      let isRight =
        switch name {
        case "envelope": true
        case "classes": isListOfNames(value)
        case "list": value.boolean != nil
        case "key": value.string?.isEmpty == false
        case "keys": envelope == .json || value.boolean != nil
        case "dates", "data": envelope == .json
        default: false
        }
      guard isRight else {
        throw ArchiveError(
          .malformed,
          "the schema is wrong: 'x-archive' holds 'envelope', 'classes' (different names), 'list' (true or false), 'key' (a name) and 'keys' (true or false), and for json 'dates', 'data' and 'keys'",
          path: GraphPath([.key("x-archive"), .key(name)]).description)
      }
    }
    return envelope
  }

  private static func isListOfNames(_ value: JSONTree) -> Bool {
    let names = (value.list ?? []).compactMap(\.string).filter { !$0.isEmpty }
    return !names.isEmpty && names.count == value.list?.count
      && Set(names.map { Array($0.utf8) }).count == names.count
  }
}
