// Objects of a binary property list read one after the other, as every known writer lays them out.

import ArchiveBasics
import ArchiveGraph

/// One pass over the objects, on the assumption that references take a certain number of bytes.
struct BinaryScan {
  private static let headerSize = 8

  private(set) var offsets: [Int] = []
  /// The end of the objects: at an offset table, at bytes that are not an object, or at the end of the file.
  private(set) var end: Int
  /// The last object, if the end of the file cuts it.
  private(set) var cut: CutValue?
  let referenceWidth: Int
  private var hasTable = false
  private var plausible = 0
  private var implausible = 0

  /// Reads objects until other bytes follow.
  ///
  /// - Parameter isTruncated: whether the last object may be cut by the end of the bytes.
  init(_ bytes: ByteView, referenceWidth: Int, isTruncated: Bool) {
    self.referenceWidth = referenceWidth
    end = Self.headerSize
    while end < bytes.count {
      if let number = offsets.last, beginsTable(bytes, after: number) {
        hasTable = true
        return
      }
      guard let length = length(bytes, at: end), length <= bytes.count - end else {
        if isTruncated { readCut(bytes) }
        return
      }
      assess(bytes, at: end)
      offsets.append(end)
      end += length
    }
  }

  /// The pass with the most plausible reference size; nil if there is no object.
  static func best(in bytes: ByteView) -> BinaryScan? {
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
  private mutating func readCut(_ bytes: ByteView) {
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
  private mutating func assess(_ bytes: ByteView, at offset: Int) {
    let marker = bytes[offset]
    guard marker >> 4 >= Marker.array, let (start, count) = counted(bytes, at: offset) else {
      return
    }
    let references = marker >> 4 == Marker.dictionary ? count * 2 : count
    for position in 0..<references {
      var location = start + position * referenceWidth
      var number = 0
      let next = location + referenceWidth
      guard next <= bytes.count else { return }
      while location < next {
        number = number << 8 | Int(bytes[location])
        if number > bytes.count { break }
        location += 1
      }
      if number == 0 || number == offsets.count || number > bytes.count {
        implausible += 1
      } else {
        plausible += 1
      }
    }
  }

  /// How many bytes an object takes; nil if no object begins there.
  private func length(_ bytes: ByteView, at offset: Int) -> Int? {
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
  private func counted(_ bytes: ByteView, at offset: Int) -> (start: Int, count: Int)? {
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
  private func beginsTable(_ bytes: ByteView, after last: Int) -> Bool {
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

// MARK: - The offsets of the objects of a damaged binary property list

/// What could be found out about the layout of a damaged binary property list.
struct BinaryLayout {
  /// For each object the byte where it begins; nil where that is not known.
  var offsets: [Int?]
  var referenceWidth: Int
  var top: Int
  var end: Int
  /// The last object, if the end of the file cuts it.
  var cut: CutValue?
  /// How the layout was found, for the person who asked.
  var source: String

  /// A layout of bytes that begin with the header of a binary property list.
  ///
  /// - Returns: nil if not one object can be found.
  static func find(in bytes: ByteView) -> BinaryLayout? {
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
struct BinaryTrailer {
  private static let size = BinaryReader.trailerSize
  /// How far before the end of the file a trailer is looked for.
  private static let reach = 1 << 20

  let location: Int
  let offsetWidth: Int
  let referenceWidth: Int
  let count: Int
  let top: Int
  let tableOffset: Int

  /// The last bytes that are a trailer in every respect; then those at the very end that could be one.
  static func last(in bytes: ByteView) -> BinaryTrailer? {
    // Every writer begins it with zeros.
    func trailer(_ location: Int) -> BinaryTrailer? {
      guard location >= 9, bytes[location] == 0, bytes[location + 1] == 0 else { return nil }
      return BinaryTrailer(bytes, at: location)
    }
    var location = bytes.count - size
    let lowest = max(9, location - reach)
    while location >= lowest {
      if let trailer = trailer(location), trailer.isExact { return trailer }
      location -= 1
    }
    return trailer(bytes.count - size)
  }

  /// What the bytes at a position say; nil if no trailer can say that.
  init?(_ bytes: ByteView, at location: Int) {
    guard location >= 9, (1...8).contains(bytes[location + 6]),
      (1...8).contains(bytes[location + 7])
    else { return nil }
    let numbers = (1...3).map { number in
      UInt64(
        bigEndian: bytes.loadUnaligned(fromByteOffset: location + number * 8, as: UInt64.self))
    }
    // Every object takes a byte at least, so a count above the file's size means something else.
    guard numbers[0] > 0, numbers[0] <= UInt64(bytes.count), numbers[1] < numbers[0],
      numbers[2] >= 8, numbers[2] < UInt64(location)
    else { return nil }
    self.location = location
    offsetWidth = Int(bytes[location + 6])
    referenceWidth = Int(bytes[location + 7])
    count = Int(numbers[0])
    top = Int(numbers[1])
    tableOffset = Int(numbers[2])
  }

  /// Whether the offset table fills the space up to the trailer.
  var isExact: Bool { tableOffset + count * offsetWidth == location }

  /// The offsets of the table; an impossible one is replaced by that of the object with the same rank.
  func layout(in bytes: ByteView) -> BinaryLayout {
    let room = min(count, (location - tableOffset) / offsetWidth)
    var offsets: [Int?] = (0..<room).map { number in
      let start = tableOffset + number * offsetWidth
      var offset: UInt64 = 0
      for byte in bytes[start..<start + offsetWidth] { offset = offset << 8 | UInt64(byte) }
      return offset >= 8 && offset < UInt64(tableOffset) ? Int(offset) : nil
    }
    offsets += [Int?](repeating: nil, count: count - room)
    var source = "the offset table was used"
    let objects = bytes.part(0..<tableOffset)
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

// MARK: - The value that the end of a truncated binary property list cuts

/// A string or data whose count goes beyond the end of the file.
struct CutValue {
  private enum Part {
    case text(String)
    case data(ByteView)
  }

  private let part: Part
  private let found: Int
  private let count: Int
  private let unit: String

  /// The value that begins with a marker, if what follows it to the end can be its content.
  ///
  /// - Parameters:
  ///   - marker: the marker of the value.
  ///   - start: where its content begins.
  ///   - count: the count after the marker.
  ///   - isShortest: whether a writer would encode the count like this.
  init?(_ bytes: ByteView, marker: UInt8, start: Int, count: Int, isShortest: Bool) {
    guard start < bytes.count else { return nil }
    let rest = bytes.part(from: start)
    self.count = count
    switch marker >> 4 {
    case Marker.ascii:
      guard rest.allSatisfy({ $0 < 0x80 }), let text = PartialText.utf8(rest) else { return nil }
      (part, found, unit) = (.text(text), rest.count, "characters")
    case Marker.utf8:
      guard let text = PartialText.utf8(rest) else { return nil }
      (part, found, unit) = (.text(text), text.utf8.count, "bytes")
    case Marker.utf16:
      guard let text = Self.utf16(rest) else { return nil }
      (part, found, unit) = (.text(text), text.utf16.count, "UTF-16 units")
    case Marker.data:
      // Anything can be data, so at least the count must be as writers write it.
      guard isShortest else { return nil }
      (part, found, unit) = (.data(rest), rest.count, "bytes")
    default: return nil
    }
    if found == 0 { return nil }
  }

  var summary: String { "\(found) of its \(count) \(unit) are left" }

  /// Adds the part to a graph: a string says how much is missing.
  func add(to builder: inout GraphBuilder) -> UInt32 {
    switch part {
    case .text(let text):
      builder.add(PartialText.marked(text, found, of: UInt64(count), unit))
    case .data(let bytes): builder.add(data: bytes)
    }
  }

  /// The beginning of a string in UTF-16, without half of a character; nil if it is no text.
  private static func utf16(_ bytes: ByteView) -> String? {
    var units = (0..<bytes.count / 2).map { number in
      UInt16(bytes[number * 2]) << 8 | UInt16(bytes[number * 2 + 1])
    }
    if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    guard let text = String(validating: units, as: UTF16.self) else { return nil }
    return PartialText.isPlausible(text) ? text : nil
  }
}
