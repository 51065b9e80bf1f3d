// What a loop over very many values needs of one document, read once: nothing is counted, and nobody is asked.
//
// It is public since only public functions are inlined into the modules with these loops.

import ArchiveBasics

/// The parts of a container that are references in the container itself or in arrays of it.
@frozen
public struct PlainContainer {
  /// What a container is.
  @frozen
  public enum Kind {
    /// An array or an ordered set.
    case list
    case set
    case dictionary
  }

  /// How deep a fast path follows containers: each new one is compared with those around it, as it may hold itself.
  @inlinable
  public static var fastDepthLimit: Int { @inline(__always) get { 32 } }

  /// What it is.
  public let kind: Kind
  /// Where the references of the keys begin; those of the values, if there are no keys.
  package let keys: UnsafeRawPointer
  /// Where the references of the values or elements begin.
  package let values: UnsafeRawPointer
  /// The number of pairs or elements.
  public let count: Int
  /// Whether it is a dictionary.
  @inlinable
  public var hasKeys: Bool { @inline(__always) get { kind == .dictionary } }

  @usableFromInline @inline(__always)
  init(_ kind: Kind, keys: UnsafeRawPointer, values: UnsafeRawPointer, count: Int) {
    self.kind = kind
    self.keys = keys
    self.values = values
    self.count = count
  }
}

/// Reads the values of one document whose table was checked; it is valid until the graph gets another document.
@frozen
public struct DocumentReader {
  @usableFromInline let view: ObjectGraph.View

  /// Makes a reader of a document of a graph.
  @inlinable @inline(__always)
  public init(_ graph: ObjectGraph, _ document: UInt32) {
    view = graph.views[Int(document)]
  }

  /// Where a value is stored: its marker byte.
  @inlinable @inline(__always)
  public func pointer(of index: UInt32) -> UnsafeRawPointer {
    view.table.pointer(of: index)
  }

  /// Whether a value may hold others: a container, or data that may be an archive.
  @inlinable @inline(__always)
  public func isContainerOrData(_ index: UInt32) -> Bool {
    let kind = view.table.marker(of: index) >> 4
    return kind >= Marker.array || kind == Marker.data
  }

  /// The value at a position of a container's references, through `$objects` if it is a UID of a keyed archive.
  @inlinable @inline(__always)
  public func index(_ references: UnsafeRawPointer, _ position: Int) -> UInt32 {
    let index = view.table.reference(references, position)
    if let targets = view.targets { return targets[Int(index)] }
    guard let objects = view.objects else { return index }
    let pointer = pointer(of: index)
    guard pointer.load(as: UInt8.self) >> 4 == Marker.uid else { return index }
    return self.index(ofObject: ValueTable.number(ofPaddedUID: pointer), in: objects)
  }

  /// The value that the object with a number is; `$objects` has it.
  @inlinable @inline(__always)
  func index(ofObject number: Int, in objects: UnsafeRawPointer) -> UInt32 {
    // Numbers mostly rise along a walk, too slowly for a processor to see it among all else that is read.
    prefetchMemory(beyond: objects + number &* view.table.referenceWidth, by: 512)
    return view.table.reference(objects, number)
  }

  /// The number in `$objects` of the object that a reference of a large archive leads to.
  ///
  /// Nil for values in place, and in other documents: their references lead to values at once.
  @inlinable @inline(__always)
  public func objectNumber(_ references: UnsafeRawPointer, _ position: Int) -> Int? {
    guard view.markers != nil else { return nil }
    let pointer = pointer(of: view.table.reference(references, position))
    guard pointer.load(as: UInt8.self) >> 4 == Marker.uid else { return nil }
    return ValueTable.number(ofPaddedUID: pointer)
  }

  /// The value at a position of a container's references whose object number was asked for: it is followed only once.
  ///
  /// - Parameter number: what `objectNumber` gave for the position; nil if it was not asked.
  @inlinable @inline(__always)
  public func index(_ references: UnsafeRawPointer, _ position: Int, number: Int?) -> UInt32 {
    guard let number, let objects = view.objects else { return index(references, position) }
    return index(ofObject: number, in: objects)
  }

  /// The marker of the object with a number that `objectNumber` gave, found without a look at the object.
  ///
  /// The survey saw that all UIDs are below the number of objects, each of which has its marker.
  @inlinable @inline(__always)
  public func marker(ofObject number: Int) -> UInt8? { view.markers.map { $0[number] } }

  /// Whether the value at a place is a string that represents nil.
  @inlinable @inline(__always)
  public func isNullMark(_ pointer: UnsafeRawPointer) -> Bool {
    mayBeNullMark(pointer.load(as: UInt8.self)) && ObjectGraph.isNullMark(pointer)
  }

  /// Whether a value with a marker may be a string that represents nil.
  @inlinable @inline(__always)
  public func mayBeNullMark(_ marker: UInt8) -> Bool { marker == 0x55 && view.marksNull }

  /// The scalar at a place; null for containers.
  @inlinable @inline(__always)
  public func scalar(at pointer: UnsafeRawPointer) -> Value { ValueTable.scalar(at: pointer) }

