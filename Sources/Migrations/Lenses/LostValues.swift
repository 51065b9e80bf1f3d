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

  init(family: String, version: String, values: [LostValue]) {
    self.family = family
    self.version = version
    self.values = values
  }

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
      ("at", .list(lost.place.elements.map(form))), ("lost", .string(lost.kind.rawValue)),
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
    let reading = MemberReading(graph: graph)
    guard case .integer(Self.formVersion)? = reading.scalar("archtool", of: node),
      case .string(let family)? = reading.scalar("family", of: node),
      case .string(let version)? = reading.scalar("version", of: node),
      let list = reading.member("values", of: node), case .array(let items) = graph.value(of: list)
    else { throw Self.malformed("it is not a record of lost values") }
    self.family = family
    self.version = version
    var values: [LostValue] = []
    for index in 0..<items.count {
      values.append(try Self.value(graph.node(items, index), reading))
    }
    self.values = values
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

  private static func value(
    _ node: Node, _ reading: MemberReading
  ) throws(ArchiveError) -> LostValue {
    guard case .string(let lens)? = reading.scalar("lens", of: node),
      case .string(let operation)? = reading.scalar("operation", of: node),
      case .string(let word)? = reading.scalar("lost", of: node),
      let kind = LostValue.Kind(rawValue: word),
      case .string(let pathText)? = reading.scalar("path", of: node),
      case .string(let title)? = reading.scalar("title", of: node),
      let list = reading.member("at", of: node),
      case .array(let elements) = reading.graph.value(of: list)
    else { throw malformed("one of its values lacks a member") }
    let path: GraphPath
    do throws(ArchiveError) {
      path = try GraphPath(parsing: pathText)
    } catch {
      throw malformed("'path' of a value is not a path: \(error.message)")
    }
    var steps: [InstanceLocation.Element] = []
    for index in 0..<elements.count {
      guard let step = element(reading.graph.node(elements, index), reading) else {
        throw malformed("an element of 'at' is not a location")
      }
      steps.append(step)
    }
    var lost = LostValue(
      place: InstanceLocation(lens: lens, operation: operation, elements: steps), kind: kind,
      title: title, path: path, value: reading.member("value", of: node).map { .node($0) },
      became: reading.form("became", of: node), anchors: anchors(of: node, reading))
    if case .string(let word)? = reading.scalar("storage", of: node) {
      lost.storage = FieldStorage(rawValue: word)
    }
    return lost
  }

  private static func element(_ node: Node, _ reading: MemberReading) -> InstanceLocation.Element? {
    switch SyntheticValue(scalar: node, of: reading.graph) {
    case .integer(let number): return .index(Int(number))
    case .string(let key): return .key(CodePointString(key))
    default:
      guard case .string(let name)? = reading.scalar("by", of: node),
        let identity = InstanceLocation.Identity(reading.scalar("is", of: node))
      else { return nil }
      return .identified(by: CodePointString(name), as: identity)
    }
  }

  private static func anchors(of node: Node, _ reading: MemberReading) -> [String] {
    guard let list = reading.member("anchors", of: node),
      case .array(let items) = reading.graph.value(of: list)
    else { return [] }
    return (0..<items.count).map { index in
      if case .string(let text)? = SyntheticValue(
        scalar: reading.graph.node(items, index), of: reading.graph)
      {
        return text
      }
      return ""
    }
  }

  private static func malformed(_ message: String) -> ArchiveError {
    ArchiveError(.malformed, "the lost values cannot be read: \(message)")
  }

  /// The SHA-256 of the archive that a record belongs to; nil if the record has none.
  static func hash(in node: Node, of graph: ObjectGraph) -> String? {
    guard case .string(let hash)? = MemberReading(graph: graph).scalar("sha256", of: node) else {
      return nil
    }
    return hash
  }
}

/// Members of dictionaries by name.
struct MemberReading {
  fileprivate let graph: ObjectGraph

  fileprivate func member(_ name: String, of node: Node) -> Node? {
    guard case .dictionary(let pairs) = graph.value(of: node) else { return nil }
    for position in 0..<pairs.count
    where graph.memberName(pairs, position)?.sameCharacters(as: name) == true {
      return graph.value(pairs, position)
    }
    return nil
  }

  /// A member as a scalar, or as a node.
  fileprivate func form(_ name: String, of node: Node) -> SyntheticValue? {
    member(name, of: node).map { SyntheticValue(scalar: $0, of: graph) ?? .node($0) }
  }

  fileprivate func scalar(_ name: String, of node: Node) -> SyntheticValue? {
    member(name, of: node).flatMap { SyntheticValue(scalar: $0, of: graph) }
  }
}
