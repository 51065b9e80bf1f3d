// The pass that makes a table trustworthy: every offset, count and reference is inside its bytes.

import ArchiveBasics

extension ValueTable {
  /// The results of the checking pass over a table.
  public struct Survey {
    /// The first value that is not well formed, with the reason.
    package var fault: (index: UInt32, error: ArchiveError)?
    /// The highest UID, nil without UIDs.
    package var highestUID: UInt64?
    /// Whether there is an integer of 16 bytes.
    package var hasWideInteger = false
    /// Whether a container refers to itself or to an earlier container; without that no container can contain itself.
    package var hasBackwardContainer = false
    /// The first dictionary with a key that it refers to twice, and that key.
    package var repeatedKey: (dictionary: UInt32, key: UInt32)?
    /// How many references of containers may still be looked at.
    var allowance = Int.max
    /// Whether the check ended because values overlap too much.
    var isOver = false
    /// A bit for each value, set once a container was found there; nil if nobody keeps them.
    ///
    /// References go back to values anywhere in a file: to look at their markers again would be to wait for the memory.
    var containers: UnsafeMutablePointer<UInt8>?

    @inline(__always)
    func add(container index: UInt32) { containers?[Int(index >> 3)] |= 1 << UInt8(index & 7) }

    /// Whether a container was found before, nil if nobody took note.
    @inline(__always)
    func isContainer(_ index: UInt32) -> Bool? {
      containers.map { $0[Int(index >> 3)] >> UInt8(index & 7) & 1 == 1 }
    }

    @inline(__always)
    mutating func add(uid: UInt64) { if uid >= (highestUID ?? 0) { highestUID = uid } }
  }

  /// How many references and bytes of UTF-8 may be looked at: values that do not overlap never need as many.
  package var checkAllowance: Int { byteCount &* 16 &+ 65_536 }

  /// Checks every value's offset, extent and references, without following any.
  package func survey() -> Survey { TableCheck(self).survey(notingContainers: isBeyondCaches) }

  /// The fault of one value, or nil.
  package func fault(at index: UInt32) -> ArchiveError? { tableFault(at: index)?.error }

  /// The fault of one value, or nil.
  ///
  /// - Parameter allowance: reduced by what was read; below zero, the values overlap too much to continue.
  package func fault(at index: UInt32, allowance: inout Int) -> ArchiveError? {
    var survey = Survey()
    survey.hasBackwardContainer = true
    survey.allowance = allowance
    let fault = TableCheck(self).fault(at: index, &survey)
    allowance = survey.allowance
    return fault?.error
  }

  /// The fault of one value and its kind, or nil.
  package func tableFault(at index: UInt32) -> TableFault? {
    var survey = Survey()
    // Of a value alone nothing is known of those before it, so their markers must not be read.
    survey.hasBackwardContainer = true
    return TableCheck(self).fault(at: index, &survey)
  }

  /// The error of a reference to a value that the table does not have, in the container at an offset.
  package func badReference(_ reference: UInt64, at offset: Int) -> ArchiveError {
    TableCheck.badReference(reference, count, offset).error
  }
}

/// Checks the values of a table.
///
/// What is usual is accepted by fast tests; everything else is examined value by value.
struct TableCheck {
  typealias Survey = ValueTable.Survey

  private let table: ValueTable

  init(_ table: ValueTable) { self.table = table }

  /// Checks every value; containers are taken note of where it would take longer to look at a value again.
  func survey(notingContainers: Bool) -> Survey {
    var survey = Survey()
    survey.allowance = table.checkAllowance
    guard notingContainers else {
      check(&survey)
      return survey
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: table.count / 8 + 1) { bits in
      bits.initialize(repeating: 0)
      survey.containers = bits.baseAddress
      check(&survey)
      survey.containers = nil
    }
    return survey
  }

  private func check(_ survey: inout Survey) {
    switch (table.offsetWidth, table.referenceWidth) {
    case (1, 1): check(OneByte.self, OneByte.self, &survey)
    case (2, 1): check(TwoBytes.self, OneByte.self, &survey)
    case (2, 2): check(TwoBytes.self, TwoBytes.self, &survey)
    case (3, 2): check(ThreeBytes.self, TwoBytes.self, &survey)
    case (3, 3): check(ThreeBytes.self, ThreeBytes.self, &survey)
    case (4, 2): check(FourBytes.self, TwoBytes.self, &survey)
    case (4, 3): check(FourBytes.self, ThreeBytes.self, &survey)
    case (4, 4): check(FourBytes.self, FourBytes.self, &survey)
    default: checkSlowly(&survey)
    }
  }

