// From the top object of a damaged table to everything that can be reached, copied into a sound table.

import ArchiveBasics
import ArchiveGraph

/// Copies the complete values, and replaces the others by marks.
struct RecoveryWalk: ~Copyable {
  private enum State {
    case unknown
    case open
    case copied(UInt32)
  }

  /// Not a `GraphWalk`: a level gathers its children as they are copied.
  private struct Frame {
    let index: UInt32
    let start: UnsafeRawPointer
    let available: Int
    let count: Int
    var next = 0
    var children: [UInt32] = []
  }

  private static let mostLosses = 100
  private static let overlap = "the stored values overlap so much that the rest was not read"

  /// What could not be copied.
  private(set) var losses: [ArchiveError] = []
  private let table: ValueTable
  /// The value that the end of the file cuts, and its number.
  private let cut: (index: UInt32, value: CutValue)?
  private let limits: Limits
  private let fileOffset: Int?
  private var builder = GraphBuilder()
  private var states: [State]
  private var stack: [Frame] = []
  /// The marks of lost values, by their numbers in the copy: where the value is a key, its mark is a string.
  private var marks: [UInt32: String] = [:]
  /// How many references may still be looked at: those of values that overlap are the same ones again.
  private var allowance: Int

  init(
    _ table: ValueTable, _ cut: (index: UInt32, value: CutValue)?, _ limits: Limits,
    _ fileOffset: Int?
  ) {
    self.table = table
    self.cut = cut
    self.limits = limits
    self.fileOffset = fileOffset
    states = [State](repeating: .unknown, count: table.count)
    allowance = table.checkAllowance
  }

  /// Copies everything reachable, and reports what else was found.
  mutating func run(from top: UInt32) -> Document {
    var value = begin(top)
    while let frame = stack.last {
      if let made = value {
        stack[stack.count - 1].children.append(made)
        value = nil
        continue
      }
      guard frame.next < frame.count else {
        stack.removeLast()
        value = close(frame)
        if stack.isEmpty { break }
        continue
      }
      stack[stack.count - 1].next += 1
      value = begin(reference(frame, frame.next))
    }
    reportUnreached()
    let root = value ?? 0
    // The builder is replaced, not consumed: its content goes to the document.
    var finished = GraphBuilder(capacity: 16)
    swap(&finished, &builder)
    return finished.finish(top: root)
  }

  /// The number of a child, or nil where the file ends before it.
  private func reference(_ frame: Frame, _ position: Int) -> UInt32? {
    guard position < frame.available else { return nil }
    // It may be the last of the file, so `ValueTable.reference`, which reads beyond, is not for it.
    let number = bigEndian(
      frame.start + position * table.referenceWidth, table.referenceWidth)
    return UInt32(exactly: number)
  }

  private mutating func begin(_ reference: UInt32?) -> UInt32? {
    guard let index = reference else { return lost("a value", "the file ends before it", nil) }
    guard index < UInt32(table.count) else {
      return lost("object \(index)", "it is not among the \(table.count) that were found", nil)
    }
    switch states[Int(index)] {
    case .copied(let value): return value
    case .open: return lost("object \(index)", "it contains itself", index)
    case .unknown: break
    }
    guard allowance >= 0 else { return lost("object \(index)", Self.overlap, index) }
    if let cut, cut.index == index {
      note("object \(index) is incomplete: \(cut.value.summary)", index)
      let value = cut.value.add(to: &builder)
      states[Int(index)] = .copied(value)
      return value
    }
    if let fault = table.fault(at: index, allowance: &allowance), !isCutShort(index) {
      let value = lost(
        "object \(index)", isMissing(index) ? "none of it is left" : fault.message, nil)
      states[Int(index)] = .copied(value)
      return value
    }
    guard table.marker(of: index) >> 4 >= Marker.array else {
      let value = builder.add(scalar: table.scalar(at: index))
      states[Int(index)] = .copied(value)
      return value
    }
    return enter(index)
  }

  private func isMissing(_ index: UInt32) -> Bool {
    bigEndian(table.offsets + Int(index) * table.offsetWidth, table.offsetWidth)
      == BinaryRecovery.missing
  }

  /// Whether the value is a container whose only fault is in its references: the others are still good.
  private func isCutShort(_ index: UInt32) -> Bool {
    let raw = bigEndian(table.offsets + Int(index) * table.offsetWidth, table.offsetWidth)
    guard raw < UInt64(table.byteCount), ContainerKind(marker: table.marker(of: index)) != nil
    else { return false }
    let offset = Int(raw)
    guard table.marker(of: index) & 0x0F == 0x0F else { return true }
    guard offset + 1 < table.byteCount else { return false }
    let size = table.base.load(fromByteOffset: offset + 1, as: UInt8.self)
    return size >> 4 == Marker.integer && size & 0x0F <= 2
      && offset + 2 + 1 << Int(size & 0x0F) <= table.byteCount
  }

