// Lost values tied to the elements of lists that they hang on, so that none comes back in another element.
//
// When an operation on an element has lost something, the element is hashed as the operation left it. On the way back it is
// hashed again before the operation is inverted: unless it was changed since, it is the same.

import Basics
import FileTransactions
import KeyedArchives
import ObjectGraph

/// How lost values are tied to what they hang on.
struct LostAnchoring {
  /// Whether values that are lost get anchors.
  var isWanted = false
  /// Whether a kept value is let go where its element has changed; else that is an error.
  var isForgiving = false
}

extension LensRun {
  /// What begins the anchor of a list as a whole, whose elements could be taken for one another.
  private static let listMark = "list:"

  /// Applies a lens to an element of a list or dictionary.
  mutating func applyAnchored(_ lens: Lens, _ value: LensValue) throws(ArchiveError) {
    guard case .index? = elements.last else {
      for operation in lens.operations(direction) { try apply(operation, value) }
      return
    }
    for operation in lens.operations(direction) {
      begin(operation)
      try check(value, operation.pointer)
      let first = lost.count
      try apply(operation, value)
      if anchoring.isWanted, lost.count > first {
        let trace = trace(of: value)
        // Those inside have anchored already.
        anchor(since: first) { $0.anchors.insert(trace, at: 0) }
      }
    }
  }

  /// The number of the innermost element among those that are found by position.
  private var level: Int {
    elements.count { if case .index = $0 { true } else { false } } - 1
  }

  /// Whether an element is still what values were kept of.
  private mutating func check(_ value: LensValue, _ pointer: String) throws(ArchiveError) {
    guard kept.hasAnchors else { return }
    try check(kept.anchored(at: elements, lens, pointer), value, level: level) {
      !$0.hasPrefix(Self.listMark)
    }
  }

  private mutating func check(
    _ values: [LostValue], _ value: LensValue, level: Int, _ isOfKind: (String) -> Bool
  ) throws(ArchiveError) {
    var trace: String?
    for kept in values where kept.anchors.indices.contains(level) {
      guard isOfKind(kept.anchors[level]) else { continue }
      let now = trace ?? self.trace(of: value)
      trace = now
      if kept.anchors[level] == now || kept.anchors[level] == Self.listMark + now { continue }
      guard anchoring.isForgiving else {
        throw problem(
          "has a value kept from \(kept.path) for what was here, and it was changed or moved since; "
            + "give --allow-loss to do without such values", value)
      }
      forget(kept)
    }
  }

  /// The canonical hash of a value; no two that could be taken for one another have one.
  private func trace(of value: LensValue) -> String {
    guard let bytes = value.digest(in: graph) else { return "" }
    do throws(ArchiveError) {
      let hash = try ContentHash(of: ByteStorage(copying: bytes))
      return String(hash.description.prefix(32))
    } catch {
      return ""
    }
  }

  // MARK: Lists

  /// Where the elements of a list are found again: by a member, where it tells them apart, else by position.
  func places(
    of items: [LensValue], _ name: String?
  ) throws(ArchiveError) -> [LensPlace.Element] {
    guard let name else { return items.indices.map { .index($0) } }
    let identities = items.map { item -> LensPlace.Identity? in
      let member = item.open(in: graph)?.first { $0.isCalled(name) }
      return LensPlace.Identity(member?.value.scalar(in: graph))
    }
    var counts: [LensPlace.Identity: Int] = [:]
    for identity in identities.compactMap({ $0 }) { counts[identity, default: 0] += 1 }
    var places: [LensPlace.Element] = []
    for (index, identity) in identities.enumerated() {
      guard let identity else {
        places.append(.index(index))
        continue
      }
      let place = LensPlace.Element.identified(by: ExactText(name), as: identity)
      if counts[identity] == 1 {
        places.append(place)
      } else if kept.holds(elements + [place]) {
        throw problem(
          "finds several elements whose '\(name)' is that of one with kept values", items[index])
      } else {
        places.append(.index(index))
      }
    }
    return places
  }

  /// Whether a list with elements that could be taken for one another is still what values were kept of.
  mutating func checkList(_ items: [LensValue], _ pointer: String) throws(ArchiveError) {
    guard kept.hasAnchors else { return }
    let list = LensValue(.list(items))
    for index in items.indices {
      let values = kept.anchored(at: elements + [.index(index)], lens, pointer)
      if values.isEmpty { continue }
      try check(values, list, level: level + 1) { $0.hasPrefix(Self.listMark) }
    }
  }

  /// Anchors what hangs on elements with an equal in the list to the whole list.
  mutating func anchorRepeated(
    _ items: [LensValue], _ places: [LensPlace.Element], since first: Int
  ) {
    guard anchoring.isWanted, lost.count > first else { return }
    var counts: [[UInt8]: Int] = [:]
    let digests = items.map { $0.digest(in: graph) ?? [] }
    for digest in digests { counts[digest, default: 0] += 1 }
    guard counts.values.contains(where: { $0 > 1 }) else { return }
    let mark = Self.listMark + trace(of: LensValue(.list(items)))
    let depth = elements.count
    anchor(since: first) { value in
      guard value.place.elements.indices.contains(depth),
        case .index(let index) = value.place.elements[depth], digests.indices.contains(index),
        counts[digests[index], default: 0] > 1, value.anchors.indices.contains(0)
      else { return }
      // What is further out is anchored later, and put before.
      value.anchors[0] = mark
    }
  }
}

extension LensValue {
  /// The value as canonical bytes, whatever envelope it came in; nil if it has none.
  func digest(in graph: ObjectGraph) -> [UInt8]? {
    switch content {
    case .node(let node): return ModelDigest.bytes(of: node, in: graph)
    case .scalar(let form): return ModelDigest.bytes(of: form)
    case .list(let items):
      var all: [[UInt8]] = []
      for item in items {
        guard let bytes = item.digest(in: graph) else { return nil }
        all.append(bytes)
      }
      return ModelDigest.bytes(ofList: all)
    case .members(let members):
      var all: [(name: String, value: [UInt8])] = []
      for member in members {
        guard let bytes = member.value.digest(in: graph) else { return nil }
        all.append((member.name, bytes))
      }
      return ModelDigest.bytes(ofMembers: all)
    }
  }
}