  /// The survey without anything that is accepted by a fast test.
  func surveySlowly() -> Survey {
    var survey = Survey()
    survey.allowance = table.checkAllowance
    checkSlowly(&survey)
    return survey
  }

  /// The survey of a table whose widths are rare.
  private func checkSlowly(_ survey: inout Survey) {
    survey.containers = nil
    for index in 0..<UInt32(truncatingIfNeeded: table.count) where !isOverlapping(index, &survey) {
      examine(index, &survey)
    }
  }

  /// Whether values were looked at so often that the check ends here.
  @inline(__always)
  private func isOverlapping(_ index: UInt32, _ survey: inout Survey) -> Bool {
    if survey.allowance >= 0 { return false }
    if !survey.isOver {
      survey.isOver = true
      survey.fault = (index, overlap(index))
    }
    return true
  }

  /// Adds one value to the survey, whatever it is.
  @inline(never)
  private func examine(_ index: UInt32, _ survey: inout Survey) {
    guard let fault = fault(at: index, &survey), survey.fault == nil else { return }
    survey.fault = (index, fault.error)
  }

  /// The survey for known widths: accepts what is usual at once, and leaves everything else to `examine`.
  private func check<Offset: StoredWidth, Reference: StoredWidth>(
    _: Offset.Type, _: Reference.Type, _ survey: inout Survey
  ) {
    withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: KnownKeys.slotCount) {
      $0.initialize(repeating: nil)
      guard let slots = $0.baseAddress else { return }
      check(Offset.self, Reference.self, KnownKeys(slots: slots), &survey)
    }
  }

  private func check<Offset: StoredWidth, Reference: StoredWidth>(
    _: Offset.Type, _: Reference.Type, _ known: KnownKeys, _ survey: inout Survey
  ) {
    var highest = -1
    defer { if highest >= 0 { survey.add(uid: UInt64(highest)) } }
    for index in 0..<UInt32(truncatingIfNeeded: table.count) {
      if isOverlapping(index, &survey) { return }
      let offset = Offset.load(table.offsets, Int(index))
      guard offset < table.byteCount else {
        examine(index, &survey)
        continue
      }
      let marker = table.base.load(fromByteOffset: offset, as: UInt8.self)
      let low = Int(marker & 0x0F)
      let isUsual: Bool
      switch marker >> 4 {
      case Marker.uid where low <= 1:
        isUsual = low &+ 1 < table.byteCount &- offset
        if isUsual {
          let pointer = table.base + offset + 1
          highest = max(highest, low == 0 ? OneByte.load(pointer, 0) : TwoBytes.load(pointer, 0))
        }
      // CoreFoundation writes none of three bytes.
      case Marker.uid where low == 3:
        isUsual = low &+ 1 < table.byteCount &- offset
        if isUsual { highest = max(highest, FourBytes.load(table.base + offset + 1, 0)) }
      case Marker.ascii, Marker.data: isUsual = low < min(0x0F, table.byteCount &- offset)
      case Marker.integer: isUsual = low < 4 && (1 << low) < table.byteCount &- offset
      case Marker.real, Marker.date: isUsual = low == 3 && 8 < table.byteCount &- offset
      case Marker.singleton: isUsual = low == 0 || low == 8 || low == 9
      case Marker.array, Marker.dictionary:
        survey.add(container: index)
        let hasKeys = marker >> 4 == Marker.dictionary
        let size = low &* (hasKeys ? 2 : 1) &* Reference.size
        isUsual =
          low < 0x0F && size < table.byteCount &- offset
          && areUsual(
            Offset.self, Reference.self, table.base + offset + 1, low, hasKeys, index, known,
            &survey)
      default:
        if marker >= Marker.array << 4 { survey.add(container: index) }
        isUsual = false
      }
      if !isUsual { examine(index, &survey) }
    }
  }

  /// The fault of one value, and what it adds to the survey.
  @inline(__always)
  func fault(at index: UInt32, _ survey: inout Survey) -> TableFault? {
    let raw = bigEndian(table.offsets + Int(index) &* table.offsetWidth, table.offsetWidth)
    guard raw < UInt64(table.byteCount) else { return badOffset(raw, index) }
    let offset = Int(raw)
    let marker = table.base.load(fromByteOffset: offset, as: UInt8.self)
    let low = Int(marker & 0x0F)
    let available = table.byteCount &- offset &- 1
    switch marker >> 4 {
    case Marker.singleton:
      return low == 0 || low == 8 || low == 9 ? nil : Self.badMarker(marker, offset)
    case Marker.integer:
      guard low <= 4 else { return Self.badMarker(marker, offset) }
      if low == 4 { survey.hasWideInteger = true }
      return (1 << low) <= available ? nil : Self.tooLong(offset, 1 << low, available)
    case Marker.real:
      guard low == 2 || low == 3 else { return Self.badMarker(marker, offset) }
      return (1 << low) <= available ? nil : Self.tooLong(offset, 1 << low, available)
    case Marker.date:
      guard low == 3 else { return Self.badMarker(marker, offset) }
      return 8 <= available ? nil : Self.tooLong(offset, 8, available)
    case Marker.uid:
      guard low < available else { return Self.tooLong(offset, low + 1, available) }
      let pointer = table.base + offset + 1
      guard
        low < 8
          || (0...low &- 8).allSatisfy({ pointer.load(fromByteOffset: $0, as: UInt8.self) == 0 })
      else {
        return TableFault(
          .extent, ArchiveError(.malformed, "the UID has more than 64 bits", offset: offset))
      }
      let number = table.uid(at: index)
      if number >= (survey.highestUID ?? 0) { survey.highestUID = number }
      return nil
    case Marker.data, Marker.ascii:
      return countedFault(offset, low, unit: 1) ?? spend(low, index, &survey)
    case Marker.utf8:
      return countedFault(offset, low, unit: 1) ?? encodingFault(index, offset, &survey)
    case Marker.utf16:
      return countedFault(offset, low, unit: 2) ?? spend(low, index, &survey)
    case Marker.array, Marker.set, Marker.orderedSet:
      return countedFault(offset, low, unit: table.referenceWidth)
        ?? referenceFault(index, 1, offset, &survey)
    case Marker.dictionary:
      return countedFault(offset, low, unit: table.referenceWidth &* 2)
        ?? referenceFault(index, 2, offset, &survey)
    default:
      return Self.badMarker(marker, offset)
    }
  }

  /// Checks a count and that as many units precede the end.
  @inline(__always)
  private func countedFault(_ offset: Int, _ low: Int, unit: Int) -> TableFault? {
    if low != 0x0F {
      let available = table.byteCount &- offset &- 1
      return low &* unit <= available ? nil : Self.tooLong(offset, low &* unit, available)
    }
    return longCountFault(offset, unit: unit)
  }

  /// Counts long texts and data: those of other writers do not overlap.
  @inline(__always)
  private func spend(_ low: Int, _ index: UInt32, _ survey: inout Survey) -> TableFault? {
    if low == 0x0F { survey.allowance &-= table.counted(index).count }
    return nil
  }

  /// Later floors copy UTF-8 as it is.
  @inline(never)
  private func encodingFault(
    _ index: UInt32, _ offset: Int, _ survey: inout Survey
  ) -> TableFault? {
    let (start, count) = table.counted(index)
    survey.allowance &-= count
    let bytes = ByteView(start: start, count: count)
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    return TableFault(
      .encoding, ArchiveError(.malformed, "the string is not valid UTF-8", offset: offset))
  }

  @inline(never)
  private func longCountFault(_ offset: Int, unit: Int) -> TableFault? {
    guard offset + 1 < table.byteCount else { return Self.tooLong(offset, 1, 0) }
    let sizeMarker = table.base.load(fromByteOffset: offset + 1, as: UInt8.self)
    guard sizeMarker >> 4 == Marker.integer, sizeMarker & 0x0F <= 4 else {
      return TableFault(
        .count,
        ArchiveError(
          .malformed, "the count must be an integer, found marker 0x\(hexadecimal(sizeMarker))",
          offset: offset + 1))
    }
    let width = 1 << Int(sizeMarker & 0x0F)
    guard offset + 2 + width <= table.byteCount else {
      return Self.tooLong(offset + 1, width, table.byteCount - offset - 2)
    }
    let pointer = table.base + offset + 2
    if width == 16, bigEndian(pointer, 8) != 0 { return Self.hugeCount(offset) }
    let count = width == 16 ? bigEndian(pointer + 8, 8) : bigEndian(pointer, width)
    guard count <= UInt64(table.byteCount) else { return Self.hugeCount(offset, count) }
    let available = table.byteCount - offset - 2 - width
    let needed = Int(count) * unit
    return needed <= available ? nil : Self.tooLong(offset, needed, available)
  }

  /// Checks that each reference of a container is to a value of this table.
  @inline(__always)
  private func referenceFault(
    _ index: UInt32, _ perElement: Int, _ offset: Int, _ survey: inout Survey
  ) -> TableFault? {
    let (start, elements) = table.counted(index)
    survey.allowance &-= elements
    for position in 0..<elements &* perElement {
      let reference = exactReference(start, position)
      guard reference < UInt64(table.count) else {
        return Self.badReference(reference, table.count, offset)
      }
      guard reference <= UInt64(index), !survey.hasBackwardContainer else { continue }
      // Values before this one are checked already, so their markers may be read unless one has a fault.
      let earlier = UInt32(truncatingIfNeeded: reference)
      survey.hasBackwardContainer =
        survey.fault != nil || survey.isContainer(earlier) ?? isContainer(earlier)
    }
    if perElement == 2, survey.repeatedKey == nil,
      let key = firstRepeated(elements, { exactReference(start, $0) })
    {
      survey.repeatedKey = (index, UInt32(truncatingIfNeeded: exactReference(start, key)))
    }
    return nil
  }

  /// A reference as it is stored, of which no byte beyond is read: what is recovered may end with it.
  @inline(__always)
  private func exactReference(_ start: UnsafeRawPointer, _ position: Int) -> UInt64 {
    bigEndian(start + position &* table.referenceWidth, table.referenceWidth)
  }

  @inline(__always)
  private func isContainer(_ index: UInt32) -> Bool {
    table.marker(of: index) >= Marker.array << 4
  }
}

