// Objects written one after another: those of the archive in its order, then new ones.

import ArchiveBasics
import ArchiveGraph

/// Writes assembled objects as the values of an archive.
struct AssemblyWriter: ~Copyable {
  private typealias Part = AssembledObjects.Part

  private struct Frame {
    /// The stored container that is copied; nil for one that was made.
    let slot: Slot?
    let kind: UInt8
    /// The keys and values of a dictionary are in turn.
    let parts: [Part]
    var next = 0
  }

  private var objects: AssembledObjects
  /// The numbers of the objects in the new archive.
  private var numbers = [0: 0]
  /// The copied values of each document.
  private var copies: [UInt32: [UInt32]] = [:]

  private init(_ objects: consuming AssembledObjects) { self.objects = objects }

  /// Writes objects.
  ///
  /// - Parameters:
  ///   - reached: those that are needed.
  ///   - top: the number of `$top` among the contents.
  static func write(
    _ objects: consuming AssembledObjects, _ reached: Set<Int>, top: Int
  ) throws(ArchiveError) -> Document {
    let order = order(of: reached, in: objects)
    var writer = AssemblyWriter(objects)
    for (position, object) in order.enumerated() { writer.numbers[object] = position + 1 }
    var list = [try writer.index(of: .inline(0))]
    for object in order { list.append(try writer.index(of: .inline(object))) }
    let topIndex = try writer.index(of: .inline(top))
    let archive = try writer.outermost(
      objects: writer.objects.builder.add(list: list), top: topIndex)
    return writer.finish(archive)
  }

  private static func order(of reached: Set<Int>, in objects: borrowing AssembledObjects) -> [Int] {
    var kept: [(number: UInt32, object: Int)] = []
    var added: [Int] = []
    for object in reached {
      if let origin = objects.origin(of: object), origin.document == 0 {
        kept.append((origin.number, object))
      } else {
        added.append(object)
      }
    }
    return kept.sorted { $0.number < $1.number }.map(\.object) + added.sorted()
  }

  private consuming func finish(_ archive: UInt32) -> Document {
    objects.builder.finish(top: archive)
  }

  /// The outermost dictionary: the archive's own with other objects, or a new one.
  private mutating func outermost(objects list: UInt32, top: UInt32) throws(ArchiveError) -> UInt32
  {
    let document = objects.graph.documents[0]
    guard document.isKeyedArchive else {
      return objects.builder.add(members: [
        ("$version", objects.builder.add(Int64(100_000))),
        ("$archiver", objects.builder.add("NSKeyedArchiver")), ("$top", top), ("$objects", list),
      ])
    }
    var members: [(UInt32, UInt32)] = []
    var isKnown: Set<String> = []
    for (key, value) in objects.graph.storedFields(of: Node(document: 0, index: document.top)) {
      let name = document.table.text(at: key.reference)?.string ?? ""
      // Of a key that is there twice the first counts.
      guard !["$objects", "$top"].contains(name) || isKnown.insert(name).inserted else {
        continue
      }
      let copied = name == "$objects" ? list : name == "$top" ? top : try index(of: .stored(value))
      members.append((try index(of: .stored(key)), copied))
    }
    return objects.builder.add(pairs: members)
  }

  // MARK: Contents

  /// A value in the new table.
  private mutating func index(of part: Part) throws(ArchiveError) -> UInt32 {
    var stack: [Frame] = []
    var written = try begin(part, &stack)
    while let top = stack.indices.last {
      if let written { objects.builder.append(written) }
      if stack[top].next < stack[top].parts.count {
        stack[top].next += 1
        written = try begin(stack[top].parts[stack[top].next - 1], &stack)
      } else {
        written = close(stack.removeLast())
      }
    }
    return written ?? 0
  }

  /// Writes a value, or begins a container.
  ///
  /// - Returns: nil for a container.
  private mutating func begin(
    _ part: Part, _ stack: inout [Frame]
  ) throws(ArchiveError) -> UInt32? {
    switch part {
    case .object(let object): return objects.builder.add(uid: UInt64(numbers[object] ?? 0))
    case .built(let index): return index
    case .stored(let slot): return try begin(slot, &stack)
    case .inline(let number):
      switch objects.contents[number] {
      case .waiting: return objects.builder.add("$null")
      case .built(let index): return index
      case .stored(let slot): return try begin(slot, &stack)
      case .list(let parts):
        return try open(Frame(slot: nil, kind: Marker.array, parts: parts), &stack)
      case .pairs(let parts):
        return try open(Frame(slot: nil, kind: Marker.dictionary, parts: parts), &stack)
      }
    }
  }

  /// Copies a stored value, its UIDs being the new numbers, or begins to copy a container.
  private mutating func begin(
    _ slot: Slot, _ stack: inout [Frame]
  ) throws(ArchiveError) -> UInt32? {
    let table = objects.graph.documents[Int(slot.document)].table
    let known = copies[slot.document]?[Int(slot.reference)]
    if let known, known != .max { return known }
    if known == nil { copies[slot.document] = [UInt32](repeating: .max, count: table.count) }
    let kind = table.marker(of: slot.reference) >> 4
    let index: UInt32
    switch kind {
    case Marker.array...:
      let children = table.children(of: slot.reference)
      let half = kind == Marker.dictionary ? children.count / 2 : 0
      let parts = children.indices.map { position in
        let inTurn = half == 0 ? position : position / 2 + position % 2 * half
        return Part.stored(Slot(document: slot.document, reference: children[inTurn]))
      }
      return try open(Frame(slot: slot, kind: kind, parts: parts), &stack)
    case Marker.uid:
      let number = UInt32(truncatingIfNeeded: table.uid(at: slot.reference))
      let object = objects.object(slot.document, number)
      index = objects.builder.add(uid: UInt64(numbers[object] ?? 0))
    default: index = objects.builder.add(copying: slot.reference, of: table)
    }
    copies[slot.document]?[Int(slot.reference)] = index
    return index
  }

  private mutating func open(
    _ frame: Frame, _ stack: inout [Frame]
  ) throws(ArchiveError) -> UInt32? {
    guard stack.count < objects.graph.limits.depth else {
      throw ArchiveError.tooDeep(objects.graph.limits.depth)
    }
    objects.builder.open()
    stack.append(frame)
    return nil
  }

  private mutating func close(_ frame: Frame) -> UInt32 {
    let index =
      frame.kind == Marker.dictionary
      ? objects.builder.closeDictionary() : objects.builder.close(frame.kind)
    if let slot = frame.slot { copies[slot.document]?[Int(slot.reference)] = index }
    return index
  }
}
