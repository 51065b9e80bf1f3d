// The stored form of lost values: in `FILE.lost.json` as typed JSON, or in the model's member `x-lost`.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import FileTransactions

/// The values that a migration could not carry, in a form that can be stored and restored.
package struct LostValues {
  private static let formVersion: Int64 = 1

  let family: String
  /// The version that the archive is in now.
  let version: String
  var values: [LostValue]
  /// Whether they were found in the archive's model, rather than in the file beside it.
  var isInside = false
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
    return output.intoBytes().intoStorage()
  }

  // MARK: Reading

  /// Reads lost values.
  ///
  /// - Parameter node: the record, in the graph that the values will belong to.
  /// - Throws: `ArchiveError` with code `malformed` if it does not have the structure that `form` creates.
  init(_ node: Node, of graph: ObjectGraph) throws(ArchiveError) {
    let record = LensValue(.node(node)).open(in: graph)
    guard case .integer(Self.formVersion)? = record?["archtool"]?.scalar(in: graph),
      let family = record?["family"]?.text(in: graph),
      let version = record?["version"]?.text(in: graph),
      let list = record?["values"]?.openList(in: graph)
    else { throw Self.malformed("it is not a record of lost values") }
    self.init(family: family, version: version, values: [])
    for value in list { values.append(try Self.value(value, graph)) }
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
    _ value: LensValue, _ graph: ObjectGraph
  ) throws(ArchiveError) -> LostValue {
    let record = value.open(in: graph) ?? []
    func text(_ name: String) -> String? { record[name]?.text(in: graph) }
    guard let lens = text("lens"), let operation = text("operation"),
      let kind = text("lost").flatMap({ LostValue.Kind(rawValue: $0) }),
      let pathText = text("path"), let title = text("title"),
      let at = record["at"]?.openList(in: graph)
    else { throw malformed("one of its values lacks a member") }
    let path: GraphPath
    do throws(ArchiveError) {
      path = try GraphPath(parsing: pathText)
    } catch {
      throw malformed("'path' of a value is not a path: \(error.message)")
    }
    let elements = at.compactMap { element($0, graph) }
    guard elements.count == at.count else {
      throw malformed("an element of 'at' is not a location")
    }
    return LostValue(
      location: InstanceLocation(lens: lens, operation: operation, elements: elements), kind: kind,
      title: title, path: path, value: record["value"]?.form,
      became: record["became"].map { $0.scalar(in: graph) ?? $0.form },
      storage: text("storage").flatMap { FieldStorage(rawValue: $0) },
      anchors: (record["anchors"]?.openList(in: graph) ?? []).map { $0.text(in: graph) ?? "" })
  }

  private static func element(
    _ value: LensValue, _ graph: ObjectGraph
  ) -> InstanceLocation.Element? {
    switch value.scalar(in: graph) {
    case .integer(let number): return .index(Int(number))
    case .string(let key): return .key(CodePointString(key))
    default:
      let record = value.open(in: graph)
      guard let name = record?["by"]?.text(in: graph),
        let identity = InstanceLocation.Identity(record?["is"]?.scalar(in: graph))
      else { return nil }
      return .identified(by: CodePointString(name), as: identity)
    }
  }

  private static func malformed(_ message: String) -> ArchiveError {
    ArchiveError(.malformed, "the lost values cannot be read: \(message)")
  }
}

// MARK: - The values that an earlier migration kept for the inverse one: in the archive, or in the file beside it

extension LostValues {
  // MARK: Finding

  /// Looks for the kept values of an archive; nil if there are none.
  ///
  /// - Parameter isOptional: whether to ignore a record that cannot be read, or that belongs to other bytes.
  /// - Throws: `ArchiveError` for such a record, unless it is ignored.
  static func find(
    for input: RewriteInput, _ graph: ObjectGraph, _ model: UnwrappedModel, isOptional: Bool
  ) throws(ArchiveError) -> LostValues? {
    if let text = model.lost {
      var record = try LostValues(text: text, of: graph)
      record.isInside = true
      if !isOptional { try record.checkAnchors() }
      return record
    }
    do throws(ArchiveError) {
      return try companion(of: input).map { (storage) throws(ArchiveError) in
        try LostValues(storage, beside: input, graph)
      }
    } catch {
      if isOptional { return nil }
      throw error.inFile(SideFile.lostValues(of: input.path ?? input.name))
    }
  }

