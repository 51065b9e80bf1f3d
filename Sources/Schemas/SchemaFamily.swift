// A family of schemas: one model in the versions that an application has written.

import KeyedArchives
import ObjectGraph
import PropertyLists

/// One version of a family: an envelope and a schema of the model.
public final class SchemaVersion {
  /// The family's name.
  public let family: String
  /// The version's name: `v1`.
  public let name: String
  /// How the model is wrapped.
  public let envelope: Envelope
  /// Patterns of the classes that the root object may have; empty outside `nscoding`.
  public let classPatterns: [String]
  /// Whether the root may be a list of models.
  public let allowsList: Bool
  /// The schema of the model.
  public let schema: CompiledSchema

  /// `WeatherFeed@v2`.
  public var label: String { "\(family)@\(name)" }

  /// Reads a version from the JSON of its schema.
  ///
  /// - Throws: `ArchiveError` if the schema is wrong.
  init(family: String, name: String, json: [UInt8]) throws(ArchiveError) {
    self.family = family
    self.name = name
    let graph = try readJSON(json)
    let members = JSONMembers(of: graph.root, in: graph)
    let archive = members["x-archive"].map { JSONMembers(of: $0, in: graph) }
    guard let text = archive?.string("envelope"), let envelope = Envelope(rawValue: text) else {
      throw ArchiveError(
        .malformed, "the schema is wrong: 'x-archive' must name an envelope", path: "$.x-archive")
    }
    self.envelope = envelope
    classPatterns = archive?.strings("classes") ?? []
    allowsList = archive?.boolean("list") ?? false
    schema = try SchemaCompiler.compile(graph, allowsList: allowsList)
  }
}

/// A family of schemas.
public final class SchemaFamily {
  /// A payload that a service sends instead of the model when it refuses.
  public struct ErrorPayload: Sendable {
    /// What it is called.
    public let name: String
    /// The member that holds the error's code.
    public let code: String
    /// The member that holds the error's message.
    public let message: String
  }

  /// How a model is made from a service's answer.
  public struct Creation: Sendable {
    /// The member that a bare list becomes.
    public let list: String
    /// The member that says when the answer was fetched.
    public let stamp: String
  }

  /// The family's name.
  public let name: String
  /// What the model is.
  public let title: String
  /// The versions, oldest first.
  public let versions: [SchemaVersion]
  /// The payloads of errors that may stand where the model belongs.
  public let errorPayloads: [ErrorPayload]
  /// How a model is made from a service's answer; nil if the answer is the model.
  public let creation: Creation?

  /// Reads a family.
  ///
  /// - Parameters:
  ///   - json: `family.json`.
  ///   - schemas: the JSON of each version's schema.
  /// - Throws: `ArchiveError` if one of the files is wrong.
  init(json: [UInt8], schemas: [String: [UInt8]]) throws(ArchiveError) {
    let graph = try readJSON(json)
    let members = JSONMembers(of: graph.root, in: graph)
    name = members.string("family") ?? ""
    title = members.string("title") ?? name
    var versions: [SchemaVersion] = []
    for version in members.strings("versions") {
      guard let json = schemas[version] else {
        throw ArchiveError(.malformed, "the family \(name) has no schema for \(version)")
      }
      versions.append(try SchemaVersion(family: name, name: version, json: json))
    }
    self.versions = versions
    errorPayloads = Self.errorPayloads(members["errorPayloads"], graph)
    creation = members["create"].flatMap { node in
      let create = JSONMembers(of: node, in: graph)
      guard let list = create.string("list"), let stamp = create.string("stamp") else { return nil }
      return Creation(list: list, stamp: stamp)
    }
  }

  private static func errorPayloads(_ node: Node?, _ graph: ObjectGraph) -> [ErrorPayload] {
    guard let node, case .array(let elements) = graph.value(of: node) else { return [] }
    return (0..<elements.count).compactMap { position in
      let members = JSONMembers(of: graph.node(elements, position), in: graph)
      guard let name = members.string("name"), let code = members.string("code"),
        let message = members.string("message")
      else { return nil }
      return ErrorPayload(name: name, code: code, message: message)
    }
  }

  /// The version of a name, nil if there is none.
  public func version(_ name: String) -> SchemaVersion? { versions.first { $0.name == name } }
}

/// A graph of a small JSON file.
private func readJSON(_ json: [UInt8]) throws(ArchiveError) -> ObjectGraph {
  let storage = ByteStorage(copying: json)
  let graph = ObjectGraph()
  _ = graph.add(try JSONReader.read(storage.bytes))
  return graph
}
