// The bytes of an edited table: values in the order of their numbers, each once, copied unless edited.

import Basics
import ObjectGraph

/// Writes a patched table as a binary property list.
struct PatchWriter: ~Copyable {
  private let document: Document
  private let table: ValueTable
  private let patch: TablePatch
  private let referenceWidth: Int
  /// The new number of each value, if some values are left out.
  private let numbers: [UInt32]?
  private var output: ByteBuffer
  private var offsets: [Int] = []
  /// The new offsets of values whose offsets do not increase, because several may share bytes.
  private var places: [Int: Int] = [:]
  /// How many more bytes may be copied: values that do not overlap never need more.
  private var allowance: Int

  init(_ document: Document, _ patch: TablePatch, keeping kept: [Bool]? = nil) {
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
    let needed = BinaryWriter.width(of: UInt64(count))
    guard document.encoding.isTable else { return needed }
    let old = document.table.referenceWidth
    // With fewer values references may take fewer bytes.
    let isTight = old == BinaryWriter.width(of: UInt64(document.table.count))
    return isTight && count < document.table.count ? needed : max(needed, old)
  }

  mutating func write() throws(ArchiveError) -> ByteBuffer {
    appendHeader()
    let sharesPlaces = !hasRisingOffsets
    for index in 0..<UInt32(truncatingIfNeeded: patch.count) {
      if let numbers, numbers[Int(index)] == .max { continue }
      let isEdited = patch.scalars[index] != nil || patch.references[index] != nil
      if sharesPlaces, !isEdited {
        let place = table.offset(of: index)
        if let known = places[place] {
          offsets.append(known)
          continue
        }
        places[place] = output.count
      }
      offsets.append(output.count)
      try append(index)
    }
    appendOffsets()
    var finished = ByteBuffer(capacity: 16)
    swap(&finished, &output)
    return finished
  }

  /// The version of the format is kept; readers only check whether they know it.
  private mutating func appendHeader() {
    if document.encoding.isTable {
      output.append(UnsafeRawBufferPointer(start: table.base, count: BinaryReader.headerSize))
    } else {
      output.append(contentsOf: "bplist00")
    }
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
      return scalar.withUnsafeBytes { output.append($0) }
    }
    if let children = patch.references[index] {
      let kind = patch.kind(of: index)
      let count = kind == Marker.dictionary ? children.count / 2 : children.count
      appendCount(count, marker: kind, to: &output)
      return append(references: children)
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
    let head = start - (table.base + table.offset(of: index))
    output.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(head)))
    for position in 0..<(bytes.count - head) / table.referenceWidth {
      append(reference: table.reference(start, position))
    }
  }

  private mutating func append(references: [UInt32]) {
    for child in references { append(reference: child) }
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
    let needed = BinaryWriter.width(of: UInt64(tableOffset))
    guard document.encoding.isTable,
      table.offsetWidth != BinaryWriter.width(of: UInt64(table.byteCount))
    else { return needed }
    return max(needed, table.offsetWidth)
  }
}
