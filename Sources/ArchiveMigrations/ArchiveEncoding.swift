// The second part of a migration: the model in its envelope, as the bytes of an archive.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

/// Encodes the model of a task in the target's envelope.
struct ArchiveEncoding {
  struct Result {
    let bytes: ByteStorage
    /// Whether its encoding changes.
    var warnings: [ArchiveError] = []
    /// The classes and storage that nothing determines, if the task is lenient.
    var unknowns: [StoredDifference] = []
  }

  let task: MigrationTask

  private var graph: ObjectGraph { task.graph }
  private var envelope: Envelope { task.target.envelope ?? .plist }

  /// The bytes of the target's archive, in the encoding of the source if that can represent all of it.
  ///
  /// - Throws: `ArchiveError` with the path of a value that the envelope cannot represent.
  func encode(_ root: Node) throws(ArchiveError) -> Result {
    var result = try wrap(root)
    guard result.bytes !== task.input, ![.json, .sequential].contains(task.target.envelope),
      let stored = StoredEncoding(graph.documents[0].encoding, in: graph)
    else { return result }
    do throws(ArchiveError) {
      return Result(
        bytes: try stored.faithful(result.bytes, limits: task.limits), unknowns: result.unknowns)
    } catch {
      result.warnings = [
        ArchiveError(
          .unrepresentable,
          "becomes a binary property list, because \(graph.documents[0].encoding.name) cannot represent it: \(error.message)",
          path: error.path)
      ]
      return result
    }
  }

  /// The class for the root object; nil to keep its class.
  private var rootClass: String? {
    guard task.target.envelope == .nscoding else { return nil }
    return task.request.className ?? (task.keepsStructure ? nil : task.target.newRootClass)
  }

  private func wrap(_ root: Node) throws(ArchiveError) -> Result {
    let kept = try keptStructure(for: root)
    if let kept, envelope.isOfObjects {
      return try assemble(kept, keepsStructure: true, rootClass: task.request.className)
    }
    let isPlain = task.target.envelope == .dictionariable && !task.target.schema.hasStructure
    guard envelope.isOfObjects, task.isSourceOfObjects || !isPlain else {
      return Result(
        bytes: try EnvelopeWriter.wrap(
          kept ?? root, of: graph, in: envelope, shape: task.target.schema,
          topKey: task.target.topKey ?? UnwrappedModel.rootKey
        ).intoStorage())
    }
    // If no operation changes anything, the archive is the same.
    if task.keepsStructure, rootClass == nil, graph.wrappings.isEmpty, root == task.model.root,
      task.model.lost == nil, task.model.topKey == task.target.topKey
    {
      return Result(bytes: task.input)
    }
    return try assemble(root, keepsStructure: task.keepsStructure, rootClass: rootClass)
  }

  private func assemble(
    _ root: Node, keepsStructure: Bool, rootClass: String?
  ) throws(ArchiveError) -> Result {
    var request = ArchiveAssembly.Request(
      root: root, shape: task.target.schema, envelope: envelope, keepsStructure: keepsStructure,
      rootClass: rootClass)
    (request.topKey, request.newTopKey) = (task.model.topKey, task.target.topKey)
    request.classes = task.request.classes.map { ($0.path.pattern, $0.name) }
    request.sourceShape = task.source.schema
    request.allowsPlainContainers = task.request.allowsPlainContainers
    request.openStorage = task.request.openStorage
    let (document, unknowns) = try ArchiveAssembly.assemble(
      request, of: graph, isLenient: task.isLenient)
    return Result(bytes: BinaryWriter.write(document).intoStorage(), unknowns: unknowns)
  }

  /// The model that was kept for its classes and its storage, if its values equal those of the new one.
  ///
  /// - Throws: `ArchiveError` with the path of a value that the application has changed in the meantime.
  private func keptStructure(for root: Node) throws(ArchiveError) -> Node? {
    guard !task.request.losses.allowsAll,
      let kept = task.kept?.values.first(where: {
        $0.kind == .structure && $0.lens == task.target.name
      }), case .node(let node)? = kept.value
    else { return nil }
    let difference = ModelComparison.firstDifference(
      node, of: graph, root, of: graph, mayGainNull: true, followsContents: true)
    guard let path = difference else { return node }
    // Without objects only the precision of reals is kept so.
    guard envelope.isOfObjects else { return nil }
    throw ArchiveError(
      .unrepresentable,
      "the value differs from the one whose class and storage were kept; --allow-loss ignores them",
      path: path)
  }

  /// A warning for a user who specified a class for objects that the target does not have.
  var unusedClass: [ArchiveError] {
    guard let name = task.request.className, task.target.envelope != .nscoding else { return [] }
    return [
      ArchiveError(
        .mismatch,
        "the class \(name) was not used: \(task.target.label) has no objects of an application's class"
      )
    ]
  }

  // MARK: Values that are kept inside

  /// The model with its lost values in the member `x-lost`.
  func inside(_ root: Node, _ lost: LostValues) throws(ArchiveError) -> Node {
    let pairs: Pairs
    switch graph.value(of: root) {
    case .dictionary(let found), .object(_, let found): pairs = found
    default:
      throw ArchiveError(
        .unrepresentable,
        "lost values can be kept inside an object only, not beside a list of models; --keep-lost keeps them in a file"
      )
    }
    if task.target.envelope == .sequential {
      throw ArchiveError(
        .unrepresentable,
        "a typedstream cannot carry lost values; --keep-lost keeps them in a file")
    }
    let record = try lost.bytes(of: graph, hash: nil)
    let text = SyntheticValue.string(String(decoding: record.bytes, as: UTF8.self))
    // An object keeps its identity.
    let whole = LensValue(.node(root))
    if task.keepsStructure, let members = whole.open(in: graph) {
      let member = LensValue.Member(UnwrappedModel.lostMember, LensValue(.scalar(text)))
      whole.content = .members(members + [member])
      return graph.add(whole.form, near: root)
    }
    let members = (0..<pairs.count).map { index -> (key: SyntheticValue, value: SyntheticValue) in
      let name = graph.memberName(pairs, index)?.string
      return (
        name.map { .string($0) } ?? .node(graph.key(pairs, index)),
        .node(graph.value(pairs, index))
      )
    }
    return graph.add(.pairs(members + [(.string(UnwrappedModel.lostMember), text)]), near: root)
  }
}

extension Envelope {
  /// Whether it is a keyed archive of objects.
  var isOfObjects: Bool { self == .nscoding || self == .dictionariable }
}
