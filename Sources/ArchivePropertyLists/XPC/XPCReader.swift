// Messages of NSXPCConnection, bplist16 and bplist17, as the table of a keyed archive.
//
// Format facts: darling-foundation, NSXPCSerialization.c and NSXPCEncoder.m (16); plist17lib, plist17lib.py, and the
// captured messages of node-plist17, test/bplist17.test.js (17). Not public: dates, sets, UUIDs and URLs. Sources disagree
// on the byte order of unsigned numbers; it is that of all others here, as darling-foundation and plist17lib write them.

import ArchiveBasics
import ArchiveGraph

/// Reads the values of a message, which follow one another, containers before what they hold.
///
/// Whatever can be an object of an archive is one: containers, texts and data. A dictionary that begins with `$class` is an
/// object of that class; values without a key are `$0`, `$1`, …, as in keyed archives.
struct XPCReader: ~Copyable {
  /// A value that is in the message, to which others may refer.
  private struct Stored {
    let offset: Int
    /// The value; nil until its container ends.
    var index: UInt32?
    /// Its number among the objects, if it has one.
    var number: Int?
    /// Its text as a key of an archive, if it was one.
    var key: UInt32?
    let kind: Kind

    enum Kind { case number, text, other }
  }

  private enum Item {
    case null
    case boolean(UInt32)
    /// One of `stored`, which others may refer to.
    case stored(Int)
  }

  private struct Frame {
    let stored: Int
    let end: Int
    let isDictionary: Bool
    /// Whether the next value of a dictionary is that of a key.
    var hasKey = false
    /// Whether it is the value of the first key, `$class`.
    var awaitsClass = false
    var classNumber: Int?
    /// How many values without a key were read.
    var unnamed = 0
  }

  private let fileOffset: Int?
  private let depth: Int
  private let version: Int64
  private var cursor: ByteCursor
  private var builder = GraphBuilder()
  private var stored: [Stored] = []
  private var frames: [Frame] = []
  private var objects: [UInt32]
  private var classes: [UInt32: Int] = [:]
  private var warnings: [ArchiveError] = []
  private var root: UInt64 = 0

  /// Reads a message.
  ///
  /// - Parameters:
  ///   - bytes: all of it, from its magic number.
  ///   - fileOffset: its position in the input file, if it is stored there in this form.
  ///   - depth: how deep containers may be nested.
  /// - Returns: the document, and warnings.
  /// - Throws: `ArchiveError` at the first fault; its offset counts from the first of the bytes.
  static func read(
    _ bytes: ByteView, fileOffset: Int?, depth: Int
  ) throws(ArchiveError) -> (document: Document, warnings: [ArchiveError]) {
    var reader = XPCReader(bytes, fileOffset, depth)
    try reader.run()
    let warnings = reader.warnings
    return (reader.finish(), warnings)
  }

  private init(_ bytes: ByteView, _ fileOffset: Int?, _ depth: Int) {
    self.fileOffset = fileOffset
    self.depth = depth
    version = bytes.byte(at: 7) == UInt8(ascii: "6") ? 16 : 17
    cursor = ByteCursor(bytes, at: 8, of: "message")
    // Either every value has a position or none: positions are counted like values.
    builder.sourceOffset = fileOffset
    objects = [builder.add("$null")]
  }

  private consuming func finish() -> Document {
    builder.sourceOffset = fileOffset
    let root = builder.add(members: [("root", builder.add(uid: root))])
    let archive = builder.add(members: [
      ("$version", builder.add(Int64(100_000))), ("$archiver", builder.add("NSXPCEncoder")),
      ("$formatVersion", builder.add(version)), ("$top", root),
      ("$objects", builder.add(list: objects)),
    ])
    return builder.finish(top: archive, encoding: .xpcMessage)
  }

  // MARK: The machine

  private mutating func run() throws(ArchiveError) {
    repeat {
      if let frame = frames.last, cursor.position == frame.end {
        try close(frame)
      } else {
        cursor.limit = frames.last?.end ?? cursor.bytes.count
        guard let item = try value() else { continue }
        try deliver(item)
      }
    } while !frames.isEmpty
    let surplus = cursor.bytes.count - cursor.position
    if surplus > 0 {
      warnings.append(
        ArchiveError(
          .malformed, "\(Counted.text(surplus, "byte")) after the message skipped",
          offset: cursor.position))
    }
  }

