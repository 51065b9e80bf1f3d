// The keywords that try schemas on the same value: `anyOf`, `oneOf`, `not` and `if`.

import ArchiveBasics

/// Tries the schemas of an applicator, each in one step, and reports what follows from those that fit.
enum SchemaTrial {
  typealias Frame = UnsafeMutablePointer<ValidationFrame>

  /// The next schema that applies to the value; nil once none is left.
  static func next(
    _ applicator: Applicator, _ frame: Frame, _ report: inout ValidationReport
  ) -> Edge? {
    if frame.pointee.branch == 0 {
      (frame.pointee.mark, frame.pointee.matches) = (report.failures, 0)
    }
    switch applicator {
    case .choice(let edges, let isExclusive):
      return choice(edges, isExclusive: isExclusive, frame, &report)
    case .none(let edge), .conditional(let edge, _, _):
      if frame.pointee.branch == 0 { return begin(edge, frame, &report) }
      let fits = report.failures == frame.pointee.branchMark
      end(frame, &report)
      if case .conditional(_, let then, let otherwise) = applicator {
        return fits ? then : otherwise
      }
      if fits {
        report.add("not", "a value that does not fit the schema of 'not'", report.current)
      }
      return nil
    default: return nil
    }
  }

  private static func choice(
    _ edges: [Edge], isExclusive: Bool, _ frame: Frame, _ report: inout ValidationReport
  ) -> Edge? {
    let branch = frame.pointee.branch
    if branch > 0, report.failures == frame.pointee.branchMark { frame.pointee.matches += 1 }
    let matches = frame.pointee.matches
    // All branches are checked only where annotations matter, or how many fit.
    let isDecided = matches > 0 && !isExclusive && !frame.pointee.isTracking
    if branch < edges.count, !isDecided { return begin(edges[branch], frame, &report) }
    var causes: [Diagnostic] = []
    if matches > 0 {
      end(frame, &report)
      if !isExclusive || matches == 1 { return nil }
    } else {
      guard let found = endFailed(frame, &report) else { return nil }
      causes = found
    }
    report.add(
      isExclusive ? "oneOf" : "anyOf",
      "a value that fits \(isExclusive ? "exactly " : "")one of \(edges.count) schemas",
      report.current, found: matches > 0 ? "one that fits \(matches) of them" : nil,
      causes: causes)
    return nil
  }

  /// Begins a branch whose result is determined at its end.
  private static func begin(
    _ edge: Edge, _ frame: Frame, _ report: inout ValidationReport
  ) -> Edge {
    if frame.pointee.branch == 0, frame.pointee.causes == nil { report.beginTrial() }
    frame.pointee.branchMark = report.failures
    frame.pointee.branch += 1
    return edge
  }

  /// Ends the trial of an applicator's schemas, without their failures.
  private static func end(_ frame: Frame, _ report: inout ValidationReport) {
    report.endTrial(since: frame.pointee.mark)
    frame.pointee.branch = 0
    frame.pointee.next += 1
  }

  /// Ends an applicator that required at least one fitting schema, and gives the causes of the failure.
  ///
  /// - Returns: nil if the schemas are to be checked again for the causes. In a trial there are none.
  private static func endFailed(
    _ frame: Frame, _ report: inout ValidationReport
  ) -> [Diagnostic]? {
    guard let start = frame.pointee.causes else {
      end(frame, &report)
      guard let start = report.beginCauses() else { return [] }
      frame.pointee.causes = start
      frame.pointee.next -= 1
      return nil
    }
    frame.pointee.causes = nil
    frame.pointee.branch = 0
    frame.pointee.next += 1
    return report.endCauses(start, since: frame.pointee.mark)
  }
}
