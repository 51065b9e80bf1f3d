// Objects of a binary property list read one after the other, as every known writer lays them out.

import ObjectGraph

/// One pass over the objects, on the assumption that references take a certain number of bytes.
struct BinaryScan {
  private static let headerSize = 8

  /// Where each object begins.
  private(set) var offsets: [Int] = []
  /// The end of the objects: at an offset table, at bytes that are not an object, or at the end of the file.
  private(set) var end: Int
  /// The last object, if the end of the file cuts it.
  private(set) var cut: CutValue?
  /// How many bytes a reference takes.
  let referenceWidth: Int
  private var hasTable = false
  private var plausible = 0
  private var implausible = 0

  /// Reads objects until other bytes follow.
  ///
  /// - Parameter isTruncated: whether the last object may be cut by the end of the bytes.
  init(_ bytes: UnsafeRawBufferPointer, referenceWidth: Int, isTruncated: Bool) {
    self.referenceWidth = referenceWidth
    end = Self.headerSize
    while end < bytes.count {
      if let number = offsets.last, beginsTable(bytes, after: number) {
        hasTable = true
        return
      }
      guard let length = length(bytes, at: end), length <= bytes.count - end else {
        if isTruncated { takeCut(bytes) }
        return
      }
      judge(bytes, at: end)
      offsets.append(end)
      end += length
    }
  }

  /// The pass with the most plausible reference size; nil if there is no object.
  static func best(in bytes: UnsafeRawBufferPointer) -> BinaryScan? {
    let scans = [1, 2, 4, 3, 8, 5, 6, 7].map {
      BinaryScan(bytes, referenceWidth: $0, isTruncated: true)
    }
    var best: BinaryScan?
    for scan in scans where !scan.offsets.isEmpty && scan.score > best?.score ?? .min {
      best = scan
    }
    return best
  }

  /// An offset table proves a reading; else references that can be meant count for it, others against.
  private var score: Int {
    (hasTable ? 1 << 40 : 0) + plausible - 8 * implausible + (end - Self.headerSize) / 16
  }

  /// Takes the object at the end of the pass if the end of the file cuts it, so that its content is not read as objects.
  private mutating func takeCut(_ bytes: UnsafeRawBufferPointer) {
    guard let (start, count) = counted(bytes, at: end) else { return }
    // A count of its own follows the marker in as few bytes as it needs.
    let width = start - end - 2
    let isShortest = width <= 1 || count >> (width * 4) > 0
    cut = CutValue(
      bytes, marker: bytes[end], start: start, count: count, isShortest: isShortest)
    guard cut != nil else { return }
    offsets.append(end)
    end = bytes.count
  }

  /// Counts the plausible references of a container: no object contains the top object or itself.
  private mutating func judge(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    let marker = bytes[offset]
    guard marker >> 4 >= Marker.array, let (start, count) = counted(bytes, at: offset) else {
      return
    }
    let references = marker >> 4 == Marker.dictionary ? count * 2 : count
    for position in 0..<references {
      var place = start + position * referenceWidth
      var number = 0
      let next = place + referenceWidth
      guard next <= bytes.count else { return }
      while place < next {
        number = number << 8 | Int(bytes[place])
        if number > bytes.count { break }
        place += 1
      }
      if number == 0 || number == offsets.count || number > bytes.count {
        implausible += 1
      } else {
        plausible += 1
      }
    }
  }

  /// How many bytes an object takes; nil if no object begins there.
  private func length(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case Marker.singleton: return low == 0 || low == 8 || low == 9 ? 1 : nil
    case Marker.integer: return low <= 4 ? 1 + 1 << low : nil
    case Marker.real: return low == 2 || low == 3 ? 1 + 1 << low : nil
    case Marker.date: return low == 3 ? 9 : nil
    case Marker.uid: return low + 2
    default: break
    }
    guard let unit = unit(marker >> 4), let (start, count) = counted(bytes, at: offset) else {
      return nil
    }
    let (size, overflow) = count.multipliedReportingOverflow(by: unit)
    return overflow ? nil : start - offset + size
  }

  private func unit(_ kind: UInt8) -> Int? {
    switch kind {
    case Marker.data, Marker.ascii, Marker.utf8: 1
    case Marker.utf16: 2
    case Marker.array, Marker.set, Marker.orderedSet: referenceWidth
    case Marker.dictionary: referenceWidth * 2
    default: nil
    }
  }

  /// Where the content of a counted object begins, and its count.
  private func counted(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> (start: Int, count: Int)?
  {
    let low = Int(bytes[offset] & 0x0F)
    guard low == 0x0F else { return (offset + 1, low) }
    guard offset + 1 < bytes.count else { return nil }
    let size = bytes[offset + 1]
    guard size >> 4 == Marker.integer, size & 0x0F <= 3 else { return nil }
    let width = 1 << Int(size & 0x0F)
    guard offset + 2 + width <= bytes.count else { return nil }
    var count = 0
    for byte in bytes[(offset + 2)..<(offset + 2 + width)] {
      // More than any file has; what is computed from the count stays a number.
      guard count < 1 << 40 else { return nil }
      count = count << 8 | Int(byte)
    }
    return (offset + 2 + width, count)
  }

  /// Whether the offsets found so far follow here as a table, complete or truncated by the end of the file.
  private func beginsTable(_ bytes: UnsafeRawBufferPointer, after last: Int) -> Bool {
    // The first entry is that of the first object: a byte that is not a marker.
    for width in 1...8 where end + width <= bytes.count {
      guard last < 1 << min(width * 8, 62), bytes[end + width - 1] == UInt8(Self.headerSize),
        bytes[end..<(end + width - 1)].allSatisfy({ $0 == 0 })
      else { continue }
      let entries = min(offsets.count, (bytes.count - end) / width)
      let agrees = (0..<entries).allSatisfy { number in
        var offset = 0
        for byte in bytes[(end + number * width)..<(end + (number + 1) * width)] {
          offset = offset << 8 | Int(byte)
          if offset > bytes.count { return false }
        }
        return offset == offsets[number]
      }
      // A few entries could match by chance, unless the file ends with them and the references can be meant.
      let rest = bytes.count - end - entries * width
      if agrees, entries > 3 || (entries == offsets.count && rest <= 32 && implausible == 0) {
        return true
      }
    }
    return false
  }
}