  private mutating func enter(_ index: UInt32) -> UInt32? {
    guard stack.count < limits.depth else {
      return lost("object \(index)", "it is nested more than \(limits.depth) levels deep", index)
    }
    let (start, wanted) = table.references(of: index)
    let bytesLeft = table.base + table.byteCount - start
    let available = max(bytesLeft, 0) / table.referenceWidth
    var shown = wanted
    if wanted > available {
      note(
        "object \(index) is incomplete: \(available) of its \(wanted) references are left", index)
      // A dictionary with its keys but without its values still shows its keys.
      let isDictionary = table.marker(of: index) >> 4 == Marker.dictionary
      shown = isDictionary ? (available > wanted / 2 ? wanted : 0) : available
    }
    allowance &-= shown
    states[Int(index)] = .open
    stack.append(Frame(index: index, start: start, available: available, count: shown))
    return nil
  }

  private mutating func close(_ frame: Frame) -> UInt32 {
    let kind = table.marker(of: frame.index) >> 4
    let value: UInt32
    if kind == Marker.dictionary {
      let half = frame.children.count / 2
      let pairs = (0..<half).map { position in
        let key = frame.children[position]
        let name = marks[key].map { builder.add("$lost \($0)") }
        return (name ?? key, frame.children[half + position])
      }
      value = builder.add(pairs: pairs)
    } else {
      value = builder.add(list: frame.children, kind)
    }
    states[Int(frame.index)] = .copied(value)
    return value
  }

  // MARK: Losses

  private mutating func lost(_ name: String, _ reason: String, _ index: UInt32?) -> UInt32 {
    note("\(name) is lost: \(reason)", index)
    let value = builder.add(lost: "\(name): \(reason)")
    marks[value] = name
    return value
  }

  private mutating func note(_ message: String, _ index: UInt32?) {
    guard losses.count < Self.mostLosses else { return }
    let location = index.flatMap { index in fileOffset.map { $0 + table.offset(of: index) } }
    losses.append(ArchiveError(.malformed, message, offset: location))
  }

  /// An object that was found, but that no other object refers to, is reported separately.
  private mutating func reportUnreached() {
    for index in 0..<UInt32(table.count) {
      guard losses.count < Self.mostLosses, allowance >= 0 else { return }
      guard case .unknown = states[Int(index)],
        index == cut?.index || table.fault(at: index, allowance: &allowance) == nil
      else { continue }
      note(
        "object \(index) was found, but no other object refers to it: \(sketch(index))",
        index)
    }
  }

  private func sketch(_ index: UInt32) -> String {
    if let cut, cut.index == index { return cut.value.summary }
    switch table.marker(of: index) >> 4 {
    case Marker.array, Marker.set, Marker.orderedSet: return "\(table.counted(index).count) values"
    case Marker.dictionary: return "a dictionary of \(table.counted(index).count)"
    default: break
    }
    switch table.scalar(at: index) {
    case .string(let text): return "'\(text.string.shortened(to: 60))'"
    case .data(let bytes): return "\(bytes.count) bytes of data"
    case .boolean(let flag): return "\(flag)"
    case .integer(let number): return "\(number)"
    case .unsigned(let number): return "\(number)"
    case .wide(let number): return "\(number)"
    case .real(let number): return "\(number)"
    case .single(let number): return "\(number)"
    case .date(let seconds): return JSONText.date(seconds)
    case .uid(let number): return "UID \(number)"
    default: return "null"
    }
  }
}

// MARK: - What can be read of a damaged binary property list

/// Reads damaged binary property lists.
package enum BinaryRecovery {
  /// The offset of an object that was not found.
  static let missing = UInt64(Int.max)

  /// Recovers a binary property list.
  ///
  /// A lost value becomes a dictionary with the single key `$lost`, whose value describes the object and
  /// what became of it.
  ///
  /// - Parameters:
  ///   - bytes: the remaining bytes, from the header on.
  ///   - fileOffset: the position of the bytes in the input file; nil if they are not stored there.
  ///   - limits: the depth that is allowed.
  /// - Returns: the values, findings and losses; nil if no object remains.
  package static func read(
    _ bytes: ByteView, fileOffset: Int?, limits: Limits
  ) -> (document: Document, losses: [ArchiveError])? {
    guard let base = bytes.baseAddress, let layout = BinaryLayout.find(in: bytes) else {
      return nil
    }
    let count = min(max(layout.offsets.count, layout.top + 1), bytes.count)
    // Objects that something refers to and that are not there count as well: they are lost.
    let offsets = UnsafeMutableRawBufferPointer.allocate(byteCount: (count + 1) * 8, alignment: 8)
    let owner = ByteStorage(owning: UnsafeRawBufferPointer(offsets)) { _ in offsets.deallocate() }
    for number in 0..<count {
      let offset = number < layout.offsets.count ? layout.offsets[number] : nil
      storeBigEndian(
        offset.map { UInt64($0) } ?? missing, width: 8,
        to: (offsets.baseAddress ?? UnsafeMutableRawPointer(mutating: base)) + number * 8)
    }
    let table = ValueTable(
      base: base, byteCount: layout.end, offsets: owner.bytes.baseAddress ?? base, offsetWidth: 8,
      referenceWidth: layout.referenceWidth, count: count)
    let cut = layout.cut.map {
      (index: UInt32(truncatingIfNeeded: layout.offsets.count - 1), value: $0)
    }
    var walk = RecoveryWalk(table, cut, limits, fileOffset)
    let document = withExtendedLifetime(owner) { walk.run(from: UInt32(layout.top)) }
    let first = ArchiveError(.malformed, layout.source, offset: fileOffset)
    return (document, [first] + walk.losses)
  }
}
