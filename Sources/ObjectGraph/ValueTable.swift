// The storage of every document: encoded values one after another, and a table of their offsets.
//
// The encoding is that of binary property lists, so a binary property list in memory IS such an arena
// and costs no copy; readers of other encodings build one (GraphBuilder). Format facts: CoreFoundation,
// CFBinaryPList.c and ForFoundationOnly.h.

import Basics

/// The high half of a marker byte: which type a stored value has.
@frozen
public enum Marker {
  /// null, booleans and fill bytes.
  public static let singleton: UInt8 = 0x0
  /// Integers of 1, 2, 4, 8 or 16 bytes.
  public static let integer: UInt8 = 0x1
  /// Reals of 4 or 8 bytes.
  public static let real: UInt8 = 0x2
  /// Dates: 8-byte reals of seconds from 2001-01-01.
  public static let date: UInt8 = 0x3
  /// Bytes.
  public static let data: UInt8 = 0x4
  /// Strings of one byte a character.
  public static let ascii: UInt8 = 0x5
  /// Strings in UTF-16, big-endian.
  public static let utf16: UInt8 = 0x6
  /// Strings in UTF-8.
  public static let utf8: UInt8 = 0x7
  /// UIDs of 1 to 16 bytes.
  public static let uid: UInt8 = 0x8
  /// Arrays.
  public static let array: UInt8 = 0xA
  /// Ordered sets.
  public static let orderedSet: UInt8 = 0xB
  /// Sets.
  public static let set: UInt8 = 0xC
  /// Dictionaries.
  public static let dictionary: UInt8 = 0xD
}

/// Reads an unsigned big-endian integer of 1 to 8 bytes.
@inlinable @inline(__always)
public func bigEndian(_ base: UnsafeRawPointer, _ width: Int) -> UInt64 {
  switch width {
  case 1: return UInt64(base.load(as: UInt8.self))
  case 2: return UInt64(UInt16(bigEndian: base.loadUnaligned(as: UInt16.self)))
  case 4: return UInt64(UInt32(bigEndian: base.loadUnaligned(as: UInt32.self)))
  case 8: return UInt64(bigEndian: base.loadUnaligned(as: UInt64.self))
  default:
    var value: UInt64 = 0
    for index in 0..<width {
      value = value << 8 | UInt64(base.load(fromByteOffset: index, as: UInt8.self))
    }
    return value
  }
}

/// A view of stored values.
///
/// It owns nothing, and its numbers are trustworthy only if `firstFault` returned nil.
@frozen
public struct ValueTable {
  /// Where the encoded values begin; offsets count from here.
  public let base: UnsafeRawPointer
  /// How many bytes the values may occupy.
  public let byteCount: Int
  /// Where the table of offsets begins.
  public let offsets: UnsafeRawPointer
  /// How many bytes an offset takes: 1 to 8.
  public let offsetWidth: Int
  /// How many bytes a reference to another value takes: 1 to 8.
  public let referenceWidth: Int
  /// The number of values.
  public let count: Int

  /// Makes a view of bytes that must outlive it.
  @inlinable
  public init(
    base: UnsafeRawPointer, byteCount: Int, offsets: UnsafeRawPointer, offsetWidth: Int,
    referenceWidth: Int, count: Int
  ) {
    self.base = base
    self.byteCount = byteCount
    self.offsets = offsets
    self.offsetWidth = offsetWidth
    self.referenceWidth = referenceWidth
    self.count = count
  }

  /// Where a value begins, from `base`.
  @inlinable @inline(__always)
  public func offset(of index: UInt32) -> Int {
    Int(truncatingIfNeeded: bigEndian(offsets + Int(index) &* offsetWidth, offsetWidth))
  }

  /// The value's marker byte.
  @inlinable @inline(__always)
  public func marker(of index: UInt32) -> UInt8 {
    base.load(fromByteOffset: offset(of: index), as: UInt8.self)
  }