/// The position of the first of some numbers that an earlier one equals; nil if there is none.
@inline(__always)
func firstRepeated(_ count: Int, _ number: (Int) -> UInt64) -> Int? {
  // A bit for each of 64 classes of numbers: only numbers of one class are compared.
  var seen: UInt64 = 0
  for position in 0..<count {
    let bit: UInt64 = 1 << (number(position) & 63)
    if seen & bit != 0 {
      guard count <= 32 else { return firstRepeatedOfMany(count, number) }
      for earlier in 0..<position where number(earlier) == number(position) { return position }
    }
    seen |= bit
  }
  return nil
}

private func firstRepeatedOfMany(_ count: Int, _ number: (Int) -> UInt64) -> Int? {
  var known = Set<UInt64>(minimumCapacity: count)
  return (0..<count).first { !known.insert(number($0)).inserted }
}

// MARK: - Cold construction of errors

extension TableCheck {
  @inline(never)
  private func overlap(_ index: UInt32) -> ArchiveError {
    ArchiveError(
      .limit, "the stored values overlap so much that they cannot be checked one by one",
      offset: table.offset(of: index))
  }

  @inline(never)
  private func badOffset(_ raw: UInt64, _ index: UInt32) -> TableFault {
    // In a file the offset table follows the values; in a table that was made it may be anywhere.
    let isBehind = table.offsets == table.base + table.byteCount
    return TableFault(
      .offset,
      ArchiveError(
        .malformed,
        "object \(index) should begin before byte \(table.byteCount), but its offset is \(raw)",
        offset: isBehind ? table.byteCount + Int(index) * table.offsetWidth : table.byteCount))
  }

