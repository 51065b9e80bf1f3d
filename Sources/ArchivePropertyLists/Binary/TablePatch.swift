// Stored values replaced one by one: all others keep their bytes, their numbers and their order.

import ArchiveBasics
import ArchiveGraph

/// Edits to the stored values of a document.
///
/// Values keep their numbers, and new ones follow them, so that everything else stays the same down to
/// the width of each integer. A value that several containers refer to is one value: `uses(of:)` shows whether an
/// edit to it would show elsewhere.
package struct TablePatch {
  private let document: Document
  private let table: ValueTable
  /// The bytes of scalars that were replaced, markers included.
  fileprivate var scalars: [UInt32: [UInt8]] = [:]
  /// What containers that were edited refer to; of a dictionary the keys, then the values.
  fileprivate var references: [UInt32: [UInt32]] = [:]
  /// For each value how many times containers refer to it.
  private var useCounts: [UInt32]
  /// The markers of the values after those of the table.
  fileprivate var addedMarkers: [UInt8] = []
  /// Strings that were added, by their bytes: Swift considers a composed letter equal to the decomposed one.
  private var addedTexts: [[UInt8]: UInt32] = [:]

  /// Begins to edit a document whose table was checked.
  package init(_ document: Document) {
    self.document = document
    table = document.table
    useCounts = [UInt32](repeating: 0, count: document.table.count)
    for index in 0..<UInt32(truncatingIfNeeded: table.count) {
      guard table.fault(at: index) == nil, table.marker(of: index) >> 4 >= Marker.array else {
        continue
      }
      let (start, count) = table.references(of: index)
      for position in 0..<count { useCounts[Int(table.reference(start, position))] &+= 1 }
    }
  }

  /// Whether anything was edited.
  package var isChanged: Bool { !scalars.isEmpty || !references.isEmpty || !addedMarkers.isEmpty }

  /// How many times containers refer to a value.
  package func uses(of index: UInt32) -> Int { Int(useCounts[Int(index)]) }

  /// The number of values.
  package var count: Int { table.count + addedMarkers.count }

  // MARK: Looking

  /// The references of a container; in a dictionary the keys, then the values.
  package func children(of container: UInt32) -> [UInt32] {
    if let edited = references[container] { return edited }
    let (start, count) = table.references(of: container)
    return (0..<count).map { table.reference(start, $0) }
  }

  /// How many references a container has.
  package func childCount(of container: UInt32) -> Int {
    references[container]?.count ?? table.references(of: container).count
  }

  /// The reference of a container at a position; nil if it has fewer.
  package func child(of container: UInt32, at position: Int) -> UInt32? {
    if let edited = references[container] {
      return edited.indices.contains(position) ? edited[position] : nil
    }
    let (start, count) = table.references(of: container)
    return position >= 0 && position < count ? table.reference(start, position) : nil
  }

  /// The type of a value, which edits do not change.
  package func kind(of index: UInt32) -> UInt8 { marker(of: index) >> 4 }

  /// The number of a UID as it is now; only the low 64 bits of longer ones.
  package func uid(at index: UInt32) -> UInt64 {
    guard let encoded = scalars[index] else { return table.uid(at: index) }
    return encoded.dropFirst().suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  func marker(of index: UInt32) -> UInt8 {
    Int(index) < table.count
      ? table.marker(of: index) : addedMarkers[Int(index) - table.count]
  }

  // MARK: Editing

  /// Makes a container refer to another value at a position.
  package mutating func setChild(of container: UInt32, at position: Int, to child: UInt32) {
    if references[container] == nil { references[container] = children(of: container) }
    guard let old = references[container]?[position] else { return }
    useCounts[Int(old)] &-= 1
    useCounts[Int(child)] &+= 1
    references[container]?[position] = child
  }

  /// Makes a list refer to another value after all others.
  package mutating func append(_ child: UInt32, to list: UInt32) {
    if references[list] == nil { references[list] = children(of: list) }
    useCounts[Int(child)] &+= 1
    references[list]?.append(child)
  }

  /// Makes a container refer to other values.
  package mutating func setChildren(of container: UInt32, to children: [UInt32]) {
    for child in self.children(of: container) { useCounts[Int(child)] &-= 1 }
    for child in children { useCounts[Int(child)] &+= 1 }
    references[container] = children
  }

  /// Replaces a scalar wherever it is referred to.
  ///
  /// - Parameter encoded: its marker and its bytes.
  package mutating func replace(_ index: UInt32, with encoded: [UInt8]) { scalars[index] = encoded }

  /// Adds a container that refers to the same values as another.
  package mutating func addCopy(of container: UInt32) -> UInt32 {
    let children = children(of: container)
    return addContainer(kind(of: container), of: children)
  }

  /// Adds a string; one for all additions of the same.
  package mutating func add(_ text: String) -> UInt32 {
    let encoded = Self.encoded(text)
    if let known = addedTexts[encoded] { return known }
    let index = add(encoded: encoded)
    addedTexts[encoded] = index
    return index
  }

  /// Adds a scalar.
  ///
  /// - Parameter encoded: its marker and its bytes.
  package mutating func add(encoded: [UInt8]) -> UInt32 {
    let index = add(encoded.first ?? 0)
    scalars[index] = encoded
    return index
  }

  /// Adds a container of a kind (`Marker.array`, …); of a dictionary the children are the keys, then the values.
  package mutating func addContainer(_ kind: UInt8, of children: [UInt32]) -> UInt32 {
    let index = add(kind << 4)
    for child in children { useCounts[Int(child)] &+= 1 }
    references[index] = children
    return index
  }

  private mutating func add(_ marker: UInt8) -> UInt32 {
    addedMarkers.append(marker)
    useCounts.append(0)
    return UInt32(truncatingIfNeeded: count - 1)
  }

  // MARK: Scalars

  /// A string's marker and bytes.
  package static func encoded(_ text: String) -> [UInt8] { encoded { $0.add(text) } }

  /// The marker and bytes of a data value.
  package static func encoded(data: ByteView) -> [UInt8] {
    encoded { $0.add(data: data) }
  }

  /// An integer's marker and bytes.
  package static func encoded(integer: Int64) -> [UInt8] { encoded { $0.add(integer) } }

  /// A UID's marker and bytes, in as few bytes as it needs.
  package static func encoded(uid: UInt64) -> [UInt8] { encoded { $0.add(uid: uid) } }

  private static func encoded(_ add: (inout GraphBuilder) -> UInt32) -> [UInt8] {
    var builder = GraphBuilder(capacity: 64)
    let index = add(&builder)
    let document = builder.finish(top: index)
    return withExtendedLifetime(document) { Array(document.table.bytes(of: index)) }
  }

  // MARK: Writing

  /// Writes values as a binary property list.
  ///
  /// - Parameter kept: for each value whether it is written, true for all that a written container refers to; values that
  ///   are left out give their numbers to those after them. Nil for all.
  /// - Throws: `ArchiveError` with code `limit` if so many stored values overlap that writing each of them
  ///   would make a short file long.
  package func write(keeping kept: [Bool]? = nil) throws(ArchiveError) -> ByteBuffer {
    var writer = PatchWriter(document, self, keeping: kept)
    return try writer.write()
  }
}

// MARK: - The bytes of an edited table

private struct PatchWriter: ~Copyable {
  private let document: Document
  private let table: ValueTable
  private let patch: TablePatch
  private let referenceWidth: Int
  /// The new number of each value, if some values are left out.
  private let numbers: [UInt32]?
  private var output: ByteBuffer
  private var offsets: [Int] = []
  /// The new offsets of values whose offsets do not increase, because several may share bytes.
  private var newOffsets: [Int: Int] = [:]
  /// How many more bytes may be copied: values that do not overlap never need more.
  private var allowance: Int

  init(_ document: Document, _ patch: TablePatch, keeping kept: [Bool]?) {
    self.document = document
    self.patch = patch
    table = document.table
    numbers = kept.map(Self.numbers)
    let count = kept?.count { $0 } ?? patch.count
    referenceWidth = Self.referenceWidth(for: count, document)
    output = ByteBuffer(capacity: document.table.byteCount + 4096)
    allowance = document.table.byteCount * 2 + 65_536
  }

  private static func numbers(_ kept: [Bool]) -> [UInt32] {
    var next: UInt32 = 0
    return kept.map { isKept in
      guard isKept else { return .max }
      defer { next &+= 1 }
      return next
    }
  }

  /// As wide as is needed, or as wide as it was where that was wider than it needed to be.
  private static func referenceWidth(for count: Int, _ document: Document) -> Int {
    let needed = GraphBuilder.width(of: UInt64(count))
    guard document.encoding.isTable else { return needed }
    let old = document.table.referenceWidth
    // With fewer values references may take fewer bytes.
    let isTight = old == GraphBuilder.width(of: UInt64(document.table.count))
    return isTight && count < document.table.count ? needed : max(needed, old)
  }

  mutating func write() throws(ArchiveError) -> ByteBuffer {
    // The version of the format is kept; readers only check whether they know it.
    if document.encoding.isTable {
      output.append(ByteView(start: table.base, count: BinaryReader.headerSize))
    } else {
      output.append(contentsOf: "bplist00")
    }
    let sharesOffsets = !hasRisingOffsets
    for index in 0..<UInt32(truncatingIfNeeded: patch.count) {
      if let numbers, numbers[Int(index)] == .max { continue }
      let isEdited = patch.scalars[index] != nil || patch.references[index] != nil
      if sharesOffsets, !isEdited {
        let location = table.offset(of: index)
        if let known = newOffsets[location] {
          offsets.append(known)
          continue
        }
        newOffsets[location] = output.count
      }
      offsets.append(output.count)
      try append(index)
    }
    appendOffsets()
    var finished = ByteBuffer(capacity: 16)
    swap(&finished, &output)
    return finished
  }

  private var hasRisingOffsets: Bool {
    var last = -1
    for index in 0..<UInt32(truncatingIfNeeded: table.count) {
      let offset = table.offset(of: index)
      guard offset > last else { return false }
      last = offset
    }
    return true
  }

  // MARK: Values

  private mutating func append(_ index: UInt32) throws(ArchiveError) {
    if let scalar = patch.scalars[index] {
      return scalar.withByteView { output.append($0) }
    }
    if let children = patch.references[index] {
      let kind = patch.kind(of: index)
      let count = kind == Marker.dictionary ? children.count / 2 : children.count
      appendCount(count, marker: kind, to: &output)
      for child in children { append(reference: child) }
      return
    }
    guard table.fault(at: index) == nil else {
      // Nothing reaches a value with a fault, or reading would have failed; its number must stay taken.
      return output.append(0)
    }
    let bytes = table.bytes(of: index)
    allowance -= bytes.count
    guard allowance >= 0 else {
      throw ArchiveError(
        .limit, "the stored values overlap so much that they cannot be written one by one",
        offset: document.fileOffset(of: index))
    }
    guard table.marker(of: index) >> 4 >= Marker.array else { return output.append(bytes) }
    let start = table.counted(index).start
    let head = start - table.pointer(of: index)
    output.append(ByteView(rebasing: bytes.prefix(head)))
    for position in 0..<(bytes.count - head) / table.referenceWidth {
      append(reference: table.reference(start, position))
    }
  }

  private mutating func append(reference child: UInt32) {
    output.append(bigEndian: number(of: child), width: referenceWidth)
  }

  /// A value's number in the output.
  private func number(of index: UInt32) -> UInt64 {
    UInt64(numbers.map { $0[Int(index)] } ?? index)
  }

  // MARK: The end

  private mutating func appendOffsets() {
    let tableOffset = output.count
    let width = offsetWidth(for: tableOffset)
    for offset in offsets { output.append(bigEndian: UInt64(offset), width: width) }
    BinaryWriter.appendTrailer(
      width, referenceWidth, count: offsets.count, top: number(of: document.top),
      offsetsAt: tableOffset, to: &output)
  }

  /// As wide as is needed, or as wide as it was where that was wider than it needed to be.
  private func offsetWidth(for tableOffset: Int) -> Int {
    let needed = GraphBuilder.width(of: UInt64(tableOffset))
    guard document.encoding.isTable,
      table.offsetWidth != GraphBuilder.width(of: UInt64(table.byteCount))
    else { return needed }
    return max(needed, table.offsetWidth)
  }
}