  /// Reads a value; nil for a container, which is open then.
  private mutating func value() throws(ArchiveError) -> Item? {
    let start = cursor.position
    if let fileOffset { builder.sourceOffset = fileOffset + start }
    let marker = UInt8(truncatingIfNeeded: try cursor.number(1, "a value"))
    let low = Int(marker & 0x0F)
    switch (marker >> 4, low) {
    case (0x1, 1...8):
      let shift = 64 - 8 * low
      let bits = try cursor.number(low, "an integer")
      return store(builder.add(Int64(bitPattern: bits << shift) >> shift), at: start, .number)
    case (0xF, 1...8):
      return store(builder.add(unsigned: try cursor.number(low, "an integer")), at: start, .number)
    case (0x2, 2):
      let bits = UInt32(truncatingIfNeeded: try cursor.number(4, "a real"))
      return store(builder.add(Float(bitPattern: bits)), at: start, .number)
    case (0x2, 3):
      let bits = try cursor.number(8, "a real")
      return store(builder.add(Double(bitPattern: bits)), at: start, .number)
    case (0x4, _):
      let data = try cursor.read(try length(low, "data"), "data")
      return store(builder.add(data: data), at: start, .other)
    case (0x6, _):
      let count = try length(low, "a string")
      guard count <= cursor.limit / 2 else { return try units(cursor.limit, start) }
      return try units(count * 2, start)
    case (0x7, _): return try characters(try length(low, "a string"), start)
    case (0x8, 1...8) where version == 17:
      let offset = try cursor.number(low, "the offset of a value")
      return .stored(try target(offset, start))
    case (0xA, 0), (0xD, 0):
      try open(isDictionary: marker == 0xD0, start)
      return nil
    case (0xB, 0): return .boolean(builder.add(true))
    case (0xC, 0): return .boolean(builder.add(false))
    case (0xE, 0): return .null
    default:
      throw ArchiveError(
        .unsupported,
        "no value that is known of version \(version) begins with 0x\(hexadecimal(marker))",
        offset: start)
    }
  }

  /// The length of a string or of data: in the marker, or an integer after it.
  private mutating func length(_ low: Int, _ what: String) throws(ArchiveError) -> Int {
    guard low == 0x0F else { return low }
    let start = cursor.position
    let marker = try cursor.number(1, "the length of \(what)")
    guard (0x11...0x18).contains(marker) else {
      throw ArchiveError(
        .malformed,
        "the length of \(what) must be an integer, found 0x\(hexadecimal(UInt8(marker)))",
        offset: start)
    }
    return try cursor.count(Int(marker & 0x0F), "the length of \(what)")
  }

  /// Reads a string of UTF-16, least significant byte first.
  private mutating func units(_ count: Int, _ start: Int) throws(ArchiveError) -> Item {
    let bytes = try cursor.read(count, "a string")
    let swapped = ByteStorage(copying: bytes.indices.map { bytes[$0 ^ 1] })
    defer { withExtendedLifetime(swapped) {} }
    guard let base = swapped.bytes.baseAddress else {
      return store(builder.add(""), at: start, .text)
    }
    let text = Text(base: base, byteCount: count, form: .utf16)
    return store(builder.add(text), at: start, .text)
  }

  /// Reads a string of ASCII, which a zero byte ends.
  private mutating func characters(_ count: Int, _ start: Int) throws(ArchiveError) -> Item {
    let bytes = try cursor.read(count, "a string")
    guard bytes.last == 0 else {
      throw ArchiveError(
        .malformed, "a string of ASCII must end with a zero byte, which its length includes",
        offset: start)
    }
    guard let text = String(validating: bytes.dropLast(), as: UTF8.self) else {
      throw ArchiveError(.malformed, "a string must be ASCII or UTF-8", offset: start)
    }
    return store(builder.add(text), at: start, .text)
  }

  private mutating func store(_ index: UInt32, at offset: Int, _ kind: Stored.Kind) -> Item {
    stored.append(Stored(offset: offset, index: index, kind: kind))
    return .stored(stored.count - 1)
  }

  /// The value that begins at an offset, which may be a container that is still open.
  private func target(_ offset: UInt64, _ start: Int) throws(ArchiveError) -> Int {
    let next = (0..<stored.count).firstNumber { stored[$0].offset >= offset }
    guard next < stored.count, stored[next].offset == offset else {
      throw ArchiveError(
        .dangling,
        "a reference leads to byte \(offset), where no value before it begins",
        offset: start)
    }
    return next
  }

  // MARK: Containers

  private mutating func open(isDictionary: Bool, _ start: Int) throws(ArchiveError) {
    guard frames.count < depth else { throw .tooDeep(depth, offset: start) }
    let last = try cursor.count(8, "the offset of a container's last byte")
    guard last >= cursor.position - 1, last < cursor.limit else {
      throw ArchiveError(
        .malformed,
        "a container must end between bytes \(cursor.position - 1) and \(cursor.limit - 1), found \(last)",
        offset: start + 1)
    }
    stored.append(Stored(offset: start, kind: .other))
    if frames.isEmpty { _ = reference(to: .stored(stored.count - 1)) }
    frames.append(Frame(stored: stored.count - 1, end: last + 1, isDictionary: isDictionary))
    builder.open()
  }

