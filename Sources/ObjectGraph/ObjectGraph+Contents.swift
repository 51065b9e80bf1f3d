// What a graph makes of its values and remembers: values derived from fields, archives in data, and the bounds of both.

import Basics

extension ObjectGraph {
  // MARK: Derived values

  /// A value that is computed from a node once and cached; null if the graph's budget is spent.
  public func derivedValue(of node: Node, _ compute: (SyntheticArena) -> Value) -> Value {
    if let known = derived.known[node] { return known }
    guard canDerive else {
      reportExhaustion()
      return .null
    }
    let value = compute(derived)
    derived.known[node] = value
    return value
  }

  /// Subtracts bytes that were copied or read for a derived value from the graph's budget.
  public func spend(_ bytes: Int) { derived.spend(bytes) }

  /// Whether more values may be derived: many objects that share one long string could each make its own of it.
  public var canDerive: Bool { derived.spent < derivedLimit }

  private var derivedLimit: Int { limits.derivedBytes ?? max(1 << 26, archivedBytes &* 64) }

  /// Warns once that some objects show their fields because the budget is spent.
  private func reportExhaustion() {
    guard !derived.isExhausted else { return }
    derived.isExhausted = true
    losses.append(
      ArchiveError(
        .limit,
        "values derived from shared fields exceed \(derivedLimit) bytes; the rest show their fields"
      ))
  }

  // MARK: Expansion

  /// How many nodes a walk that visits shared values again and again may visit.
  ///
  /// Small files in which sharing multiplies stop soon; files of any size may be walked 64 times over.
  public var expansionLimit: Int {
    limits.expansion(of: documents.reduce(0) { $0 + $1.table.count })
  }

  /// How many bytes the values may take when they are written out.
  public var outputLimit: Int {
    limits.output(of: max(documents[0].table.byteCount, inflated?.bytes.count ?? 0))
  }

  // MARK: Nested archives

  /// The root of the archive or property list in a data value, or nil.
  public func content(of node: Node) -> Node? {
    guard let nestedReader else { return nil }
    if let known = contents[node] { return known }
    guard case .data(let bytes) = value(of: node), bytes.count > 1,
      nesting(of: node.document) < limits.nesting
    else { return nil }
    do {
      let root = try nestedReader.open(bytes, heldBy: node, in: self)
      contents[node] = root
      return root
    } catch {
      contents[node] = .some(nil)
      contentErrors[node] = error
      return nil
    }
  }

  /// Why a data value that begins as an archive cannot be opened as one; nil for other values.
  public func contentError(of node: Node) -> ArchiveError? {
    content(of: node) == nil ? contentErrors[node] : nil
  }

  /// Whether some data value began as an archive and could not be opened as one.
  public var hasContentErrors: Bool { !contentErrors.isEmpty }
}

// MARK: - How people see where a value is: its number in `$objects`, and its place in the file

extension ObjectGraph {
  // MARK: Labels

  /// The number of a node as people see it: `#5`, its index in `$objects`, or in the stored table outside
  /// of them; `#2:5` in the third document.
  public func label(of node: Node) -> String {
    let number = objectNumber(of: node).map { Int($0) } ?? Int(node.index)
    return node.document == 0 ? "#\(number)" : "#\(node.document):\(number)"
  }

  /// A node's index in `$objects`, nil if it is not in it.
  public func objectNumber(of node: Node) -> UInt32? {
    guard let readingLock else { return findObjectNumber(of: node) }
    return readingLock.locked { findObjectNumber(of: node) }
  }

  private func findObjectNumber(of node: Node) -> UInt32? {
    let view = views[Int(node.document)]
    guard let objects = view.objects else { return nil }
    if objectNumbers[node.document] == nil {
      var numbers = [UInt32](repeating: .max, count: view.table.count)
      for number in 0..<view.objectCount {
        numbers[Int(view.table.reference(objects, number))] = UInt32(number)
      }
      objectNumbers[node.document] = numbers
    }
    guard let number = objectNumbers[node.document]?[Int(node.index)], number != .max else {
      return nil
    }
    return number
  }

  // MARK: Locations

  /// The offset of a node's bytes in the input file, if they are stored there in this form.
  public func fileOffset(of node: Node) -> Int? {
    documents[Int(node.document)].fileOffset(of: node.index)
  }
}

// MARK: - From a path to the node at its end

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

// MARK: - The path of a stored value, for error messages: from the top through stored containers

/// Searches a table for the location of one of its values.
public enum StoredPath {
  /// The path of a stored value from the top; nil if it is not reachable.
  ///
  /// For tables without faults.
  public static func find(_ target: UInt32, from top: UInt32, in table: ValueTable) -> GraphPath? {
    if top == target { return GraphPath() }
    var visited = [Bool](repeating: false, count: table.count)
    var walk = GraphWalk<TableContainer>(in: table)
    enter(top, &visited, &walk)
    while let event = walk.next() {
      guard case .child(let child, _, _) = event else { continue }
      if child == target { return walk.path }
      enter(child, &visited, &walk)
    }
    return nil
  }

  private static func enter(
    _ index: UInt32, _ visited: inout [Bool], _ walk: inout GraphWalk<TableContainer>
  ) {
    guard !visited[Int(index)], walk.context.fault(at: index) == nil else { return }
    visited[Int(index)] = true
    if let container = TableContainer(index, in: walk.context) { walk.enter(container) }
  }
}