  /// The payload of a value with a count (data, strings, containers): where it begins and the count.
  ///
  /// The count is in bytes, UTF-16 code units, elements or pairs, depending on the marker.
  @inlinable @inline(__always)
  public func counted(_ index: UInt32) -> (start: UnsafeRawPointer, count: Int) {
    let place = base + offset(of: index)
    let low = place.load(as: UInt8.self) & 0x0F
    if low != 0x0F { return (place + 1, Int(low)) }
    let width = 1 << Int(place.load(fromByteOffset: 1, as: UInt8.self) & 0x0F)
    if width > 8 {
      return (place + 2 + width, Int(truncatingIfNeeded: bigEndian(place + 2 + width - 8, 8)))
    }
    return (place + 2 + width, Int(truncatingIfNeeded: bigEndian(place + 2, width)))
  }

  /// The reference at a position of a container's payload.
  @inlinable @inline(__always)
  public func reference(_ start: UnsafeRawPointer, _ position: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: bigEndian(start + position &* referenceWidth, referenceWidth))
  }

  /// The number of a UID value; only the low 64 bits of longer ones.
  @inlinable @inline(__always)
  public func uid(at index: UInt32) -> UInt64 {
    let place = base + offset(of: index)
    let width = Int(place.load(as: UInt8.self) & 0x0F) + 1
    return width <= 8 ? bigEndian(place + 1, width) : bigEndian(place + 1 + width - 8, 8)
  }

  /// The string at an index, nil for other values.
  @inlinable @inline(__always)
  public func text(at index: UInt32) -> Text? {
    let kind = marker(of: index) >> 4
    guard kind >= Marker.ascii && kind <= Marker.utf8 else { return nil }
    let (start, count) = counted(index)
    switch kind {
    case Marker.ascii: return Text(base: start, byteCount: count, form: .ascii)
    case Marker.utf16: return Text(base: start, byteCount: count &* 2, form: .utf16)
    default: return Text(base: start, byteCount: count, form: .utf8)
    }
  }
}

extension ValueTable {
  /// A value's bytes, marker included; of a container its references.
  public func bytes(of index: UInt32) -> UnsafeRawBufferPointer {
    let place = base + offset(of: index)
    let marker = place.load(as: UInt8.self)
    let low = Int(marker & 0x0F)
    let end: UnsafeRawPointer
    switch marker >> 4 {
    case Marker.singleton: end = place + 1
    case Marker.integer, Marker.real, Marker.date: end = place + 1 + (1 << low)
    case Marker.uid: end = place + 2 + low
    default:
      let (start, count) = counted(index)
      end = start + count * unit(of: marker >> 4)
    }
    return UnsafeRawBufferPointer(start: place, count: end - place)
  }

  private func unit(of kind: UInt8) -> Int {
    switch kind {
    case Marker.data, Marker.ascii, Marker.utf8: return 1
    case Marker.utf16: return 2
    case Marker.dictionary: return referenceWidth * 2
    default: return referenceWidth
    }
  }
}

extension ValueTable {
  /// The integer of 16 bytes at an index; nil for any other value.
  ///
  /// It is signed, as CoreFoundation writes its 128-bit numbers.
  public func wideInteger(at index: UInt32) -> Int128? {
    guard marker(of: index) == 0x14 else { return nil }
    let place = base + offset(of: index) + 1
    let high = UInt128(bigEndian(place, 8))
    return Int128(truncatingIfNeeded: high << 64 | UInt128(bigEndian(place + 8, 8)))
  }

