// The storage of every document: encoded values one after another, and a table of their offsets.
//
// The encoding is that of binary property lists, so a binary property list in memory IS such an arena
// and costs no copy; readers of other encodings build one (GraphBuilder). Format facts: CoreFoundation,
// CFBinaryPList.c and ForFoundationOnly.h.

import ArchiveBasics

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
  package static let orderedSet: UInt8 = 0xB
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
  case 3:
    let high = UInt64(UInt16(bigEndian: base.loadUnaligned(as: UInt16.self)))
    return high << 8 | UInt64(base.load(fromByteOffset: 2, as: UInt8.self))
  case 8: return UInt64(bigEndian: base.loadUnaligned(as: UInt64.self))
  default: return bigEndianOfRareWidth(base, width)
  }
}

/// The same for widths that files seldom have, apart so that the common ones stay small where they are inlined.
@usableFromInline @inline(never)
func bigEndianOfRareWidth(_ base: UnsafeRawPointer, _ width: Int) -> UInt64 {
  var value: UInt64 = 0
  for index in 0..<width {
    value = value << 8 | UInt64(base.load(fromByteOffset: index, as: UInt8.self))
  }
  return value
}

/// The same in a few instructions without a branch, whatever the width: 8 bytes must be readable from the first on.
@inlinable @inline(__always)
func bigEndian(padded base: UnsafeRawPointer, _ width: Int) -> UInt64 {
  // The shift is taken modulo 64: 56 bits for one byte, none for eight.
  UInt64(bigEndian: base.loadUnaligned(as: UInt64.self))
    &>> UInt64(truncatingIfNeeded: 0 &- width &* 8)
}

