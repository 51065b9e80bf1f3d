// NIBArchives as the table of a keyed archive, so that everything above reads both alike.

import ArchiveBasics
import ArchiveGraph

/// Reads what UIKit's nib encoder wrote.
///
/// The values are laid out as those of a keyed archive: `$top`, whose `root` is the first object, and `$objects`, with
/// `$formatVersion` and `$coderVersion`. The elements of Foundation's collections are under the keys that keyed archives have
/// for them; strings and numbers are objects without a class, and geometry is text, as NSKeyedArchiver writes them.
struct NibReader: ~Copyable {
  let bytes: ByteView
  let header: NibHeader
  private let fileOffset: Int?
  private let keepsGroups: Bool
  var builder = GraphBuilder()
  private var keys: [NibKey] = []
  private var offsets: [UInt32] = []
  private var classes: [NibClass] = []
  /// How many values were used: those of a sound NIBArchive belong to one object each.
  private var used = 0

  /// Reads a NIBArchive.
  ///
  /// - Parameters:
  ///   - bytes: all of it, from its magic number.
  ///   - fileOffset: its position in the input file, if it is stored there in this form.
  ///   - keepsGroups: whether objects of Foundation's classes stay the values that are stored.
  /// - Throws: `ArchiveError` at the first fault; its offset counts from the first of the bytes.
  static func read(
    _ bytes: ByteView, fileOffset: Int?, keepsGroups: Bool
  ) throws(ArchiveError) -> Document {
    var reader = NibReader(
      bytes: bytes, header: try NibHeader(bytes), fileOffset: fileOffset, keepsGroups: keepsGroups)
    try reader.readLists()
    return reader.finish(try reader.objects())
  }

  private init(bytes: ByteView, header: NibHeader, fileOffset: Int?, keepsGroups: Bool) {
    self.bytes = bytes
    self.header = header
    self.fileOffset = fileOffset
    self.keepsGroups = keepsGroups
    // Either every value has a position or none: positions are counted like values.
    builder.sourceOffset = fileOffset
  }

  private consuming func finish(_ objects: [UInt32]) -> Document {
    let root = builder.add(members: [("root", builder.add(uid: 1))])
    let table = builder.add(list: objects)
    let archive = builder.add(members: [
      ("$version", builder.add(Int64(100_000))), ("$archiver", builder.add("UINibEncoder")),
      ("$formatVersion", builder.add(Int64(header.version))),
      ("$coderVersion", builder.add(Int64(header.coderVersion))), ("$top", root),
      ("$objects", table),
    ])
    return builder.finish(top: archive, encoding: .nibArchive)
  }

  // MARK: Lists

  private mutating func readLists() throws(ArchiveError) {
    classes = try NibClass.list(bytes, header.classes)
    var cursor = ByteCursor(nib: bytes, at: header.keys.offset)
    keys.reserveCapacity(header.keys.count)
    for _ in 0..<header.keys.count {
      mark(cursor.position)
      let name = try Self.key(&cursor)
      // Keyed archives store a key that begins with `$` with another one.
      let archived = name.utf8.first == UInt8(ascii: "$") ? "$" + name : name
      keys.append(NibKey(name, index: builder.add(archived)))
    }
    cursor = ByteCursor(nib: bytes, at: header.values.offset)
    offsets.reserveCapacity(header.values.count)
    for _ in 0..<header.values.count {
      offsets.append(UInt32(truncatingIfNeeded: cursor.position))
      _ = try NibValue(&cursor)
    }
  }

  private static func key(_ cursor: inout ByteCursor) throws(ArchiveError) -> String {
    let start = cursor.position
    let count = try cursor.variable("the length of a key")
    let name = try cursor.read(count, "a key")
    guard let text = String(validating: name, as: UTF8.self) else {
      throw ArchiveError(.malformed, "a key of a NIBArchive must be UTF-8", offset: start)
    }
    return text
  }

  // MARK: Objects