  private mutating func close(_ frame: Frame) throws(ArchiveError) {
    let start = stored[frame.stored].offset
    if let fileOffset { builder.sourceOffset = fileOffset + start }
    guard !frame.hasKey else {
      throw ArchiveError(
        .malformed, "the dictionary of byte \(start) ends after a key", offset: frame.end)
    }
    if let number = frame.classNumber {
      let (key, record) = (builder.add("$class"), builder.add(uid: UInt64(number)))
      builder.append(key)
      builder.append(record)
    }
    if frame.isDictionary, let pair = builder.repeatedPair(), warnings.count < 100 {
      let name = builder.string(at: builder.openValues[pair * 2]) ?? ""
      warnings.append(.repeatedKey(name, offset: start))
    }
    let index = frame.isDictionary ? builder.closeDictionary() : builder.close()
    stored[frame.stored].index = index
    if let number = stored[frame.stored].number { objects[number] = index }
    frames.removeLast()
    // Lists are stored in the objects that hold them, as NSKeyedArchiver stores the elements of its collections.
    if let holder = frames.last, holder.classNumber != nil, !frame.isDictionary,
      stored[frame.stored].number == nil
    {
      builder.append(index)
      frames[frames.count - 1].hasKey = false
      return
    }
    try deliver(.stored(frame.stored))
  }

  /// Gives a value to the container that is open.
  private mutating func deliver(_ item: Item) throws(ArchiveError) {
    guard let frame = frames.last else {
      root = rootNumber(item)
      return
    }
    let last = frames.count - 1
    if frame.awaitsClass {
      frames[last].awaitsClass = false
      frames[last].hasKey = false
      if case .stored(let number) = item, stored[number].kind == .text,
        let name = stored[number].index,
        !builder.isString("", at: name)
      {
        frames[last].classNumber = record(of: name)
        return
      }
      builder.append(builder.add("$$class"))
    } else if frame.isDictionary, !frame.hasKey {
      return try deliver(key: item, to: last)
    }
    builder.append(reference(to: item))
    frames[last].hasKey = false
  }

  /// The number of the root, which becomes an object if it is none.
  private mutating func rootNumber(_ item: Item) -> UInt64 {
    if case .null = item { return 0 }
    let index = reference(to: item)
    if case .stored(let value) = item, let number = stored[value].number { return UInt64(number) }
    objects.append(index)
    return UInt64(objects.count - 1)
  }

  private mutating func deliver(key item: Item, to last: Int) throws(ArchiveError) {
    frames[last].hasKey = true
    switch item {
    case .null:
      builder.append(builder.add("$\(frames[last].unnamed)"))
      frames[last].unnamed += 1
    case .stored(let number) where stored[number].kind == .text:
      guard let index = stored[number].index else { return }
      if builder.openCount == 0, builder.isString("$class", at: index) {
        frames[last].awaitsClass = true
        return
      }
      let key = stored[number].key ?? self.key(index)
      stored[number].key = key
      builder.append(key)
    default:
      throw ArchiveError(
        .malformed,
        "a key of the dictionary of byte \(stored[frames[last].stored].offset) must be a string or null",
        offset: cursor.position)
    }
  }

  /// A key as keyed archives store it: those that begin with `$` get another one.
  private mutating func key(_ index: UInt32) -> UInt32 {
    guard let text = builder.string(at: index), text.utf8.first == UInt8(ascii: "$") else {
      return index
    }
    return builder.add("$" + text)
  }

  /// What stands for a value in a container: itself, or its number as an object.
  private mutating func reference(to item: Item) -> UInt32 {
    switch item {
    case .null: return builder.add(uid: 0)
    case .boolean(let index): return index
    case .stored(let value):
      if let number = stored[value].number { return builder.add(uid: UInt64(number)) }
      var index = stored[value].index
      if let known = index {
        if stored[value].kind == .number { return known }
        // A bare "$null" would be nil.
        if stored[value].kind == .text, builder.isString("$null", at: known) {
          let record = builder.add(uid: UInt64(record(of: builder.add("NSString"))))
          index = builder.add(pairs: [
            (builder.add("NS.string"), known), (builder.add("$class"), record),
          ])
        }
      }
      let number = objects.count
      stored[value].number = number
      // An open container sets it when it ends.
      objects.append(index ?? 0)
      return builder.add(uid: UInt64(number))
    }
  }

  private mutating func record(of name: UInt32) -> Int {
    if let known = classes[name] { return known }
    let chain = builder.add(list: [name])
    objects.append(
      builder.add(pairs: [(builder.add("$classname"), name), (builder.add("$classes"), chain)]))
    classes[name] = objects.count - 1
    return objects.count - 1
  }
}

// MARK: - Messages of NSXPCConnection as a format

extension Encoding {
  /// What NSXPCConnection sends: `bplist16` and `bplist17`.
  package static let xpcMessage = Encoding(
    "XPC binary property list", [.archives, .translated, .verbatimData, .vowel])
}

/// Messages of NSXPCConnection; opened within other archives, too.
enum XPCFormat: PropertyListFormat {
  static let encoding = Encoding.xpcMessage
  static let word = "xpc"

  static func opensContent(_ bytes: ByteView) -> Bool {
    bytes.starts(with: "bplist16") || bytes.starts(with: "bplist17")
  }

  static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    do {
      let (document, warnings) = try XPCReader.read(
        input.bytes, fileOffset: input.fileOffset, depth: input.options.limits.depth)
      return FormatReading(document, warnings: warnings.map { $0.shifted(by: input.fileOffset) })
    } catch {
      throw error.shifted(by: input.fileOffset)
    }
  }
}