/// A view of stored values.
///
/// It owns nothing, and its numbers are trustworthy only if `firstFault` returned nil.
///
/// Offsets, references and UIDs are read 8 bytes at once, so 7 bytes after the last of them must be readable as well.
/// Those of a file are followed by its trailer of 32 bytes, those of a `ByteBuffer` by its `slack`. What is recovered of
/// a file ends anywhere: its offsets are of 8 bytes, and its references and UIDs are read only by `fault` and by the walk
/// that recovers, neither of which reads beyond them.
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

  /// Makes a view of bytes that must outlive it, and of which those after the last offset and reference can be read.
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
    assert(Int(index) < count)
    return Int(
      truncatingIfNeeded: bigEndian(padded: offsets + Int(index) &* offsetWidth, offsetWidth))
  }

  /// Where a value begins.
  @inlinable @inline(__always)
  public func pointer(of index: UInt32) -> UnsafeRawPointer {
    let offset = offset(of: index)
    assert(offset >= 0 && offset < byteCount)
    return base + offset
  }

  /// The value's marker byte.
  @inlinable @inline(__always)
  public func marker(of index: UInt32) -> UInt8 { pointer(of: index).load(as: UInt8.self) }

  /// The payload of a value with a count (data, strings, containers): where it begins and the count.
  ///
  /// The count is in bytes, UTF-16 code units, elements or pairs, depending on the marker.
  @inlinable @inline(__always)
  public func counted(_ index: UInt32) -> (start: UnsafeRawPointer, count: Int) {
    Self.counted(at: pointer(of: index))
  }

  /// The references of a container: where they begin and how many there are; a dictionary's keys come before its values.
  @inlinable @inline(__always)
  public func references(of index: UInt32) -> (start: UnsafeRawPointer, count: Int) {
    let (start, count) = counted(index)
    return (start, marker(of: index) >> 4 == Marker.dictionary ? count &* 2 : count)
  }

  /// The payload of the value with a count whose marker byte is at a place.
  @inlinable @inline(__always)
  static func counted(at pointer: UnsafeRawPointer) -> (start: UnsafeRawPointer, count: Int) {
    let low = pointer.load(as: UInt8.self) & 0x0F
    if low != 0x0F { return (pointer + 1, Int(low)) }
    let width = 1 << Int(pointer.load(fromByteOffset: 1, as: UInt8.self) & 0x0F)
    if width > 8 {
      return (pointer + 2 + width, Int(truncatingIfNeeded: bigEndian(pointer + 2 + width - 8, 8)))
    }
    return (pointer + 2 + width, Int(truncatingIfNeeded: bigEndian(pointer + 2, width)))
  }

  /// The reference at a position of a container's payload.
  @inlinable @inline(__always)
  public func reference(_ start: UnsafeRawPointer, _ position: Int) -> UInt32 {
    UInt32(
      truncatingIfNeeded: bigEndian(padded: start + position &* referenceWidth, referenceWidth))
  }

  /// Whether a processor's caches have no room for all values, so that each look at one anywhere waits for the memory.
  public var isBeyondCaches: Bool { byteCount > 4 << 20 }

  /// Asks the processor for the first bytes of a value that will be looked at soon.
  @inlinable @inline(__always)
  public func prefetch(_ index: UInt32) { prefetchMemory(at: base + offset(of: index)) }

  /// The number of a UID value; only the low 64 bits of longer ones.
  @inlinable @inline(__always)
  public func uid(at index: UInt32) -> UInt64 { Self.uid(at: pointer(of: index)) }

  /// The number of the UID whose marker byte is at a place.
  @inlinable @inline(__always)
  static func uid(at pointer: UnsafeRawPointer) -> UInt64 {
    let last = Int(pointer.load(as: UInt8.self) & 0x0F)
    return last < 8 ? bigEndian(pointer + 1, last + 1) : bigEndian(pointer + 1 + last - 7, 8)
  }

  /// The same for a UID of a document, which 7 bytes follow that can be read as well: in few instructions.
  @inlinable @inline(__always)
  static func number(ofPaddedUID pointer: UnsafeRawPointer) -> Int {
    let last = Int(pointer.load(as: UInt8.self) & 0x0F)
    return Int(
      truncatingIfNeeded: last < 8 ? bigEndian(padded: pointer + 1, last + 1) : uid(at: pointer))
  }

  /// The string at an index, nil for other values.
  @inlinable @inline(__always)
  public func text(at index: UInt32) -> Text? { Self.text(at: pointer(of: index)) }

  /// The string whose marker byte is at a place, nil for other values.
  @inlinable @inline(__always)
  static func text(at pointer: UnsafeRawPointer) -> Text? {
    let kind = pointer.load(as: UInt8.self) >> 4
    guard kind >= Marker.ascii && kind <= Marker.utf8 else { return nil }
    let (start, count) = counted(at: pointer)
    switch kind {
    case Marker.ascii: return Text(base: start, byteCount: count, form: .ascii)
    case Marker.utf16: return Text(base: start, byteCount: count &* 2, form: .utf16)
    default: return Text(base: start, byteCount: count, form: .utf8)
    }
  }
}

