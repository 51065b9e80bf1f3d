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
