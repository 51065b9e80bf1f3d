// Small plain JSON, which is written before anybody has looked for cycles: few archives have any, and the walk that finds
// them takes as long as the writing.

import Basics
import ObjectGraph

extension JSONWriter {
  /// What would show that values were taken for simpler than they are.
  struct Attempt {
    /// How many values a document may have at most, and how many bytes their text.
    static let mostValues = 1 << 15
    static let mostText = 1 << 20

    /// A container that holds itself is written within itself until it is nested so deep.
    private let mostOpen: Int
    /// Whether something was met that a walk enters and the writer does not: data that may hold an archive, or a key of a
    /// field that is no string.
    var needsWalk = false

    init(in graph: ObjectGraph) {
      // A walk counts data and what it holds as two levels.
      mostOpen = graph.limits.depth / 2 - 1
    }

    /// Whether the walk has to come first, seen from a number of open containers.
    @inline(__always)
    func hasFailed(at level: Int) -> Bool { needsWalk || level > mostOpen }
  }

  /// Writes a value with all its content, if it is small and turns out to have neither cycles nor deep nesting.
  ///
  /// - Returns: whether it was written; if not, the output is as before.
  static func attempt(
    _ root: Node, of graph: ObjectGraph, options: Options, to output: inout OutputBuffer
  ) -> Bool {
    // What is known without a walk needs no attempt, and threads share only what a walk has met.
    guard !options.isTyped, options.depth == nil, graph.documents.count == 1,
      graph.documents[0].table.count <= Attempt.mostValues, !graph.isShallowTree,
      !graph.limits.dividesAll, !output.hasProblem
    else { return false }
    let start = output.mark
    output.hold(min(Attempt.mostText, graph.outputLimit))
    var writer = JSONWriter(attempting: graph, options: options)
    var isWhole = true
    do throws(ArchiveError) {
      try writer.run(root, to: &output)
    } catch {
      isWhole = false
    }
    let fits = output.release()
    // What ended the attempt early has left containers open; derived values are documents of their own.
    if isWhole, fits, writer.stack.isEmpty, writer.attempt?.needsWalk == false,
      graph.documents.count == 1
    {
      return true
    }
    output.rollBack(to: start)
    return false
  }
}
