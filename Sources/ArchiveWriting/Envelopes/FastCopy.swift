// The fast path of copies: containers with all that they hold in one loop, which counts no references.
//
// Before a value that needs more than that, the containers around it become frames, and their copying goes on there as
// without this: copies and errors are the same.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

/// A container of which all parts so far were copied.
struct CopiedContainer {
  let index: UInt32
  let container: PlainContainer
  /// Its number in the shape, and that of its elements.
  let schemaIndex: Int
  let elementSchemaIndex: Int
  let elementTag: UInt32
  var next = 0
}

struct FastCopy: ~Copyable {
  private let graph: ObjectGraph
  private let shape: any TypeHints
  /// The containers that are being copied, the innermost last.
  private var levels = RawStack<CopiedContainer>()
  /// The copies of objects that are the same at any place, in a large archive.
  private var objects: ObjectMemo

  init(_ graph: ObjectGraph, _ document: UInt32, _ shape: any TypeHints) {
    self.graph = graph
    self.shape = shape
    objects = ObjectMemo(for: graph, document)
  }

  /// Begins the copy of a container; false if it is to be copied otherwise.
  mutating func begin(
    _ node: Node, _ schemaIndex: Int, _ values: inout CodableValues,
    _ walk: inout CodableCopy.Walk
  ) -> Bool {
    let reader = DocumentReader(graph, node.document)
    guard walk.visited < walk.limit,
      walk.stack.count &+ PlainContainer.fastDepthLimit < graph.limits.depth,
      let container = Self.container(node.index, reader), !walk.open.contains(node)
    else { return false }
    walk.visited &+= 1
    begin(node.index, container, schemaIndex, &values)
    return true
  }

  /// Copies the parts of the container that was begun.
  ///
  /// - Returns: its copy; nil if frames were made before the first part that needs more.
  mutating func finish(
    _ document: UInt32, _ values: inout CodableValues, _ walk: inout CodableCopy.Walk
  ) throws(ArchiveError) -> UInt32? {
    let reader = DocumentReader(graph, document)
    if let copied = try copyParts(document, reader, &values, &walk) { return copied }
    fallBackToFrames(document, reader, &walk)
    return nil
  }

  /// A list, or a dictionary with names as keys; nil for other values.
  @inline(__always)
  private static func container(_ index: UInt32, _ reader: DocumentReader) -> PlainContainer? {
    guard let container = reader.container(index, at: reader.pointer(of: index)),
      container.kind != .set
    else { return nil }
    // The first key tells, as in `DictionaryKeys`.
    guard container.hasKeys, container.count > 0 else { return container }
    return isText(reader.pointer(of: reader.index(container.keys, 0))) ? container : nil
  }

  @inline(__always)
  private static func isText(_ valuePointer: UnsafeRawPointer) -> Bool {
    (Marker.ascii...Marker.utf8).contains(valuePointer.load(as: UInt8.self) >> 4)
  }

  private mutating func begin(
    _ index: UInt32, _ container: PlainContainer, _ schemaIndex: Int,
    _ values: inout CodableValues
  ) {
    values.builder.open()
    let element = container.hasKeys ? 0 : shape.element(schemaIndex)
    levels.push(
      CopiedContainer(
        index: index, container: container, schemaIndex: schemaIndex, elementSchemaIndex: element,
        elementTag: container.hasKeys ? 0 : values.tag(of: element)))
  }

  /// Copies the parts of the containers that were begun; nil before the first that needs more.
  private mutating func copyParts(
    _ document: UInt32, _ reader: DocumentReader, _ values: inout CodableValues,
    _ walk: inout CodableCopy.Walk
  ) throws(ArchiveError) -> UInt32? {
    while true {
      let level = levels.top
      if level.pointee.next == level.pointee.container.count {
        let copied =
          level.pointee.container.hasKeys
          ? values.builder.closeDictionary() : values.builder.close()
        levels.drop()
        if levels.isEmpty { return copied }
        values.builder.append(copied)
        continue
      }
      guard let part = try copyScalars(level, document, reader, &values, &walk)
      else {
        if level.pointee.next == level.pointee.container.count { continue }
        return nil
      }
      guard let container = Self.container(part.index, reader), walk.visited < walk.limit,
        levels.count < PlainContainer.fastDepthLimit,
        !walk.open.contains(Node(document: document, index: part.index)),
        !levels.values(from: 0).contains(where: { $0.index == part.index })
      else { return nil }
      if let key = part.key { values.builder.append(key) }
      walk.visited &+= 1
      level.pointee.next &+= 1
      begin(part.index, container, part.schemaIndex, &values)
    }
  }

