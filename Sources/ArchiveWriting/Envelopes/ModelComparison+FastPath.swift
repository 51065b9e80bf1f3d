// Containers that are found equal on the fast path, with all that they hold: one loop, which counts no references.
//
// Where something is not found equal here, the containers around it become frames, and the comparison goes on there as
// without this: what differs, and its path, are the same.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

/// Two containers with as many parts, of which all so far are equal.
struct ComparedContainers {
  let source: UInt32
  let target: UInt32
  let left: PlainContainer
  let right: PlainContainer
  /// The next member or element.
  var next = 0
}

extension ModelComparison {
  /// How deep containers are compared on the fast path; a container that holds itself is deeper.
  private static var fastDepthLimit: Int { 32 }

  /// Compares two containers and their parts, or leaves frames for those around the first that is not equal on the fast path.
  ///
  /// - Returns: false if the two values themselves are to be compared otherwise.
  @inline(__always)
  mutating func compareFast(_ left: Node, _ right: Node) -> Bool {
    // A value that was changed may be another one in the target.
    guard usesFastPath, changes.isEmpty, source.isContainerOrData(left), beginFast(left, right)
    else {
      return false
    }
    if !finishFast(left.document, right.document) {
      fallBackToFrames(left.document, right.document)
    }
    return true
  }

  /// Enters the first containers; false if they do not correspond part by part.
  private mutating func beginFast(_ left: Node, _ right: Node) -> Bool {
    let (source, target) = readers(left.document, right.document)
    guard stack.count &+ Self.fastDepthLimit < self.source.limits.depth,
      let first = Self.containers(left.index, right.index, source, target),
      areAligned(first, left.document, right.document, source, target)
    else { return false }
    fastLevels.push(first)
    return true
  }

  private func readers(_ left: UInt32, _ right: UInt32) -> (DocumentReader, DocumentReader) {
    (DocumentReader(source, left), DocumentReader(target, right))
  }

  /// Two lists or two dictionaries with as many parts; nil for others.
  @inline(__always)
  private static func containers(
    _ left: UInt32, _ right: UInt32, _ source: DocumentReader, _ target: DocumentReader
  ) -> ComparedContainers? {
    guard let a = source.container(left, at: source.pointer(of: left)),
      let b = target.container(right, at: target.pointer(of: right)),
      a.kind == b.kind, a.kind != .set, a.count == b.count
    else { return nil }
    return ComparedContainers(source: left, target: right, left: a, right: b)
  }

  /// Whether dictionaries have the same names in the same order.
  @inline(__always)
  private mutating func areAligned(
    _ both: ComparedContainers, _ document: UInt32, _ other: UInt32, _ source: DocumentReader,
    _ target: DocumentReader
  ) -> Bool {
    guard both.left.hasKeys else { return true }
    for position in 0..<both.left.count {
      let key = Node(document: document, index: source.index(both.left.keys, position))
      let name = Node(document: other, index: target.index(both.right.keys, position))
      if equalNames.find(key, other &* 4) == name.index { continue }
      guard let a = self.source.keyText(of: key), let b = self.target.keyText(of: name),
        a.sameCharacters(as: b)
      else { return false }
      equalNames.set(key, other &* 4, name.index)
    }
    return true
  }

  /// Compares the containers that were entered; false at the first value that is not found equal.
  private mutating func finishFast(_ document: UInt32, _ other: UInt32) -> Bool {
    let (source, target) = readers(document, other)
    while let level = fastLevels.last {
      let both = level.pointee
      let hasNumbers =
        other == targetDocument && equalObjects.remembers(document, after: visited)
      let count = min(both.left.count, both.next &+ (limit &- visited))
      var next = both.next
      var inner: ComparedContainers?
      while next < count {
        let right = target.index(both.right.values, next)
        let number = hasNumbers ? source.objectNumber(both.left.values, next) : nil
        if let number, equalObjects.find(number) == right {
          next &+= 1
          continue
        }
        let left = source.index(both.left.values, next, number: number)
        let node = Node(document: document, index: left)
        if equals.find(node, other) != right {
          let (valuePointer, otherPointer) = (source.pointer(of: left), target.pointer(of: right))
          if source.isContainerOrData(valuePointer) || target.isContainerOrData(otherPointer) {
            inner = Self.containers(left, right, source, target)
            break
          }
          guard
            source.isStoredAlike(valuePointer, target, otherPointer)
              || compareScalars(node, Node(document: other, index: right))
          else { break }
          if let number {
            equalObjects.set(number, right)
          } else {
            equals.set(node, other, right)
          }
        }
        next &+= 1
      }
      visited &+= next &- both.next
      level.pointee.next = next
      if next == both.left.count {
        fastLevels.drop()
        continue
      }
      guard visited < limit, let inner, fastLevels.count < Self.fastDepthLimit,
        areAligned(inner, document, other, source, target)
      else { return false }
      visited &+= 1
      level.pointee.next = next &+ 1
      fastLevels.push(inner)
    }
    return true
  }

  private mutating func compareScalars(_ left: Node, _ right: Node) -> Bool {
    if !isStrict { return compareValues(left, right) }
    return Self.areAlike(source.value(of: left), target.value(of: right))
  }

  /// Makes frames of the containers that were entered; the values that were not found equal are the next of the last.
  @inline(never)
  private mutating func fallBackToFrames(_ document: UInt32, _ other: UInt32) {
    for position in 0..<fastLevels.count {
      let level = fastLevels[position].pointee
      stack.push(
        Frame(
          children: children(of: level, document, other), count: level.left.count, next: level.next)
      )
    }
    fastLevels.truncate(to: 0)
  }

  private func children(
    of both: ComparedContainers, _ document: UInt32, _ other: UInt32
  ) -> Children {
    let (source, target) = readers(document, other)
    let count = both.left.count
    let left = source.elements(both.left.values, count, in: document)
    let right = target.elements(both.right.values, count, in: other)
    guard both.left.hasKeys else { return .elements(left, right) }
    return .aligned(
      Pairs(keys: source.elements(both.left.keys, count, in: document), values: left),
      Pairs(keys: target.elements(both.right.keys, count, in: other), values: right))
  }
}
