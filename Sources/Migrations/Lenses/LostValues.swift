// The stored form of lost values: in `FILE.lost.json` as typed JSON, or in the model's member `x-lost`.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas

/// The values that a migration could not carry, in a form that can be stored and restored.
struct LostValues {
  /// The version of this form.
  private static let formVersion: Int64 = 1

  /// The family of the archive.
  let family: String
  /// The version that the archive is in now.
  let version: String
  /// The values.
  var values: [LostValue]
}

extension LostValues {
  // MARK: Writing

  /// The record as a value.
  ///
  /// - Parameter hash: the SHA-256 of the archive that the record is beside; nil inside one.
  func form(hash: String?) -> SyntheticValue {
    var members: [(name: String, value: SyntheticValue)] = [
      ("archtool", .integer(Self.formVersion)), ("family", .string(family)),
      ("version", .string(version)),
    ]
    if let hash { members.append(("sha256", .string(hash))) }
    members.append(("values", .list(values.map(Self.form))))
    return .members(members)
  }

  private static func form(_ lost: LostValue) -> SyntheticValue {
    var members: [(name: String, value: SyntheticValue)] = [
      ("path", .string(lost.path.description)), ("lens", .string(lost.lens)),
      ("operation", .string(lost.operation)), ("title", .string(lost.title)),
      ("at", .list(lost.location.elements.map(form))), ("lost", .string(lost.kind.rawValue)),
    ]
    if let value = lost.value { members.append(("value", value)) }
    if let storage = lost.storage { members.append(("storage", .string(storage.rawValue))) }
    if let became = lost.became { members.append(("became", became)) }
    if !lost.anchors.isEmpty {
      members.append(("anchors", .list(lost.anchors.map { .string($0) })))
    }
    return .members(members)
  }

  private static func form(_ element: InstanceLocation.Element) -> SyntheticValue {
    switch element {
    case .index(let index): .integer(Int64(index))
    case .key(let key): .string(key.text)
    case .identified(let name, .text(let text)):
      .members([("by", .string(name.text)), ("is", .string(text.text))])
    case .identified(let name, .number(let number)):
      .members([("by", .string(name.text)), ("is", .integer(number))])
    }
  }

  /// The bytes of the file beside an archive.
  ///
  /// - Parameter graph: the graph of the values.
  /// - Throws: `ArchiveError` if a value cannot be expressed in typed JSON.
  func bytes(of graph: ObjectGraph, hash: String?) throws(ArchiveError) -> ByteStorage {
    var output = OutputBuffer(descriptor: nil)
    let node = graph.add(form(hash: hash), near: graph.root)
    try JSONWriter.write(node, of: graph, options: .init(isTyped: true), to: &output)
    return output.takeBytes().intoStorage()
  }

  // MARK: Reading

  /// Reads lost values.
  ///
  /// - Parameter node: the record, in the graph that the values will belong to.
  /// - Throws: `ArchiveError` with code `malformed` if it does not have the structure that `form` creates.
  init(_ node: Node, of graph: ObjectGraph) throws(ArchiveError) {
    let record = RecordedObject(node: node, graph: graph)
    guard case .integer(Self.formVersion)? = record.scalar("archtool"),
      let family = record.text("family"), let version = record.text("version"),
      let list = record.list("values")
    else { throw Self.malformed("it is not a record of lost values") }
    self.init(family: family, version: version, values: [])
    for record in list { values.append(try Self.value(record)) }
  }

  /// Reads lost values from the string in the model's member `x-lost`.
  ///
  /// - Throws: as above, and if the string is not typed JSON.
  init(text: Text, of graph: ObjectGraph) throws(ArchiveError) {
    do throws(ArchiveError) {
      let storage = ByteStorage(copying: Array(text.string.utf8))
      try self.init(graph.add(typedJSON: storage), of: graph)
    } catch {
      // Offsets are relative to the string.
      throw ArchiveError(
        error.code, error.message, path: GraphPath([.key(UnwrappedModel.lostMember)]))
    }
  }

  private static func value(_ record: RecordedObject) throws(ArchiveError) -> LostValue {
    guard let lens = record.text("lens"), let operation = record.text("operation"),
      let kind = record.text("lost").flatMap({ LostValue.Kind(rawValue: $0) }),
      let pathText = record.text("path"), let title = record.text("title"),
      let at = record.list("at")
    else { throw malformed("one of its values lacks a member") }
    let path: GraphPath
    do throws(ArchiveError) {
      path = try GraphPath(parsing: pathText)
    } catch {
      throw malformed("'path' of a value is not a path: \(error.message)")
    }
    let elements = at.compactMap(element)
    guard elements.count == at.count else {
      throw malformed("an element of 'at' is not a location")
    }
    return LostValue(
      location: InstanceLocation(lens: lens, operation: operation, elements: elements), kind: kind,
      title: title, path: path, value: record["value"].map { .node($0.node) },
      became: record["became"].map { $0.scalar ?? .node($0.node) },
      storage: record.text("storage").flatMap { FieldStorage(rawValue: $0) },
      anchors: (record.list("anchors") ?? []).map { $0.text ?? "" })
  }

  private static func element(_ record: RecordedObject) -> InstanceLocation.Element? {
    switch record.scalar {
    case .integer(let number): return .index(Int(number))
    case .string(let key): return .key(CodePointString(key))
    default:
      guard let name = record.text("by"),
        let identity = InstanceLocation.Identity(record.scalar("is"))
      else { return nil }
      return .identified(by: CodePointString(name), as: identity)
    }
  }

  private static func malformed(_ message: String) -> ArchiveError {
    ArchiveError(.malformed, "the lost values cannot be read: \(message)")
  }

  /// The SHA-256 of the archive that a record belongs to; nil if the record has none.
  static func hash(in node: Node, of graph: ObjectGraph) -> String? {
    RecordedObject(node: node, graph: graph).text("sha256")
  }
}

/// A value of a record, and its members by name.
private struct RecordedObject {
  let node: Node
  let graph: ObjectGraph

  subscript(name: String) -> RecordedObject? {
    guard case .dictionary(let pairs) = graph.value(of: node) else { return nil }
    return (0..<pairs.count).first {
      graph.memberName(pairs, $0)?.sameCharacters(as: name) == true
    }.map { RecordedObject(node: graph.value(pairs, $0), graph: graph) }
  }

  var scalar: SyntheticValue? { SyntheticValue(scalar: node, of: graph) }
  var text: String? { if case .string(let text)? = scalar { text } else { nil } }

  func scalar(_ name: String) -> SyntheticValue? { self[name]?.scalar }
  func text(_ name: String) -> String? { self[name]?.text }

  func list(_ name: String) -> [RecordedObject]? {
    guard let node = self[name]?.node, case .array(let items) = graph.value(of: node) else {
      return nil
    }
    return (0..<items.count).map { RecordedObject(node: graph.node(items, $0), graph: graph) }
  }
}