extension ValueTable {
  /// A value's bytes, marker included; of a container its references.
  public func bytes(of index: UInt32) -> ByteView {
    let pointer = pointer(of: index)
    let marker = pointer.load(as: UInt8.self)
    let low = Int(marker & 0x0F)
    let end: UnsafeRawPointer
    switch marker >> 4 {
    case Marker.singleton: end = pointer + 1
    case Marker.integer, Marker.real, Marker.date: end = pointer + 1 + (1 << low)
    case Marker.uid: end = pointer + 2 + low
    default:
      let (start, count) = counted(index)
      end = start + count * unit(of: marker >> 4)
    }
    return ByteView(start: pointer, count: end - pointer)
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
  /// The value of a scalar; null for containers.
  ///
  /// Integers of 1, 2 and 4 bytes are unsigned, of 8 and 16 signed; of the latter CoreFoundation itself reads the low half
  /// only (CFBinaryPList.c).
  @inlinable
  public func scalar(at index: UInt32) -> Value { Self.scalar(at: pointer(of: index)) }

  /// The same for the value whose marker byte is at a place.
  @inlinable @inline(__always)
  static func scalar(at pointer: UnsafeRawPointer) -> Value {
    let marker = pointer.load(as: UInt8.self)
    switch marker >> 4 {
    case Marker.singleton: return marker == 0 ? .null : .boolean(marker == 9)
    case Marker.integer:
      if marker & 0x0F < 4 {
        return .integer(Int64(bitPattern: bigEndian(pointer + 1, 1 << Int(marker & 0x0F))))
      }
      let (high, low) = (Int64(bitPattern: bigEndian(pointer + 1, 8)), bigEndian(pointer + 9, 8))
      let signed = Int64(bitPattern: low)
      if high == signed >> 63 { return .integer(signed) }
      return high == 0 ? .unsigned(low) : .wide(WideInteger(high: high, low: low))
    case Marker.real:
      if marker & 0x0F == 2 {
        return .single(Float(bitPattern: UInt32(truncatingIfNeeded: bigEndian(pointer + 1, 4))))
      }
      return .real(Double(bitPattern: bigEndian(pointer + 1, 8)))
    case Marker.date: return .date(Double(bitPattern: bigEndian(pointer + 1, 8)))
    case Marker.data:
      let (start, count) = counted(at: pointer)
      return .data(ByteView(start: start, count: count))
    case Marker.uid: return .uid(uid(at: pointer))
    default: return text(at: pointer).map { .string($0) } ?? .null
    }
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

// MARK: - Where each stored value of a keyed archive leads

extension ValueTable {
  /// Follows the UIDs among the values of a table that was checked.
  ///
  /// - Parameters:
  ///   - objects: the references of `$objects`.
  ///   - objectCount: how many there are; a UID that is not below it leads to itself.
  ///   - targets: room for as many numbers as there are values; it is initialized.
  func followAll(
    through objects: UnsafeRawPointer, _ objectCount: Int,
    into targets: UnsafeMutablePointer<UInt32>
  ) {
    switch (offsetWidth, referenceWidth) {
    case (1, 1): follow(OneByte.self, OneByte.self, objects, objectCount, targets)
    case (2, 1): follow(TwoBytes.self, OneByte.self, objects, objectCount, targets)
    case (2, 2): follow(TwoBytes.self, TwoBytes.self, objects, objectCount, targets)
    case (3, 2): follow(ThreeBytes.self, TwoBytes.self, objects, objectCount, targets)
    case (4, 4): follow(FourBytes.self, FourBytes.self, objects, objectCount, targets)
    default:
      for index in 0..<UInt32(truncatingIfNeeded: count) {
        var target = index
        if marker(of: index) >> 4 == Marker.uid, uid(at: index) < UInt64(objectCount) {
          target = reference(objects, Int(truncatingIfNeeded: uid(at: index)))
        }
        (targets + Int(index)).initialize(to: target)
      }
    }
  }

  private func follow<Offset: StoredWidth, Reference: StoredWidth>(
    _: Offset.Type, _: Reference.Type, _ objects: UnsafeRawPointer, _ objectCount: Int,
    _ targets: UnsafeMutablePointer<UInt32>
  ) {
    for index in 0..<count {
      let pointer = base + Offset.load(offsets, index)
      let number: Int
      switch pointer.load(as: UInt8.self) {
      case 0x80: number = OneByte.load(pointer + 1, 0)
      case 0x81: number = TwoBytes.load(pointer + 1, 0)
      case 0x82...0x8F: number = Int(clamping: uid(at: UInt32(truncatingIfNeeded: index)))
      default: number = .max
      }
      let target = number < objectCount ? Reference.load(objects, number) : index
      (targets + index).initialize(to: UInt32(truncatingIfNeeded: target))
    }
  }
}

// MARK: - What can be wrong with one value of a table, by kind

/// A fault of one stored value.
public struct TableFault: Sendable {
  /// The part of the value that is wrong.
  public enum Kind: Sendable {
    /// The entry in the table of offsets.
    case offset
    /// The marker byte.
    case marker
    /// The end of the value, beyond the last byte.
    case extent
    /// The count of elements, characters or bytes.
    case count
    /// A reference to a value that is not there.
    case reference
    /// The UTF-8 of a string.
    case encoding
  }

  /// The part that is wrong.
  public let kind: Kind
  /// The same with its location, as readers throw it.
  package let error: ArchiveError

  init(_ kind: Kind, _ error: ArchiveError) {
    self.kind = kind
    self.error = error
  }
}
