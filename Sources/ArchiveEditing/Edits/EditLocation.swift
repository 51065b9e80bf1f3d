// Where an edit takes place: the values on the way from the root, and the last step, which may lead to nothing yet.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

/// The location of an edit in a graph.
package struct EditLocation: Sendable {
  /// The values that the steps start from: the root, and so on to the container of the edited value.
  package internal(set) var nodes: [Node] = []
  /// The steps, one from each of `nodes`; none for the root itself.
  ///
  /// An archive in a data value has a step of its own.
  package internal(set) var steps: [GraphPath.Step] = []

  /// Makes the location of the root.
  package init() {}

  /// Adds a step.
  package mutating func append(_ step: GraphPath.Step, from node: Node) {
    nodes.append(node)
    steps.append(step)
  }

  /// The path.
  package var path: GraphPath { GraphPath(steps) }

  /// The path of the container.
  package var parentPath: GraphPath { GraphPath(steps.dropLast()) }

  /// The location of the data value whose archive contains this one; nil in the outermost document.
  var holder: EditLocation? {
    guard let end = steps.lastIndex(where: Self.isContent) else { return nil }
    var holder = EditLocation()
    holder.nodes = Array(nodes[..<end])
    holder.steps = Array(steps[..<end])
    return holder
  }

  /// The index of the first node in the innermost document.
  var start: Int { steps.lastIndex(where: Self.isContent).map { $0 + 1 } ?? 0 }

  private static func isContent(_ step: GraphPath.Step) -> Bool {
    if case .content = step { true } else { false }
  }
}

/// What an edit does at its location.
package enum EditAction: Sendable {
  /// Adds a member, or inserts an element before the one at the index; an existing member is replaced.
  case add(EditValue)
  /// Replaces a value that is there.
  case replace(EditValue)
  /// Removes a value that is there, with its key.
  case remove
  /// Gives a member another key, at the same position.
  case renameKey(String)
  /// Moves the value from another location, which is given as it is before the edit.
  case move(from: EditLocation)
}

/// What an edit puts into a file.
package enum EditValue: Sendable {
  /// A value in typed JSON.
  case typed(TypedValue)
  /// The root of an archive, or the top of a property list.
  case part(ByteStorage)
  /// A copy of a value of the same file.
  case copy(of: EditLocation)
}

/// What happens to an object that is changed inside, and that others refer to as well.
package enum SharedObjects: Sendable {
  /// The edit is refused.
  case refused
  /// It changes for all.
  case changed
  /// A copy of it is changed, for this path alone.
  case copied
}
