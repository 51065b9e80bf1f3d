// The stored location of a path: the reference to be replaced, or the lists that grow.

import Basics
import ObjectGraph

/// A location for a part.
enum PartLocation {
  /// A position of a container.
  case reference(UInt32, position: Int)
  /// The end of a list.
  case end(of: UInt32)
  /// A new pair of a stored dictionary, whose key is an inline string.
  case member(of: UInt32, key: String)
  /// A new pair of an NSDictionary: the end of both of its lists.
  case pair(keys: UInt32, values: UInt32, key: String)
  /// A new element, or pair, of a collection whose elements have keys with numbers.
  case numbered(of: UInt32, number: Int, key: String?)

  /// Finds the location that a path's last step names.
  ///
  /// - Parameters:
  ///   - step: the last step.
  ///   - parent: the value of the preceding steps.
  ///   - archive: the archive.
  /// - Throws: `ArchiveError` with code `missingValue` or `mismatch` if it does not exist.
  init(
    _ step: GraphPath.Step, of parent: Node, in archive: OpenedArchive
  ) throws(ArchiveError) {
    let graph = archive.graph
    switch (step, graph.value(of: parent)) {
    case (.key(let key), .dictionary(let pairs)), (.key(let key), .object(_, let pairs)):
      for position in 0..<pairs.count
      where graph.memberName(pairs, position)?.sameCharacters(as: key) == true {
        self = try Self.place(pairs.values, pairs.position(position), parent, archive)
        return
      }
      self = try Self.newMember(key, pairs, parent, archive)
    case (.index(let index), .array(let elements)), (.index(let index), .set(let elements)),
      (.index(let index), .orderedSet(let elements)):
      guard index <= elements.count else {
        throw ArchiveError(
          .missingValue, "no element \(index); a new one must have the number \(elements.count)")
      }
      self =
        index < elements.count
        ? try Self.place(elements, index, parent, archive)
        : try Self.newElement(elements, parent, archive)
    default:
      throw ArchiveError(.missingValue, "no value that a part could be inserted into")
    }
  }

  // MARK: Existing locations

  /// The position of an element, in whichever container of an object its references are.
  private static func place(
    _ elements: Elements, _ position: Int, _ parent: Node, _ archive: OpenedArchive
  ) throws(ArchiveError) -> PartLocation {
    guard archive.stores(parent) else { throw derived }
    if let found = holder(of: elements, parent.index, archive.table) {
      return .reference(found.holder, position: found.first + position)
    }
    guard elements.width == 0,
      let place = numbered("NS.object.\(position)", of: parent.index, archive.table)
    else { throw derived }
    return .reference(parent.index, position: place)
  }

  /// The container whose references elements are, and the position of the first.
  static func holder(
    of elements: Elements, _ index: UInt32, _ table: ValueTable
  ) -> (holder: UInt32, first: Int)? {
    guard elements.width > 0 else { return nil }
    let (start, count) = table.counted(index)
    switch table.marker(of: index) >> 4 {
    case Marker.dictionary:
      if start + count * table.referenceWidth == elements.start { return (index, count) }
      for position in count..<count * 2 {
        let list = table.reference(start, position)
        if isList(list, table), table.counted(list).start == elements.start { return (list, 0) }
      }
      return nil
    case Marker.array...: return start == elements.start ? (index, 0) : nil
    default: return nil
    }
  }

  private static func isList(_ index: UInt32, _ table: ValueTable) -> Bool {
    let kind = table.marker(of: index) >> 4
    return kind >= Marker.array && kind != Marker.dictionary
  }

  /// The position of the value of a key such as `NS.object.3`.
  private static func numbered(_ key: String, of index: UInt32, _ table: ValueTable) -> Int? {
    guard table.marker(of: index) >> 4 == Marker.dictionary else { return nil }
    let (start, count) = table.counted(index)
    for position in 0..<count
    where table.text(at: table.reference(start, position))?.sameCharacters(as: key) == true {
      return count + position
    }
    return nil
  }

  private static let derived = ArchiveError(
    .mismatch, "the value is derived from others; a part cannot be inserted into it")

  // MARK: New locations

  private static func newMember(
    _ key: String, _ pairs: Pairs, _ parent: Node, _ archive: OpenedArchive
  ) throws(ArchiveError) -> PartLocation {
    guard archive.stores(parent) else { throw derived }
    guard let index = archive.graph.classIndex(of: parent) else {
      if parent.index == archive.parts?.top {
        return .member(of: parent.index, key: KeyRename.stored(key))
      }
      guard archive.parts == nil else { throw derived }
      return .member(of: parent.index, key: key)
    }
    let name = archive.graph.classes[index].displayName
    guard !pairs.isFields else {
      throw ArchiveError(
        .missingValue, "an object of class \(name) has no field '\(key)'")
    }
    if let keys = holder(of: pairs.keys, parent.index, archive.table),
      let values = holder(of: pairs.values, parent.index, archive.table),
      keys.holder != values.holder, keys.first == 0, values.first == 0
    {
      return .pair(keys: keys.holder, values: values.holder, key: key)
    }
    guard pairs.keys.width == 0, pairs.count == 0 || isNumbered(parent.index, archive.table) else {
      throw derived
    }
    return .numbered(of: parent.index, number: pairs.count, key: key)
  }

  private static func newElement(
    _ elements: Elements, _ parent: Node, _ archive: OpenedArchive
  ) throws(ArchiveError) -> PartLocation {
    guard archive.stores(parent) else { throw derived }
    if let found = holder(of: elements, parent.index, archive.table), found.first == 0 {
      return .end(of: found.holder)
    }
    guard elements.width == 0, elements.count == 0 || isNumbered(parent.index, archive.table) else {
      throw derived
    }
    return .numbered(of: parent.index, number: elements.count, key: nil)
  }

  private static func isNumbered(_ index: UInt32, _ table: ValueTable) -> Bool {
    numbered("NS.object.0", of: index, table) != nil
  }
}
