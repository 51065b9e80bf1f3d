// Containers that are copied on the fast path, with all that they hold: one loop, which counts no references.
//
// Before a value that needs more than that, the containers around it become frames, and their copying goes on there as
// without this: copies and errors are the same.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

/// A container of which all parts so far were copied.
struct CopiedContainer {
  let index: UInt32
  let container: PlainContainer
  /// Its number in the shape, and that of its elements.
  let schemaIndex: Int
  let elementSchemaIndex: Int
  let elementTag: UInt32
  /// The next member or element.
  var next = 0
}

/// What came of copying a value on the fast path.
enum FastCopy {
  /// The value is to be copied otherwise.
  case nothing
  /// Its copy.
  case value(UInt32)
  /// Its copy was begun, and goes on in the innermost container.
  case frames
}

extension CodableCopy {
  /// How deep containers are copied on the fast path; a new one is compared with those around it.
  private static var fastDepthLimit: Int { 32 }

  /// Copies a container and its parts, or those before the first part that needs more.
  @inline(__always)
  mutating func copyFast(_ node: Node, _ schemaIndex: Int) throws(ArchiveError) -> FastCopy {
    // JSON has forms of its own for dates and data.
    guard usesFastPath, json == nil, graph.isContainerOrData(node) else { return .nothing }
    return try copyContainer(node, schemaIndex)
  }

  private mutating func copyContainer(
    _ node: Node, _ schemaIndex: Int
  ) throws(ArchiveError) -> FastCopy {
    let reader = DocumentReader(graph, node.document)
    guard visited < limit, stack.count &+ Self.fastDepthLimit < graph.limits.depth,
      let container = Self.container(node.index, reader), !open.contains(node)
    else { return .nothing }
    visited &+= 1
    begin(node.index, container, schemaIndex)
    if let copied = try finishFast(node.document, reader) { return .value(copied) }
    fallBackToFrames(node.document, reader)
    return .frames
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

  private mutating func begin(_ index: UInt32, _ container: PlainContainer, _ schemaIndex: Int) {
    builder.open()
    let element = container.hasKeys ? 0 : shape.element(schemaIndex)
    fastLevels.push(
      CopiedContainer(
        index: index, container: container, schemaIndex: schemaIndex, elementSchemaIndex: element,
        elementTag: container.hasKeys ? 0 : tag(of: element)))
  }

  /// Copies the parts of the containers that were begun; nil before the first that needs more.
  private mutating func finishFast(
    _ document: UInt32, _ reader: DocumentReader
  ) throws(ArchiveError) -> UInt32? {
    while true {
      let level = fastLevels.top
      if level.pointee.next == level.pointee.container.count {
        let copied =
          level.pointee.container.hasKeys ? builder.closeDictionary() : builder.close()
        fastLevels.drop()
        if fastLevels.isEmpty { return copied }
        builder.append(copied)
        continue
      }
      guard let part = try copyScalars(level, document, reader) else {
        if level.pointee.next == level.pointee.container.count { continue }
        return nil
      }
      guard let container = Self.container(part.index, reader), isNew(part.index, document) else {
        return nil
      }
      if let key = part.key { builder.append(key) }
      visited &+= 1
      level.pointee.next &+= 1
      begin(part.index, container, part.schemaIndex)
    }
  }

  /// Whether a container is none of those around it, nor too deep.
  @inline(__always)
  private mutating func isNew(_ index: UInt32, _ document: UInt32) -> Bool {
    guard fastLevels.count < Self.fastDepthLimit, visited < limit,
      !open.contains(Node(document: document, index: index))
    else { return false }
    for position in 0..<fastLevels.count where fastLevels[position].pointee.index == index {
      return false
    }
    return true
  }

  /// Copies parts up to one that is a container, or needs more than a copy.
  ///
  /// - Returns: the container, its number in the shape, and the copy of its key; nil at the end, and before a scalar that
  ///   needs more.
  @inline(__always)
  private mutating func copyScalars(
    _ level: UnsafeMutablePointer<CopiedContainer>, _ document: UInt32, _ reader: DocumentReader
  ) throws(ArchiveError) -> (index: UInt32, schemaIndex: Int, key: UInt32?)? {
    let container = level.pointee.container
    let hasNumbers = objects.remembers(document, after: visited)
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
        if copied == nil, nulls != .kept, Self.isNull(reader.pointer(of: index), reader) {
          return nil
        }
        guard let copy = try keyCopy(level, next, document, reader) else { return nil }
        guard copy.member >= 0 else {
          next &+= 1
          continue
        }
        (key, schemaIndex, tag) = (copy.index, copy.member, copy.tag)
      }
      guard visited < limit else { return nil }
      let node = Node(document: document, index: index)
      if copied == nil { copied = scalars.find(node, tag) }
      if copied != nil {
        visited &+= 1
      } else {
        let stored = reader.pointer(of: index)
        if reader.isContainerOrData(stored) { return (index, schemaIndex, key) }
        guard isPlain(stored, node) else { return nil }
        visited &+= 1
        guard let made = try add(reader.scalar(at: stored), node, schemaIndex) else { return nil }
        if let number, Self.isSameAnywhere(stored) {
          objects.set(number, made)
        } else {
          scalars.set(node, tag, made)
        }
        copied = made
      }
      if let key { builder.append(key) }
      if let copied { builder.append(copied) }
      next &+= 1
    }
    return nil
  }

  /// The copy of a key; nil if its member needs more, with the number -1 if it is left out.
  @inline(__always)
  private mutating func keyCopy(
    _ level: UnsafePointer<CopiedContainer>, _ position: Int, _ document: UInt32,
    _ reader: DocumentReader
  ) throws(ArchiveError) -> KeyCopy? {
    let index = reader.index(level.pointee.container.keys, position)
    let node = Node(document: document, index: index)
    if let known = keys.find(node, Self.keyTag(false, level.pointee.schemaIndex)) {
      return keyCopies[Int(known)]
    }
    guard Self.isText(reader.pointer(of: index)) else { return nil }
    return try newKeyCopy(node, false, level.pointee.schemaIndex) ?? (0, -1, 0)
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
  private func isPlain(_ valuePointer: UnsafeRawPointer, _ node: Node) -> Bool {
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
  private mutating func fallBackToFrames(_ document: UInt32, _ reader: DocumentReader) {
    for position in 0..<fastLevels.count {
      let level = fastLevels[position].pointee
      let node = Node(document: document, index: level.index)
      open.insert(node)
      stack.push(
        Frame(
          node: node, children: Self.children(of: level.container, document, reader),
          schemaIndex: level.schemaIndex, count: level.container.count, next: level.next))
    }
    fastLevels.truncate(to: 0)
  }

  private static func children(
    of container: PlainContainer, _ document: UInt32, _ reader: DocumentReader
  ) -> Children {
    let values = reader.elements(container.values, container.count, in: document)
    guard container.hasKeys else { return .elements(values) }
    let keys = reader.elements(container.keys, container.count, in: document)
    return .members(Pairs(keys: keys, values: values))
  }
}