  /// Copies parts up to one that is a container, or needs more than a copy.
  ///
  /// - Returns: the container, its number in the shape, and the copy of its key; nil at the end, and before a scalar that
  ///   needs more.
  @inline(__always)
  private mutating func copyScalars(
    _ level: UnsafeMutablePointer<CopiedContainer>, _ document: UInt32, _ reader: DocumentReader,
    _ values: inout CodableValues, _ walk: inout CodableCopy.Walk
  ) throws(ArchiveError) -> (index: UInt32, schemaIndex: Int, key: UInt32?)? {
    let container = level.pointee.container
    let hasNumbers = objects.remembers(document, after: walk.visited)
    var schemaIndex = level.pointee.elementSchemaIndex
    var tag = level.pointee.elementTag
    var next = level.pointee.next
    defer { level.pointee.next = next }
    while next < container.count {
      let number = hasNumbers ? reader.objectNumber(container.values, next) : nil
      // No object that is remembered is null.
      var copied = number.flatMap { objects.find($0) }
      let index = copied == nil ? reader.index(container.values, next, number: number) : 0
      var key: UInt32?
      if container.hasKeys {
        if copied == nil, values.nulls != .kept, Self.isNull(reader.pointer(of: index), reader) {
          return nil
        }
        guard let copy = try Self.keyCopy(level, next, document, reader, &values) else {
          return nil
        }
        guard copy.member >= 0 else {
          next &+= 1
          continue
        }
        (key, schemaIndex, tag) = (copy.index, copy.member, copy.tag)
      }
      guard walk.visited < walk.limit else { return nil }
      let node = Node(document: document, index: index)
      if copied == nil { copied = values.scalars.find(node, tag) }
      if copied != nil {
        walk.visited &+= 1
      } else {
        let stored = reader.pointer(of: index)
        if reader.isContainerOrData(stored) { return (index, schemaIndex, key) }
        guard isPlain(stored, node, values.nulls) else { return nil }
        walk.visited &+= 1
        guard let made = try values.add(reader.scalar(at: stored), node, schemaIndex) else {
          return nil
        }
        if let number, Self.isSameAnywhere(stored) {
          objects.set(number, made)
        } else {
          values.scalars.set(node, tag, made)
        }
        copied = made
      }
      if let key { values.builder.append(key) }
      if let copied { values.builder.append(copied) }
      next &+= 1
    }
    return nil
  }

  /// The copy of a key; nil if its member needs more, with the number -1 if it is left out.
  @inline(__always)
  private static func keyCopy(
    _ level: UnsafePointer<CopiedContainer>, _ position: Int, _ document: UInt32,
    _ reader: DocumentReader, _ values: inout CodableValues
  ) throws(ArchiveError) -> CodableValues.KeyCopy? {
    let index = reader.index(level.pointee.container.keys, position)
    let node = Node(document: document, index: index)
    let schemaIndex = level.pointee.schemaIndex
    if let known = values.knownCopy(ofKey: node, isField: false, schemaIndex) { return known }
    guard isText(reader.pointer(of: index)) else { return nil }
    return try values.copy(ofKey: node, isField: false, schemaIndex) ?? (0, -1, 0)
  }

  /// Whether the value is null, or the string that represents it.
  @inline(__always)
  private static func isNull(_ valuePointer: UnsafeRawPointer, _ reader: DocumentReader) -> Bool {
    valuePointer.load(as: UInt8.self) == 0 || reader.isNullMark(valuePointer)
  }

  /// Whether the copy of a scalar is the same wherever it occurs: it is no number.
  @inline(__always)
  private static func isSameAnywhere(_ valuePointer: UnsafeRawPointer) -> Bool {
    (Marker.date...Marker.utf8).contains(valuePointer.load(as: UInt8.self) >> 4)
  }

  /// Whether a scalar is certainly copied without an error.
  @inline(__always)
  private func isPlain(
    _ valuePointer: UnsafeRawPointer, _ node: Node, _ nulls: CodableCopy.Nulls
  ) -> Bool {
    let marker = valuePointer.load(as: UInt8.self)
    switch marker {
    case 0x00: return nulls != .marked
    case 0x08, 0x09, 0x10...0x14, 0x22, 0x23, 0x33, 0x40...0x4F: return true
    // "$null" has five characters; longer strings may have their count apart.
    case 0x50...0x7F where marker & 0x0F != 0x05 && marker & 0x0F != 0x0F: return true
    case 0x50...0x7F: return graph.text(of: node)?.equals("$null") == false
    default: return false
    }
  }

  /// Makes frames of the containers that were begun; the value that needs more is the next of the last.
  @inline(never)
  private mutating func fallBackToFrames(
    _ document: UInt32, _ reader: DocumentReader, _ walk: inout CodableCopy.Walk
  ) {
    for position in 0..<levels.count {
      let level = levels[position].pointee
      let node = Node(document: document, index: level.index)
      walk.open.insert(node)
      walk.stack.push(
        CodableCopy.Frame(
          node: node,
          children: level.container.hasKeys
            ? .members(reader.pairs(of: level.container, in: document))
            : .elements(reader.elements(of: level.container, in: document)),
          schemaIndex: level.schemaIndex, count: level.container.count, next: level.next))
    }
    levels.truncate(to: 0)
  }
}
