// The first part of a migration: the lenses applied to the model.

import Basics
import KeyedArchives
import ObjectGraph
import Schemas

/// A model in its target version, and what the lenses could not carry.
struct Transformation {
  /// The model in the target's version, a value of the task's graph.
  let root: Node
  /// What was lost.
  let lost: [LostValue]
  /// Values whose loss the lens declares to mean nothing: nil that became absent, or the other way.
  let tolerated: [LostValue]
  /// Values that were kept for a lens outside the path, and remain kept.
  let carried: [LostValue]
  /// How many kept values have no location to be restored to.
  let orphanCount: Int

  /// Applies the lenses of a task.
  ///
  /// - Throws: `ArchiveError` that names the operation that cannot be applied to a value.
  init(_ task: MigrationTask) throws(ArchiveError) {
    let kept = task.kept
    let result = try LensInterpreter.apply(
      task.way, to: task.model.root, of: task.graph, isList: task.isList,
      kept: kept?.values ?? [],
      anchoring: LostAnchoring(
        isRequested: task.keepsInside, isForgiving: task.request.losses.allowsAll),
      archives: task.archives, isGoingBack: task.isGoingBack)
    let names = Set(task.way.map(\.file.name))
    (lost, tolerated) = (result.lost, result.tolerated)
    carried = result.unused.filter {
      $0.kind == .structure ? $0.lens != task.target.name : !names.contains($0.lens)
    }
    orphanCount = result.unused.count { $0.kind != .structure && names.contains($0.lens) }
    root = NilMembers.added(to: result.root, of: task)
  }
}

/// Members that are absent and may be null: those that a model must have, and all fields of objects, because
/// `encode(_:forKey:)` stores nil as well.
private enum NilMembers {
  /// The model with these members as null, in an envelope that has nulls.
  static func added(to root: Node, of task: MigrationTask) -> Node {
    let schema = task.target.schema
    guard task.target.envelope?.hasNull == true, schema.hasNullableMembers else { return root }
    // What keeps its envelope has its fields.
    if task.keepsStructure, task.isIdentity { return root }
    let areRequired = task.target.envelope != .nscoding || task.keepsStructure
    let graph = task.graph
    let whole = LensValue(.node(root))
    var waiting = [(value: whole, schemaIndex: schema.root)]
    var visited = 0
    while let (value, index) = waiting.popLast(), visited < graph.expansionLimit {
      visited += 1
      // What a framework's class is made of is not an application's member.
      if let name = schema.structure(index)?.className, FoundationClass.isFramework(name) {
        continue
      }
      if let items = value.openList(in: graph) {
        waiting += items.map { ($0, schema.element(index)) }
      } else if let members = value.open(in: graph) {
        let added = schema.nullableMembers(index, areRequired: areRequired).filter { name in
          !members.contains { $0.isCalled(name) }
        }
        if !added.isEmpty {
          value.content = .members(
            members
              + added.map { LensValue.Member.null($0) }
          )
        }
        waiting += members.map { ($0.value, schema.memberPlace(index, $0.name)) }
      }
    }
    return graph.add(whole.form, near: root)
  }
}

extension Envelope {
  /// Whether a member may be nil or null in it, not only absent.
  var hasNull: Bool { self == .nscoding || self == .dictionariable || self == .json }
}
