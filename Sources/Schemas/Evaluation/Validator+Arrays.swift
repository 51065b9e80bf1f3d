// The keywords of arrays; sets are arrays to a schema.

import Basics
import ObjectGraph

extension Validator {
  /// What can be said of an array as a whole.
  mutating func checkArray(
    _ elements: Elements, _ rules: UnsafeMutablePointer<ArrayRules>, _ node: Node, _ site: Site
  ) {
    let value = graph.value(of: node)
    if let minimum = rules.pointee.minimumCount, elements.count < minimum {
      report("minItems", "at least \(Counted.text(minimum, "item"))", value, node, site)
    }
    if let maximum = rules.pointee.maximumCount, elements.count > maximum {
      report("maxItems", "at most \(Counted.text(maximum, "item"))", value, node, site)
    }
    if rules.pointee.isUnique { checkUnique(elements, value, node, site) }
  }

  private mutating func checkUnique(
    _ elements: Elements, _ value: Value, _ node: Node, _ site: Site
  ) {
    var seen: [UInt32: Int] = [:]
    for index in 0..<elements.count {
      do throws(ArchiveError) {
        let number = try canonical.number(of: graph.node(elements, index))
        if let first = seen.updateValue(index, forKey: number) {
          report(
            "uniqueItems", "items that differ", value, node, site,
            found: "the same at \(first) and \(index)")
          return
        }
      } catch {
        problem = error.at(path: path(site))
        return
      }
    }
  }

  // MARK: Elements

  /// The schema of one element.
  @inline(__always)
  mutating func stepElement(_ frame: UnsafeMutablePointer<Frame>, _ elements: Elements) {
    let index = frame.pointee.next
    let place = frame.pointee.edge.place
    guard index < frame.pointee.count, let edge = edge(ofElement: index, place) else {
      frame.pointee.next = 0
      frame.pointee.stage =
        schema.nodes[place].arrays?.pointee.contains == nil ? .inPlace : .contains
      return
    }
    frame.pointee.next = index + 1
    if frame.pointee.isTracking { frame.pointee.evaluated.insert(index) }
    enter(graph.node(elements, index), edge.place, .element(index), edge)
  }

  /// The schema of an element; for a list of models it is the whole schema.
  @inline(__always)
  private func edge(ofElement index: Int, _ place: Int) -> Edge? {
    if place == 0 { return Edge(place: schema.start.place, pointer: "") }
    guard let rules = schema.nodes[place].arrays else { return nil }
    if index < rules.pointee.prefix.count { return rules.pointee.prefix[index] }
    return rules.pointee.items
  }

  // MARK: contains

  /// `contains` for one element; its violations never count.
  mutating func stepContains(_ frame: UnsafeMutablePointer<Frame>) {
    guard case .elements(let elements) = frame.pointee.way,
      let rules = schema.nodes[frame.pointee.edge.place].arrays, let edge = rules.pointee.contains
    else {
      frame.pointee.stage = .inPlace
      return
    }
    let index = frame.pointee.next
    if frame.pointee.branch > 0 {
      if failures == frame.pointee.branchMark {
        frame.pointee.matches += 1
        if frame.pointee.isTracking { frame.pointee.evaluated.insert(index - 1) }
      }
      failures = frame.pointee.branchMark
      trials -= 1
    }
    guard index < elements.count else {
      let matches = frame.pointee.matches
      (frame.pointee.next, frame.pointee.branch, frame.pointee.matches) = (0, 0, 0)
      frame.pointee.stage = .inPlace
      return finishContains(frame, matches, rules)
    }
    frame.pointee.branchMark = failures
    trials += 1
    (frame.pointee.next, frame.pointee.branch) = (index + 1, 1)
    enter(graph.node(elements, index), edge.place, .element(index), edge)
  }

  private mutating func finishContains(
    _ frame: UnsafeMutablePointer<Frame>, _ matches: Int, _ rules: UnsafeMutablePointer<ArrayRules>
  ) {
    let node = frame.pointee.node
    let value = graph.value(of: node)
    if matches < rules.pointee.minimumContains {
      let keyword = rules.pointee.minimumContains == 1 ? "contains" : "minContains"
      report(
        keyword, "at least \(rules.pointee.minimumContains) items that fit 'contains'", value, node,
        nil,
        found: "\(matches) in an array of \(frame.pointee.count)")
    }
    if let maximum = rules.pointee.maximumContains, matches > maximum {
      report(
        "maxContains", "at most \(maximum) items that fit 'contains'", value, node, nil,
        found: "\(matches) in an array of \(frame.pointee.count)")
    }
  }
}
