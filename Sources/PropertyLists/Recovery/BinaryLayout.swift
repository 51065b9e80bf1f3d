// The offsets of the objects of a damaged binary property list: from its offset table, or by scanning.

import ObjectGraph

/// What could be found out about the layout of a damaged binary property list.
struct BinaryLayout {
  /// For each object the byte where it begins; nil where that is not known.
  var offsets: [Int?]
  /// How many bytes a reference takes.
  var referenceWidth: Int
  /// The top object.
  var top: Int
  /// Where the objects end.
  var end: Int
  /// The last object, if the end of the file cuts it.
  var cut: CutValue?
  /// How the layout was found, for the person who asked.
  var source: String

  /// A layout of bytes that begin with the header of a binary property list.
  ///
  /// - Returns: nil if not one object can be found.
  static func find(in bytes: UnsafeRawBufferPointer) -> BinaryLayout? {
    if let trailer = BinaryTrailer.last(in: bytes) {
      return trailer.layout(in: bytes)
    }
    return BinaryScan.best(in: bytes).map { scan in
      BinaryLayout(
        offsets: scan.offsets, referenceWidth: scan.referenceWidth, top: 0, end: scan.end,
        cut: scan.cut,
        source: "the trailer is missing: the objects were found by scanning")
    }
  }
}

/// The last 32 bytes, at their current position.
private struct BinaryTrailer {
  private static let size = 32
  /// How far before the end of the file a trailer is looked for.
  private static let reach = 1 << 20

  let place: Int
  let offsetWidth: Int
  let referenceWidth: Int
  let count: Int
  let top: Int
  let tableOffset: Int

  /// The last bytes that are a trailer in every respect; then those at the very end that could be one.
  static func last(in bytes: UnsafeRawBufferPointer) -> BinaryTrailer? {
    var place = bytes.count - size
    let lowest = max(9, place - reach)
    while place >= lowest {
      if let trailer = BinaryTrailer(bytes, at: place), trailer.isExact { return trailer }
      place -= 1
    }
    return BinaryTrailer(bytes, at: bytes.count - size)
  }

  private init?(_ bytes: UnsafeRawBufferPointer, at place: Int) {
    guard place >= 9, bytes[place] == 0, bytes[place + 1] == 0,
      (1...8).contains(bytes[place + 6]), (1...8).contains(bytes[place + 7])
    else { return nil }
    let numbers = (1...3).map { number in
      UInt64(
        bigEndian: bytes.loadUnaligned(fromByteOffset: place + number * 8, as: UInt64.self))
    }
    // Every object takes a byte at least, so a count above the file's size means something else.
    guard numbers[0] > 0, numbers[0] <= UInt64(bytes.count), numbers[1] < numbers[0],
      numbers[2] >= 8, numbers[2] < UInt64(place)
    else { return nil }
    self.place = place
    offsetWidth = Int(bytes[place + 6])
    referenceWidth = Int(bytes[place + 7])
    count = Int(numbers[0])
    top = Int(numbers[1])
    tableOffset = Int(numbers[2])
  }

  /// Whether the offset table fills the space up to the trailer.
  var isExact: Bool { tableOffset + count * offsetWidth == place }

  /// The offsets of the table; an impossible one is replaced by that of the object with the same rank.
  func layout(in bytes: UnsafeRawBufferPointer) -> BinaryLayout {
    let room = min(count, (place - tableOffset) / offsetWidth)
    var offsets: [Int?] = (0..<room).map { number in
      let start = tableOffset + number * offsetWidth
      var offset: UInt64 = 0
      for byte in bytes[start..<start + offsetWidth] { offset = offset << 8 | UInt64(byte) }
      return offset >= 8 && offset < UInt64(tableOffset) ? Int(offset) : nil
    }
    offsets += [Int?](repeating: nil, count: count - room)
    var source = "the offset table was used"
    let objects = UnsafeRawBufferPointer(rebasing: bytes[..<tableOffset])
    let scan = BinaryScan(objects, referenceWidth: referenceWidth, isTruncated: false)
    // Objects in their turn are trusted if they are as many, or agree with most of the table.
    let agreeing = zip(offsets, scan.offsets).filter { $0 == $1 }.count
    if scan.offsets.count == count || agreeing * 2 > count, offsets != scan.offsets.map({ $0 }) {
      let known = Set(scan.offsets)
      for number in offsets.indices where !(offsets[number].map(known.contains) ?? false) {
        offsets[number] = number < scan.offsets.count ? scan.offsets[number] : nil
      }
      source = "the offset table is damaged: objects that it misses were found in their turn"
    }
    return BinaryLayout(
      offsets: offsets, referenceWidth: referenceWidth, top: top, end: tableOffset, source: source)
  }
}