  @inline(never)
  private static func badMarker(_ marker: UInt8, _ offset: Int) -> TableFault {
    TableFault(
      .marker,
      ArchiveError(.malformed, "unknown marker 0x\(hexadecimal(marker))", offset: offset))
  }

  @inline(never)
  private static func tooLong(_ offset: Int, _ needed: Int, _ available: Int) -> TableFault {
    TableFault(
      .extent,
      ArchiveError(
        .truncated,
        "the object needs \(Counted.text(needed, "byte")), but only \(max(available, 0)) are left",
        offset: offset))
  }

  @inline(never)
  private static func hugeCount(_ offset: Int, _ count: UInt64? = nil) -> TableFault {
    let found = count.map { "\($0)" } ?? "over 2^64"
    return TableFault(
      .count,
      ArchiveError(
        .malformed, "the count is \(found), more than the file has bytes", offset: offset))
  }

  @inline(never)
  static func badReference(_ reference: UInt64, _ count: Int, _ offset: Int) -> TableFault {
    TableFault(
      .reference,
      ArchiveError(
        .dangling, "refers to object \(reference), but there are only \(count)", offset: offset))
  }
}

// MARK: - The references of short containers: what is usual about them is seen at once

/// Keys that dictionaries of a table have again and again, and that need not be looked at again.
///
/// Each slot has the references of the first such dictionary, which stay where they are while the table is checked.
struct KnownKeys {
  static let slotCount = 32

  let slots: UnsafeMutablePointer<UnsafeRawPointer?>

