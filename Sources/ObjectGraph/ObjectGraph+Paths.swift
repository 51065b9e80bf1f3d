// From a path to the node at its end.

import Basics

extension ObjectGraph {
  /// The node that a path leads to.
  ///
  /// A `⟨kind⟩` enters the archive in a data value; where it is left out, a step into a data value enters it
  /// as well.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - start: where it begins.
  /// - Throws: `ArchiveError` with code `missingValue` at the first step that leads nowhere, its path being the
  ///   part that was found.
  public func node(at path: GraphPath, from start: Node) throws(ArchiveError) -> Node {
    var current = start
    for (position, step) in path.steps.enumerated() {
      guard let next = self.step(step, from: current) else {
        let found = GraphPath(Array(path.steps[..<position]))
        throw ArchiveError(
          .missingValue, "\(reason(step, current)) here", offset: fileOffset(of: current),
          path: found)
      }
      current = next
    }
    return current
  }

  /// The position in the input file of the innermost value on a path that has one, for messages about the path.
  ///
  /// - Parameter path: the path from the root; what follows the first step without a target is left out.
  public func fileOffset(near path: GraphPath) -> Int? {
    var current = root
    var offset = fileOffset(of: current)
    for step in path.steps {
      guard let next = self.step(step, from: current) else { break }
      current = next
      offset = fileOffset(of: current) ?? offset
    }
    return offset
  }

  private func step(_ step: GraphPath.Step, from node: Node) -> Node? {
    var node = node
    if case .content = step { return content(of: node) }
    while case .data = value(of: node), let content = content(of: node) { node = content }
    switch (step, value(of: node)) {
    case (.index(let index), .array(let elements)), (.index(let index), .set(let elements)),
      (.index(let index), .orderedSet(let elements)):
      return index < elements.count ? self.node(elements, index) : nil
    case (.key(let key), .dictionary(let pairs)), (.key(let key), .object(_, let pairs)):
      for position in 0..<pairs.count
      where memberName(pairs, position)?.sameCharacters(as: key) == true {
        return self.value(pairs, position)
      }
      return nil
    default: return nil
    }
  }

  private func reason(_ step: GraphPath.Step, _ node: Node) -> String {
    switch step {
    case .index(let index): return "no element \(index)"
    case .content: return "no data value with an archive"
    case .key(let key): return "no key \(GraphPath.quoted(key))"
    case .anyMember: return "no single member"
    case .anyElement: return "no single element"
    }
  }
}