  /// The value of a scalar; null for containers.
  ///
  /// Integers of 1, 2 and 4 bytes are unsigned, of 8 signed; of 16 the low half counts, unsigned
  /// (CoreFoundation, CFBinaryPList.c).
  @inlinable
  public func scalar(at index: UInt32) -> Value {
    let place = base + offset(of: index)
    let marker = place.load(as: UInt8.self)
    switch marker >> 4 {
    case Marker.singleton: return marker == 0 ? .null : .boolean(marker == 9)
    case Marker.integer:
      if marker & 0x0F < 4 {
        return .integer(Int64(bitPattern: bigEndian(place + 1, 1 << Int(marker & 0x0F))))
      }
      let low = bigEndian(place + 9, 8)
      return low > UInt64(Int64.max) ? .unsigned(low) : .integer(Int64(low))
    case Marker.real:
      if marker & 0x0F == 2 {
        return .single(Float(bitPattern: UInt32(truncatingIfNeeded: bigEndian(place + 1, 4))))
      }
      return .real(Double(bitPattern: bigEndian(place + 1, 8)))
    case Marker.date: return .date(Double(bitPattern: bigEndian(place + 1, 8)))
    case Marker.data:
      let (start, count) = counted(index)
      return .data(UnsafeRawBufferPointer(start: start, count: count))
    case Marker.uid: return .uid(uid(at: index))
    default: return text(at: index).map { .string($0) } ?? .null
    }
  }
}

// MARK: - The pass that makes a table trustworthy: every offset, count and reference is inside its

extension ValueTable {
  /// The results of the checking pass over a table.
  public struct Survey {
    /// The first value that is not well formed, with the reason.
    public var fault: (index: UInt32, error: ArchiveError)?
    /// The highest UID, nil without UIDs.
    public var highestUID: UInt64?
    /// Whether a container refers to itself or to an earlier container; without that no container can contain itself.
    public var hasBackwardContainer = false
    /// The first dictionary with a key that it refers to twice, and that key.
    public var repeatedKey: (dictionary: UInt32, key: UInt32)?
    /// How many references of containers may still be looked at.
    var allowance = Int.max
  }

  /// How many references and bytes of UTF-8 may be looked at: values that do not overlap never need as many.
  public var checkAllowance: Int { byteCount &* 16 &+ 65_536 }

  /// Checks every value's offset, extent and references, without following any.
  public func survey() -> Survey {
    var survey = Survey()
    survey.allowance = checkAllowance
    for index in 0..<UInt32(truncatingIfNeeded: count) {
      guard survey.allowance >= 0 else {
        survey.fault = (index, overlap(index))
        return survey
      }
      guard let fault = fault(at: index, &survey), survey.fault == nil else { continue }
      survey.fault = (index, fault.error)
    }
    return survey
  }

  /// The fault of one value, or nil.
  public func fault(at index: UInt32) -> ArchiveError? { tableFault(at: index)?.error }

  /// The fault of one value, or nil.
  ///
  /// - Parameter allowance: reduced by what was read; below zero, the values overlap too much to continue.
  public func fault(at index: UInt32, allowance: inout Int) -> ArchiveError? {
    var survey = Survey()
    survey.hasBackwardContainer = true
    survey.allowance = allowance
    let fault = fault(at: index, &survey)
    allowance = survey.allowance
    return fault?.error
  }

  /// The fault of one value and its kind, or nil.
  public func tableFault(at index: UInt32) -> TableFault? {
    var survey = Survey()
    // Of a value alone nothing is known of those before it, so their markers must not be read.
    survey.hasBackwardContainer = true
    return fault(at: index, &survey)
  }

  /// The error of a reference to a value that the table does not have, in the container at an offset.
  public func badReference(_ reference: UInt64, at offset: Int) -> ArchiveError {
    Self.badReference(reference, count, offset).error
  }

