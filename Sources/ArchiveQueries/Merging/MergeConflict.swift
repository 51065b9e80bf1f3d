// What two versions of a file have changed in different ways.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists

/// A conflict: a change of theirs that was not made, since ours has changed the same.
package struct MergeConflict: Sendable {
  /// What cannot be decided.
  package enum Reason: String, Sendable {
    /// Both versions have changed a value.
    case changed
    /// Ours has removed what theirs has changed.
    case removedInOurs = "removed-in-ours"
    /// Theirs has removed what ours has changed.
    case removedInTheirs = "removed-in-theirs"
    /// Both have added a member of one name.
    case added
    /// Both have changed the same part of a list.
    case elements
    /// Theirs has changed how a value is stored, not what it is.
    case storage

    /// The conflict in words.
    package var words: String {
      switch self {
      case .changed: "both versions changed this value"
      case .removedInOurs: "ours removed what theirs changed"
      case .removedInTheirs: "theirs removed what ours changed"
      case .added: "both versions added this member"
      case .elements: "both versions changed this part of the list"
      case .storage: "theirs stores this value in another way"
      }
    }
  }

  /// What a version has there.
  enum Side: Sendable {
    case nothing
    case value(Node)
    case elements([Node])

    /// A single value, if there is one.
    init(_ node: Node?) { self = node.map { .value($0) } ?? .nothing }
  }

  /// What cannot be decided.
  package let reason: Reason
  /// The path of the value in the merged file, which has it as ours; if ours lacks it, the path in the base.
  package let path: GraphPath
  /// For a part of a list, its first position there.
  package var index: Int?
  let base: Side
  let ours: Side
  let theirs: Side

  /// One line, as messages have it: `conflict: both versions changed this value (at $.title)`.
  package var line: String {
    "conflict: \(reason.words)\(index.map { ", from element \($0) on" } ?? "") (at \(path))"
  }

  /// Writes the conflict as a JSON object on one line, without its end; a version without the value has no member.
  ///
  /// - Throws: `ArchiveError` with code `limit` if shared values multiply too much.
  func write(_ graphs: MergedVersions, to output: inout ByteBuffer) throws(ArchiveError) {
    output.append("{\"path\": ")
    JSONText.append(path.normalized, to: &output)
    if let index { output.append(", \"index\": \(index)") }
    output.append(", \"conflict\": ")
    JSONText.append(reason.rawValue, to: &output)
    try Self.write("base", base, of: graphs.base, to: &output)
    try Self.write("ours", ours, of: graphs.ours, to: &output)
    try Self.write("theirs", theirs, of: graphs.theirs, to: &output)
    output.append("}")
  }

  private static func write(
    _ name: String, _ side: Side, of graph: ObjectGraph, to output: inout ByteBuffer
  ) throws(ArchiveError) {
    if case .nothing = side { return }
    output.append(",\n     \"\(name)\": ")
    switch side {
    case .nothing: break
    case .value(let node): try output.append(typed: node, of: graph)
    case .elements(let nodes):
      output.append("[")
      for (position, node) in nodes.enumerated() {
        if position > 0 { output.append(", ") }
        try output.append(typed: node, of: graph)
      }
      output.append("]")
    }
  }
}

/// The three versions of a file that are merged.
package struct MergedVersions {
  /// The version from which both others were made.
  package let base: ObjectGraph
  /// The version that gets the changes.
  package let ours: ObjectGraph
  /// The version whose changes it gets.
  package let theirs: ObjectGraph

  /// Takes three versions.
  package init(base: ObjectGraph, ours: ObjectGraph, theirs: ObjectGraph) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }
}