  /// Adds all objects, then the records of all classes.
  private mutating func objects() throws(ArchiveError) -> [UInt32] {
    var objects = [builder.add("$null")]
    objects.reserveCapacity(1 + header.objects.count + classes.count)
    var cursor = ByteCursor(nib: bytes, at: header.objects.offset)
    for _ in 0..<header.objects.count { objects.append(try object(&cursor)) }
    let names = classes.map { builder.add($0.name) }
    for (number, stored) in classes.enumerated() {
      mark(stored.offset)
      var chain = [names[number]]
      if let superclass = stored.superclassName { chain.append(builder.add(superclass)) }
      var pairs = [("$classname", names[number]), ("$classes", builder.add(list: chain))]
      if !stored.fallbacks.isEmpty {
        pairs.append(("$classhints", builder.add(list: stored.fallbacks.map { names[$0] })))
      }
      objects.append(builder.add(members: pairs))
    }
    return objects
  }

  private mutating func object(_ cursor: inout ByteCursor) throws(ArchiveError) -> UInt32 {
    let start = cursor.position
    let number = try cursor.variable("the number of a class")
    let first = try cursor.variable("the number of a value")
    let count = try cursor.variable("the number of values")
    guard number < classes.count else {
      throw ArchiveError(
        .malformed, "an object has the class \(number), but there are \(classes.count)",
        offset: start)
    }
    guard first <= offsets.count, count <= offsets.count - first else {
      throw ArchiveError(
        .malformed,
        "an object has \(count) values from \(first) on, but there are \(offsets.count)",
        offset: start)
    }
    used += count
    guard used <= offsets.count else {
      throw ArchiveError(.malformed, "objects of the NIBArchive share values", offset: start)
    }
    var values: [(key: NibKey, value: NibValue)] = []
    for location in offsets[first..<first + count] {
      let value = try value(at: Int(location))
      values.append((keys[value.key], value))
    }
    mark(start)
    return add(NibObject(role: classes[number].role, values: values), class: number)
  }

  private func value(at location: Int) throws(ArchiveError) -> NibValue {
    var cursor = ByteCursor(nib: bytes, at: location)
    let value = try NibValue(&cursor)
    guard value.key < keys.count else {
      throw ArchiveError(
        .malformed, "a value has the key \(value.key), but there are \(keys.count)",
        offset: location)
    }
    if case .object(let number) = value.content, number >= header.objects.count {
      throw ArchiveError(
        .malformed,
        "a value refers to object \(number), but there are \(header.objects.count)",
        offset: location)
    }
    return value
  }

  /// Adds an object: the value that it represents in Foundation, or else its class and its values.
  private mutating func add(_ object: NibObject, class number: Int) -> UInt32 {
    if !keepsGroups {
      switch object.scalar {
      case .text(let text): return builder.add(text)
      case .value(let value): return add(value)
      case nil: break
      }
    }
    let record = builder.add(uid: UInt64(1 + header.objects.count + number))
    var members: [(UInt32, UInt32)] = []
    if !keepsGroups, let elements = object.elements {
      members.append((builder.add("NS.objects"), builder.add(list: elements.map { add($0) })))
    } else if !keepsGroups, let (keys, values) = object.pairs {
      members.append((builder.add("NS.keys"), builder.add(list: keys.map { add($0) })))
      members.append((builder.add("NS.objects"), builder.add(list: values.map { add($0) })))
    } else {
      for (key, values, isList) in object.members {
        let added = values.map { add($0, under: key) }
        members.append((key.index, isList ? builder.add(list: added) : added[0]))
      }
    }
    return builder.add(pairs: members + [(builder.add("$class"), record)])
  }

  // MARK: Values

  /// Adds a value; the geometry of UIKit as text, unless values stay as they are stored.
  private mutating func add(_ value: NibValue, under key: NibKey? = nil) -> UInt32 {
    let object = builder.sourceOffset
    defer { builder.sourceOffset = object }
    mark(value.offset)
    if !keepsGroups, let key, let text = value.geometry(under: key) { return builder.add(text) }
    switch value.content {
    case .integer(let number): return builder.add(number)
    case .boolean(let flag): return builder.add(flag)
    case .single(let number): return builder.add(number)
    case .real(let number): return builder.add(number)
    case .data(let content): return builder.add(data: content)
    case .null: return builder.add(uid: 0)
    case .object(let number): return builder.add(uid: UInt64(number + 1))
    }
  }