  /// The slot for the keys of a short dictionary: those of as many that begin alike.
  @inline(__always)
  func slot(_ keys: UnsafeRawPointer, _ count: Int) -> UnsafeMutablePointer<UnsafeRawPointer?> {
    let first = UInt64(keys.loadUnaligned(as: UInt16.self))
    let all = first << 4 | UInt64(truncatingIfNeeded: count)
    // The highest five bits of Fibonacci hashing: there are 32 slots.
    return slots + Int(truncatingIfNeeded: (all &* 0x9E37_79B9_7F4A_7C15) &>> 59)
  }

  /// Whether keys are those in their slot.
  @inline(__always)
  func has(
    _ slot: UnsafeMutablePointer<UnsafeRawPointer?>, _ keys: UnsafeRawPointer, _ byteCount: Int
  ) -> Bool {
    guard let known = slot.pointee else { return false }
    // The marker before the keys of a short dictionary has their number.
    return (known - 1).load(as: UInt8.self) == (keys - 1).load(as: UInt8.self)
      && haveSameBytes(known, keys, byteCount)
  }
}

/// What is found out about some references together.
private struct ReferenceRange {
  var lowest = Int.max
  var highest = -1
  var isRepeating = false
}

extension TableCheck {
  /// Whether the references of a short container are sound, and nothing further is to be found out about them.
  ///
  /// - Parameters:
  ///   - start: the first reference, after the marker.
  ///   - elements: the number of elements or pairs.
  ///   - index: the container.
  ///   - known: the keys that need not be looked at again.
  @inline(__always)
  func areUsual<Offset: StoredWidth, Reference: StoredWidth>(
    _: Offset.Type, _: Reference.Type, _ start: UnsafeRawPointer, _ elements: Int, _ hasKeys: Bool,
    _ index: UInt32, _ known: KnownKeys, _ survey: inout Survey
  ) -> Bool {
    let keysSize = elements &* Reference.size
    let values = hasKeys ? start + keysSize : start
    let valuesRange = range(Reference.self, values, elements, areKeys: false)
    guard valuesRange.highest < table.count else { return false }
    let slot = known.slot(start, elements)
    // After a fault every reference back is taken for one to a container.
    if hasKeys, survey.fault != nil || !known.has(slot, start, keysSize) {
      let keysRange = range(Reference.self, start, elements, areKeys: true)
      guard keysRange.highest < table.count, !keysRange.isRepeating,
        findBackward(Offset.self, Reference.self, start, elements, keysRange, index, &survey)
      else { return false }
      // None of them is a container, or it does not matter any more; later dictionaries refer back to the same keys.
      if keysRange.highest <= Int(index) { slot.pointee = start }
    }
    guard findBackward(Offset.self, Reference.self, values, elements, valuesRange, index, &survey)
    else { return false }
    survey.allowance &-= elements
    return true
  }

  /// Finds the lowest and the highest of some references, and whether one of some keys may be repeated.
  @inline(__always)
  private func range<Reference: StoredWidth>(
    _: Reference.Type, _ start: UnsafeRawPointer, _ elements: Int, areKeys: Bool
  ) -> ReferenceRange {
    var range = ReferenceRange()
    var seen: UInt64 = 0
    for position in 0..<elements {
      let reference = Reference.load(start, position)
      range.highest = max(range.highest, reference)
      range.lowest = min(range.lowest, reference)
      guard areKeys else { continue }
      let bit: UInt64 = 1 << UInt64(reference & 63)
      range.isRepeating = range.isRepeating || seen & bit != 0
      seen |= bit
    }
    return range
  }

  /// Looks for a container among those of some references that go back; false if one may be at a fault.
  @inline(__always)
  private func findBackward<Offset: StoredWidth, Reference: StoredWidth>(
    _: Offset.Type, _: Reference.Type, _ start: UnsafeRawPointer, _ elements: Int,
    _ range: ReferenceRange, _ index: UInt32, _ survey: inout Survey
  ) -> Bool {
    if survey.hasBackwardContainer || range.lowest > Int(index) { return true }
    guard survey.fault == nil else { return false }
    for position in 0..<elements {
      let reference = Reference.load(start, position)
      guard reference <= Int(index) else { continue }
      if survey.isContainer(UInt32(truncatingIfNeeded: reference))
        ?? (table.base.load(fromByteOffset: Offset.load(table.offsets, reference), as: UInt8.self)
          >= 0xA0)
      {
        survey.hasBackwardContainer = true
        break
      }
    }
    return true
  }
}