  /// The fault of one value, and what it adds to the survey.
  @inline(__always)
  private func fault(at index: UInt32, _ survey: inout Survey) -> TableFault? {
    let raw = bigEndian(offsets + Int(index) &* offsetWidth, offsetWidth)
    guard raw < UInt64(byteCount) else { return badOffset(raw, index) }
    let offset = Int(raw)
    let marker = base.load(fromByteOffset: offset, as: UInt8.self)
    let low = Int(marker & 0x0F)
    let available = byteCount &- offset &- 1
    switch marker >> 4 {
    case Marker.singleton:
      return low == 0 || low == 8 || low == 9 ? nil : Self.badMarker(marker, offset)
    case Marker.integer:
      guard low <= 4 else { return Self.badMarker(marker, offset) }
      return (1 << low) <= available ? nil : Self.tooLong(offset, 1 << low, available)
    case Marker.real:
      guard low == 2 || low == 3 else { return Self.badMarker(marker, offset) }
      return (1 << low) <= available ? nil : Self.tooLong(offset, 1 << low, available)
    case Marker.date:
      guard low == 3 else { return Self.badMarker(marker, offset) }
      return 8 <= available ? nil : Self.tooLong(offset, 8, available)
    case Marker.uid:
      guard low < available else { return Self.tooLong(offset, low + 1, available) }
      let number = uid(at: index)
      if number >= (survey.highestUID ?? 0) { survey.highestUID = number }
      return nil
    case Marker.data, Marker.ascii:
      return countedFault(offset, low, unit: 1) ?? spend(low, index, &survey)
    case Marker.utf8:
      return countedFault(offset, low, unit: 1) ?? spellingFault(index, offset, &survey)
    case Marker.utf16:
      return countedFault(offset, low, unit: 2) ?? spend(low, index, &survey)
    case Marker.array, Marker.set, Marker.orderedSet:
      return countedFault(offset, low, unit: referenceWidth)
        ?? referenceFault(index, 1, offset, &survey)
    case Marker.dictionary:
      return countedFault(offset, low, unit: referenceWidth &* 2)
        ?? referenceFault(index, 2, offset, &survey)
    default:
      return Self.badMarker(marker, offset)
    }
  }

  /// Checks a count and that as many units precede the end.
  @inline(__always)
  private func countedFault(_ offset: Int, _ low: Int, unit: Int) -> TableFault? {
    if low != 0x0F {
      let available = byteCount &- offset &- 1
      return low &* unit <= available ? nil : Self.tooLong(offset, low &* unit, available)
    }
    return longCountFault(offset, unit: unit)
  }

  /// Counts long texts and data: those of other writers do not overlap.
  @inline(__always)
  private func spend(_ low: Int, _ index: UInt32, _ survey: inout Survey) -> TableFault? {
    if low == 0x0F { survey.allowance &-= counted(index).count }
    return nil
  }

  /// Later floors copy UTF-8 as it is.
  @inline(never)
  private func spellingFault(
    _ index: UInt32, _ offset: Int, _ survey: inout Survey
  ) -> TableFault? {
    let (start, count) = counted(index)
    survey.allowance &-= count
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    return TableFault(
      .spelling, ArchiveError(.malformed, "the string is not valid UTF-8", offset: offset))
  }

  @inline(never)
  private func longCountFault(_ offset: Int, unit: Int) -> TableFault? {
    guard offset + 1 < byteCount else { return Self.tooLong(offset, 1, 0) }
    let sizeMarker = base.load(fromByteOffset: offset + 1, as: UInt8.self)
    guard sizeMarker >> 4 == Marker.integer, sizeMarker & 0x0F <= 4 else {
      return TableFault(
        .count,
        ArchiveError(
          .malformed, "the count must be an integer, found marker 0x\(hexadecimal(sizeMarker))",
          offset: offset + 1))
    }
    let width = 1 << Int(sizeMarker & 0x0F)
    guard offset + 2 + width <= byteCount else {
      return Self.tooLong(offset + 1, width, byteCount - offset - 2)
    }
    let place = base + offset + 2
    if width == 16, bigEndian(place, 8) != 0 { return Self.hugeCount(offset) }
    let count = width == 16 ? bigEndian(place + 8, 8) : bigEndian(place, width)
    guard count <= UInt64(byteCount) else { return Self.hugeCount(offset, count) }
    let available = byteCount - offset - 2 - width
    let needed = Int(count) * unit
    return needed <= available ? nil : Self.tooLong(offset, needed, available)
  }