  /// Records that the values which follow are from an offset.
  private mutating func mark(_ offset: Int) {
    if let fileOffset { builder.sourceOffset = fileOffset + offset }
  }
}

// MARK: - NIBArchives as a format

extension Encoding {
  /// What UIKit's nib encoder wrote: compiled interface files of iOS.
  package static let nibArchive = Encoding(
    "NIBArchive", [.archives, .translated, .verbatimData])
}

/// The compiled interface files of iOS; opened within other archives, too.
enum NibFormat: PropertyListFormat {
  static let encoding = Encoding.nibArchive
  static let word = "nib"

  static func opensContent(_ bytes: ByteView) -> Bool {
    bytes.starts(with: "NIBArchive")
  }

  static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    do {
      return FormatReading(
        try NibReader.read(
          input.bytes, fileOffset: input.fileOffset, keepsGroups: input.options.keepsGroups))
    } catch {
      throw error.shifted(by: input.fileOffset)
    }
  }
}

// MARK: - The header of a NIBArchive: two version numbers, then where each of its four lists is

/// The header, checked against the size of the input.
struct NibHeader {
  /// A list: how many entries it has, and where the first begins.
  struct List {
    let count: Int
    let offset: Int
  }

  let version: UInt32
  /// The version of the encoder: 9, or 10 in newer files.
  let coderVersion: UInt32
  let objects: List
  let keys: List
  let values: List
  let classes: List

  init(_ bytes: ByteView) throws(ArchiveError) {
    var cursor = ByteCursor(nib: bytes, at: 10)
    version = UInt32(truncatingIfNeeded: try cursor.number(4, "the version"))
    coderVersion = UInt32(truncatingIfNeeded: try cursor.number(4, "the version"))
    objects = try Self.list(&cursor, "objects", smallest: 3)
    keys = try Self.list(&cursor, "keys", smallest: 1)
    values = try Self.list(&cursor, "values", smallest: 2)
    classes = try Self.list(&cursor, "class names", smallest: 2)
    guard objects.count > 0 else {
      throw ArchiveError(.malformed, "the NIBArchive has no objects", offset: 18)
    }
  }

  /// Reads the location of a list whose entries have a smallest size.
  private static func list(
    _ cursor: inout ByteCursor, _ name: String, smallest: Int
  ) throws(ArchiveError) -> List {
    let start = cursor.position
    let count = Int(try cursor.number(4, "the number of \(name)"))
    let offset = Int(try cursor.number(4, "the offset of the \(name)"))
    let size = cursor.bytes.count
    guard offset <= size, count <= (size - offset) / smallest else {
      throw ArchiveError(
        .truncated,
        "\(count) \(name) from byte \(offset) on do not fit into the NIBArchive's \(size) bytes",
        offset: start)
    }
    return List(count: count, offset: offset)
  }
}

// MARK: - The bytes of a NIBArchive, read number by number
//
// Format facts: nibsqueeze, "NibArchive.md"; nib-archive, "lib.rs".

extension ByteCursor {
  /// Begins at an offset of a NIBArchive.
  init(nib bytes: ByteView, at position: Int) {
    self.init(bytes, at: position, of: "NIBArchive")
  }

  /// Takes a number of seven bits per byte, least significant first; the last byte has its high bit set.
  mutating func variable(_ what: String) throws(ArchiveError) -> Int {
    let start = position
    var number = 0
    for shift in stride(from: 0, to: 35, by: 7) {
      let byte = try read(1, what)[0]
      number |= Int(byte & 0x7F) << shift
      if byte & 0x80 != 0 {
        guard number <= Int(Int32.max) else { break }
        return number
      }
    }
    throw ArchiveError(.malformed, "\(what) is above 2147483647", offset: start)
  }
}
