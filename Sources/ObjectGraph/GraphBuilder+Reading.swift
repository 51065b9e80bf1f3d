// Values of a builder that are read while it is built.

import Basics

extension GraphBuilder {
  private func lookBack<Result>(_ read: (ValueTable) -> Result?) -> Result? {
    guard let base = bytes.bytes.baseAddress, let table = offsets.bytes.baseAddress else {
      return nil
    }
    return read(
      ValueTable(
        base: base, byteCount: bytes.count, offsets: table, offsetWidth: offsetWidth,
        referenceWidth: Self.referenceWidth, count: count))
  }

  /// The string at an index, nil for other values.
  public func string(at index: UInt32) -> String? {
    lookBack { $0.text(at: index)?.string }
  }

  /// Whether the value at an index is the string of these ASCII characters.
  public func isString(_ ascii: StaticString, at index: UInt32) -> Bool {
    lookBack { $0.text(at: index)?.equals(ascii) } == true
  }

  /// Whether the value at an index is no container.
  @inline(__always)
  package func isScalar(at index: UInt32) -> Bool {
    let place = UnsafeRawPointer(offsets.base) + Int(index) &* offsetWidth
    let offset = offsetWidth == 4 ? bigEndian(place, 4) : bigEndian(place, 8)
    return (bytes.base + Int(offset)).load(as: UInt8.self) >> 4 < Marker.array
  }

  /// The integer at an index, nil for other values or above `Int64.max`.
  public func integer(at index: UInt32) -> Int64? {
    lookBack { table in
      let marker = table.marker(of: index)
      guard marker >> 4 == Marker.integer, marker & 0x0F < 4 else { return nil }
      let width = 1 << Int(marker & 0x0F)
      return Int64(bitPattern: bigEndian(table.base + table.offset(of: index) + 1, width))
    }
  }
}