  /// Checks that each reference of a container is to a value of this table.
  @inline(__always)
  private func referenceFault(
    _ index: UInt32, _ perElement: Int, _ offset: Int, _ survey: inout Survey
  ) -> TableFault? {
    let (start, elements) = counted(index)
    survey.allowance &-= elements
    for position in 0..<elements &* perElement {
      let reference = bigEndian(start + position &* referenceWidth, referenceWidth)
      guard reference < UInt64(count) else { return Self.badReference(reference, count, offset) }
      guard reference <= UInt64(index), !survey.hasBackwardContainer else { continue }
      // Values before this one are checked already, so their markers may be read unless one has a fault.
      survey.hasBackwardContainer =
        survey.fault != nil || isContainer(UInt32(truncatingIfNeeded: reference))
    }
    if perElement == 2, elements > 1, survey.repeatedKey == nil, mayRepeat(start, elements) {
      survey.repeatedKey = repeatedKey(start, elements).map { (index, $0) }
    }
    return nil
  }

  /// Whether two of some references may be the same: their low bits collide.
  @inline(__always)
  private func mayRepeat(_ start: UnsafeRawPointer, _ count: Int) -> Bool {
    var seen: UInt64 = 0
    for position in 0..<count {
      let bit: UInt64 = 1 << UInt64(reference(start, position) & 63)
      if seen & bit != 0 { return true }
      seen |= bit
    }
    return false
  }

  /// The first repeated reference of some.
  @inline(never)
  private func repeatedKey(_ start: UnsafeRawPointer, _ count: Int) -> UInt32? {
    if count <= 24 {
      for position in 1..<count {
        let key = reference(start, position)
        for earlier in 0..<position where reference(start, earlier) == key { return key }
      }
      return nil
    }
    var seen: Set<UInt32> = []
    for position in 0..<count where !seen.insert(reference(start, position)).inserted {
      return reference(start, position)
    }
    return nil
  }

  @inline(__always)
  private func isContainer(_ index: UInt32) -> Bool {
    marker(of: index) >= Marker.array << 4
  }
}

// MARK: - Cold construction of errors

extension ValueTable {
  @inline(never)
  private func overlap(_ index: UInt32) -> ArchiveError {
    ArchiveError(
      .limit, "the stored values overlap so much that they cannot be checked one by one",
      offset: offset(of: index))
  }

  @inline(never)
  private func badOffset(_ raw: UInt64, _ index: UInt32) -> TableFault {
    // In a file the offset table follows the values; in a table that was made it may be anywhere.
    let isBehind = offsets == base + byteCount
    return TableFault(
      .offset,
      ArchiveError(
        .malformed,
        "object \(index) should begin before byte \(byteCount), but its offset is \(raw)",
        offset: isBehind ? byteCount + Int(index) * offsetWidth : byteCount))
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
        "the object needs \(needed == 1 ? "1 byte" : "\(needed) bytes"), but only \(max(available, 0)) are left",
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
  private static func badReference(_ reference: UInt64, _ count: Int, _ offset: Int) -> TableFault {
    TableFault(
      .reference,
      ArchiveError(
        .dangling, "refers to object \(reference), but there are only \(count)", offset: offset))
  }
}

// MARK: - Members of stored dictionaries by their keys

extension ValueTable {
  /// The value of a key of a dictionary: the first, if the key is repeated.
  ///
  /// - Parameters:
  ///   - key: the key, a string.
  ///   - dictionary: the index of a dictionary, which must be one.
  /// - Returns: the index of the value; nil if the key is missing.
  public func value(_ key: StaticString, of dictionary: UInt32) -> UInt32? {
    let (start, count) = counted(dictionary)
    for position in 0..<count where text(at: reference(start, position))?.equals(key) == true {
      return reference(start, count + position)
    }
    return nil
  }
}