  /// Whether two short scalars certainly have the same value: they are stored with the same bytes.
  ///
  /// It is false for what may not be what is stored: UIDs, containers, and strings that represent nil.
  package func isStoredAlike(
    _ pointer: UnsafeRawPointer, _ other: DocumentReader, _ otherPointer: UnsafeRawPointer
  ) -> Bool {
    let marker = pointer.load(as: UInt8.self)
    guard otherPointer.load(as: UInt8.self) == marker, !mayBeNullMark(marker),
      !other.mayBeNullMark(marker)
    else { return false }
    let count = Int(marker & 0x0F)
    let byteCount: Int
    switch marker {
    case 0x00, 0x08, 0x09: return true
    case 0x10...0x13, 0x22, 0x23, 0x33: byteCount = 1 << count
    case 0x40...0x4E, 0x50...0x5E: byteCount = count
    case 0x60...0x6E: byteCount = count &* 2
    default: return false
    }
    return haveSameBytes(
      ByteView(start: pointer + 1, count: byteCount),
      ByteView(start: otherPointer + 1, count: byteCount))
  }

  /// Whether a value is stored as a container: it may be one, or an object with a scalar's value.
  @inlinable @inline(__always)
  public func isContainerOrData(_ pointer: UnsafeRawPointer) -> Bool {
    pointer.load(as: UInt8.self) >> 4 >= Marker.array
  }

  /// The parts of a container; nil for scalars, objects that show their fields, and what only an interpreter can read.
  @inlinable @inline(__always)
  public func container(_ index: UInt32, at pointer: UnsafeRawPointer) -> PlainContainer? {
    let kind = pointer.load(as: UInt8.self) >> 4
    guard kind >= Marker.array, kind <= Marker.dictionary else { return nil }
    if kind == Marker.dictionary, view.interpreter != nil { return resolved(index) }
    let (start, count) = ValueTable.counted(at: pointer)
    guard kind == Marker.dictionary else {
      return PlainContainer(
        kind == Marker.set ? .set : .list, keys: start, values: start, count: count)
    }
    return PlainContainer(
      .dictionary, keys: start, values: start + count &* view.table.referenceWidth, count: count)
  }

  /// The elements of a container of a document, or its values.
  package func elements(of container: PlainContainer, in document: UInt32) -> Elements {
    elements(container.values, container.count, in: document)
  }

  /// The members of a container with keys.
  package func pairs(of container: PlainContainer, in document: UInt32) -> Pairs {
    Pairs(
      keys: elements(container.keys, container.count, in: document),
      values: elements(of: container, in: document))
  }

  private func elements(
    _ references: UnsafeRawPointer, _ count: Int, in document: UInt32
  ) -> Elements {
    Elements(
      start: references, count: count, width: view.table.referenceWidth, document: document)
  }

  /// Asks the processor for what a walk through a large archive needs some objects later.
  ///
  /// Objects are mostly stored in the order in which they refer to each other, and processors read ahead on their own
  /// only up to the end of a page.
  @inlinable @inline(__always)
  func lookAhead(from index: UInt32, _ entry: UnsafePointer<ResolvedTable.Entry>) {
    let table = view.table
    prefetchMemory(beyond: entry, by: 512)
    prefetchMemory(beyond: table.base + Int(entry.pointee.second), by: 2048)
    prefetchMemory(beyond: table.offsets + Int(index) &* table.offsetWidth, by: 1024)
  }

  /// Asks the processor for where a value is stored.
  @inline(__always)
  func prefetchOffset(of index: UInt32) {
    prefetchMemory(at: view.table.offsets + Int(index) &* view.table.offsetWidth)
  }

  @inlinable @inline(__always)
  func resolved(_ index: UInt32) -> PlainContainer? {
    guard let entry = view.resolved?.entry(of: index) else { return nil }
    let kind: PlainContainer.Kind
    switch entry.pointee.kind {
    case .unknown, .object: return nil
    case .array, .orderedSet: kind = .list
    case .set: kind = .set
    case .dictionary: kind = .dictionary
    }
    let base = view.table.base
    if view.table.isBeyondCaches { lookAhead(from: index, entry) }
    return PlainContainer(
      kind, keys: base + Int(entry.pointee.first), values: base + Int(entry.pointee.second),
      count: Int(entry.pointee.count))
  }
}

extension ObjectGraph {
  /// Puts the indexes of a container's elements on a stack.
  ///
  /// In a large archive they lead anywhere: the processor waits for all of them at once, and has the values at hand when
  /// they are read.
  ///
  /// - Parameter elements: references, not nodes.
  package func lookUp(_ elements: Elements, to indexes: inout RawStack<UInt32>) {
    let reader = DocumentReader(self, elements.document)
    let first = indexes.count
    for position in 0..<elements.count {
      let index = reader.index(elements.start, position)
      reader.prefetchOffset(of: index)
      indexes.push(index)
    }
    for position in 0..<elements.count {
      prefetchMemory(at: reader.pointer(of: indexes[first + position].pointee))
    }
  }
}