  private init(
    _ storage: ByteStorage, beside input: RewriteInput, _ graph: ObjectGraph
  ) throws(ArchiveError) {
    let node = try graph.add(typedJSON: storage)
    try self.init(node, of: graph)
    let hash = LensValue(.node(node)).open(in: graph)?["sha256"]?.text(in: graph)
    guard hash == (try ContentHash(of: input.original).description) else {
      throw ArchiveError(
        .mismatch,
        "its lost values belong to a different version of the archive; remove it, or use --allow-loss to ignore them"
      )
    }
  }

  /// Values inside a list must have anchors, since an application may have changed the list.
  private func checkAnchors() throws(ArchiveError) {
    guard let stray = values.first(where: { $0.anchors.count < $0.indexCount }) else { return }
    throw ArchiveError(
      .mismatch,
      "the lost values in the archive do not identify what they belong to; use --allow-loss to ignore them",
      path: stray.path)
  }

  /// The name of the file with lost values beside an input, if it belongs to the bytes of the input; nil otherwise.
  ///
  /// - Throws: `ArchiveError` if it cannot be read.
  package static func belongs(to input: RewriteInput) throws(ArchiveError) -> String? {
    guard let path = input.path, let record = try companion(of: input) else { return nil }
    let hash = Array(try ContentHash(of: input.original).description.utf8)
    return record.bytes.firstOccurrence(of: hash) == nil ? nil : SideFile.lostValues(of: path)
  }

  /// The companion that was passed with an archive, or that is beside it; nil if there is none.
  static func companion(of input: RewriteInput) throws(ArchiveError) -> ByteStorage? {
    if let lost = input.lost { return lost }
    guard let path = input.path.map(SideFile.lostValues), FolderListing.isFile(path) else {
      return nil
    }
    return try ByteStorage.open(path: path)
  }
}

// MARK: - A value that a direction of a lens cannot carry, and the location to restore it to

/// The location where an operation handled a value: the operation of a lens, and the elements that `map` was at.
struct InstanceLocation: Hashable {
  /// `v1-v2`.
  let lens: String
  /// `/lens/2/in/lens/0`.
  let operation: String
  /// The elements and keys of the lists and dictionaries that enclose it, outermost first.
  let elements: [Element]

  /// An element of a list, or the key of a dictionary: keys with different code points are different.
  enum Element: Hashable {
    case index(Int)
    case key(CodePointString)
    /// The only element of a list with a member of this value.
    case identified(by: CodePointString, as: Identity)
  }

  /// The value of the member that identifies elements.
  enum Identity: Hashable {
    case text(CodePointString)
    case number(Int64)

    init?(_ scalar: SyntheticValue?) {
      switch scalar {
      case .string(let text)?: self = .text(CodePointString(text))
      case .integer(let number)?: self = .number(number)
      default: return nil
      }
    }
  }
}

/// A value that an operation could not carry.
package struct LostValue {
  /// What about it is lost.
  package enum Kind: String, Sendable {
    /// A value.
    case value
    /// The absence of a member: the inverse creates a default, or an empty list or object.
    case absent
    /// The existence of an empty object.
    case empty
    /// The elements of a list after the first.
    case rest
    /// The classes, the storage and the sharing of all objects: the value is the original model.
    case structure
    /// The notation of a text: the inverse writes the same value differently.
    case notation = "spelling"
    /// The other members of an object that was replaced with one member.
    case others
    /// The order of a list that became a dictionary.
    case order
    /// Whether an object stores a number inline or boxed: the inverse stores it the other way.
    case storage
  }

  let location: InstanceLocation
  /// What about the value is lost.
  package let kind: Kind
  /// The operation's effect: `remove note`.
  package let title: String
  /// The path of the value in the model before the lens.
  package let path: GraphPath
  /// The value; nil if its absence or emptiness is what is lost.
  let value: SyntheticValue?
  /// The value after the operation; nil if none remains.
  let became: SyntheticValue?
  /// What would be restored, for messages: `"007" comes back as "7"`.
  var note: String?
  /// How the object stored it; nil for a value outside objects, and for one with only one possible storage.
  var storage: FieldStorage?
  /// Hashes of the list elements that it belongs to, outermost first: one for each index of its location.
  var anchors: [String] = []

  /// Its kind in the table of losses.
  var lossKind: StoredDifference.Kind { archiveLoss?.kind ?? kind.lossKind }
  /// What an archive in a data value loses; nil for other values.
  var archiveLoss: ArchiveLoss?

  /// How many enclosing list elements are identified by position only.
  var indexCount: Int {
    location.elements.count { if case .index = $0 { true } else { false } }
  }

  /// The lens: `v1-v2`.
  package var lens: String { location.lens }
  /// The operation, a JSON Pointer into the lens file.
  package var operation: String { location.operation }
}
