// The findings of a run in progress: a limited number, each with a location.

import ArchiveBasics
import ArchiveGraph

/// Collects findings up to a bound; those beyond it are counted.
final class IntegrityReport {
  /// The limits for faults and for advice.
  static let mostListed = 10_000
  /// How many steps all paths together may have.
  fileprivate static let mostSteps = 1_000_000

  let lints: Set<Lint>
  private var faults: [Diagnostic] = []
  private var advice: [Diagnostic] = []
  private var unlisted = 0
  fileprivate var steps = 0

  init(lints: Set<Lint>) { self.lints = lints }

  /// The number of faults that were found, listed or not.
  private(set) var faultCount = 0

  /// Adds an error of an input that has no table of values yet.
  func add(
    _ lint: Lint, _ error: ArchiveError, at steps: [GraphPath.Step], as severity: Severity = .error
  ) {
    guard hasRoom(lint, isFault: severity == .error) else { return }
    let path = steps.isEmpty ? error.path : GraphPath(steps)
    var finding = Diagnostic(lint, error.message, offset: error.offset, path: path)
    finding.severity = severity
    add(finding)
  }

  /// The findings by their offsets; those without one come last.
  func sorted() -> [Diagnostic] {
    let all = (faults + advice).enumerated().sorted { left, right in
      (left.element.offset ?? .max, left.offset) < (right.element.offset ?? .max, right.offset)
    }.map(\.element)
    guard unlisted > 0 else { return all }
    return all + [
      Diagnostic(
        .moreFindings,
        "\(unlisted) more \(unlisted == 1 ? "finding is" : "findings are") not listed")
    ]
  }

  fileprivate func hasRoom(_ lint: Lint, isFault: Bool? = nil) -> Bool {
    guard lints.contains(lint) else { return false }
    let isFault = isFault ?? !lint.isAdvisory
    if isFault { faultCount += 1 }
    if (isFault ? faults : advice).count < Self.mostListed { return true }
    unlisted += 1
    return false
  }

  fileprivate func add(_ finding: Diagnostic) {
    if finding.severity == .error { faults.append(finding) } else { advice.append(finding) }
  }
}

extension CheckedInput {
  /// Where a finding is among the stored values.
  enum Location {
    /// A stored value.
    case value(UInt32)
    /// The reference at a position of a container.
    case reference(StoredContainer, Int)
    case unknown
  }

  /// Adds a finding about a stored value.
  ///
  /// - Parameters:
  ///   - index: the value whose bytes are meant.
  ///   - location: its location; nil for the shortest path to the value.
  ///   - message: the fault; made only if it is listed.
  func add(_ lint: Lint, at index: UInt32, location: Location? = nil, _ message: () -> String) {
    guard report.hasRoom(lint) else { return }
    report.add(
      Diagnostic(
        lint, message(), offset: offset(of: index), byteCount: byteCount(of: index),
        path: path(location ?? .value(index))))
  }

  /// Adds an error that a reader has, or would have.
  func add(_ lint: Lint, _ error: ArchiveError, location: Location, byteCount: Int? = nil) {
    guard report.hasRoom(lint) else { return }
    report.add(
      Diagnostic(
        lint, error.message, offset: error.offset, byteCount: byteCount, path: path(location)))
  }

  private func path(_ location: Location) -> GraphPath? {
    guard report.steps < IntegrityReport.mostSteps else { return nil }
    let path: GraphPath? =
      switch location {
      case .value(let index): path(of: index)
      case .reference(let container, let position): path(of: container, position)
      case .unknown: nil
      }
    report.steps += path?.steps.count ?? 0
    return path
  }
}

// MARK: - The paths at which the values of a typedstream are shown

/// The shortest path to each value of an archive as it is shown, by the value's stored index.
struct ShownPaths {
  /// The longest path that is shown.
  private static let mostSteps = 128

  private var holders: [Node: (node: Node, step: GraphPath.Step)] = [:]
  private var root: Node?

  /// Walks an archive once; one that cannot be read has no paths.
  init(_ document: Document, limits: Limits) {
    let graph = ObjectGraph(limits: limits)
    let number = graph.add(document)
    do throws(ArchiveError) {
      try KeyedArchive.resolve(document: number, in: graph)
    } catch {
      return
    }
    let root = graph.root(of: number)
    self.root = root
    var queue = [root]
    var next = 0
    while next < queue.count {
      let node = queue[next]
      next += 1
      guard let container = GraphContainer(graph.value(of: node)) else { continue }
      for position in 0..<container.childCount {
        let child = container.child(position, in: graph)
        guard child != root, holders[child] == nil else { continue }
        holders[child] = (node, container.step(position, in: graph))
        queue.append(child)
      }
    }
  }

  /// The steps to a value; nil if it is not shown as it is, or too deep.
  func steps(to index: UInt32) -> [GraphPath.Step]? {
    guard let root else { return nil }
    var steps: [GraphPath.Step] = []
    var node = Node(document: root.document, index: index)
    while node != root {
      guard steps.count < Self.mostSteps, let holder = holders[node] else { return nil }
      steps.append(holder.step)
      node = holder.node
    }
    return steps.reversed()
  }
}
