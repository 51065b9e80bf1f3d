// NIBArchives as the table of a keyed archive, so that everything above reads both alike.

import Basics
import ObjectGraph

/// Reads what UIKit's nib encoder wrote.
///
/// The values are laid out as those of a keyed archive: `$top`, whose `root` is the first object, and `$objects`, with
/// `$formatVersion` and `$coderVersion`. The elements of Foundation's collections are under the keys that keyed archives have
/// for them; strings and numbers are objects without a class, as NSKeyedArchiver writes them.
struct NibReader: ~Copyable {
  let bytes: UnsafeRawBufferPointer
  let header: NibHeader
  private let fileOffset: Int?
  private let keepsGroups: Bool
  var builder = GraphBuilder()
  private var keys: [NibKey] = []
  /// Where each value begins.
  private var places: [UInt32] = []
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
    _ bytes: UnsafeRawBufferPointer, fileOffset: Int?, keepsGroups: Bool
  ) throws(ArchiveError) -> Document {
    var reader = NibReader(
      bytes: bytes, header: try NibHeader(bytes), fileOffset: fileOffset, keepsGroups: keepsGroups)
    try reader.readLists()
    return reader.finish(try reader.objects())
  }

  private init(
    bytes: UnsafeRawBufferPointer, header: NibHeader, fileOffset: Int?, keepsGroups: Bool
  ) {
    self.bytes = bytes
    self.header = header
    self.fileOffset = fileOffset
    self.keepsGroups = keepsGroups
    // Either every value has a position or none: positions are counted like values.
    builder.sourceOffset = fileOffset
  }

  private consuming func finish(_ objects: [UInt32]) -> Document {
    let root = dictionary([("root", builder.add(uid: 1))])
    let table = list(objects)
    let archive = dictionary([
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
    var cursor = NibCursor(bytes, at: header.keys.offset)
    keys.reserveCapacity(header.keys.count)
    for _ in 0..<header.keys.count {
      mark(cursor.position)
      let name = try Self.key(&cursor)
      keys.append(NibKey(name, index: builder.add(Self.archived(key: name))))
    }
    cursor = NibCursor(bytes, at: header.values.offset)
    places.reserveCapacity(header.values.count)
    for _ in 0..<header.values.count {
      places.append(UInt32(truncatingIfNeeded: cursor.position))
      _ = try NibValue(&cursor)
    }
  }

  private static func key(_ cursor: inout NibCursor) throws(ArchiveError) -> String {
    let start = cursor.position
    let count = try cursor.variable("the length of a key")
    let name = try cursor.take(count, "a key")
    guard let text = String(validating: name, as: UTF8.self) else {
      throw ArchiveError(.malformed, "a key of a NIBArchive must be UTF-8", offset: start)
    }
    return text
  }

  /// A key as keyed archives store it: those that begin with `$` get another one.
  private static func archived(key: String) -> String {
    key.utf8.first == UInt8(ascii: "$") ? "$" + key : key
  }

  // MARK: Objects

  /// Adds all objects, then the records of all classes.
  private mutating func objects() throws(ArchiveError) -> [UInt32] {
    var objects = [builder.add("$null")]
    objects.reserveCapacity(1 + header.objects.count + classes.count)
    var cursor = NibCursor(bytes, at: header.objects.offset)
    for _ in 0..<header.objects.count { objects.append(try object(&cursor)) }
    let names = classes.map { builder.add($0.name) }
    for (number, stored) in classes.enumerated() {
      mark(stored.offset)
      var chain = [names[number]]
      if let superclass = stored.superclassName { chain.append(builder.add(superclass)) }
      var pairs = [("$classname", names[number]), ("$classes", list(chain))]
      if !stored.fallbacks.isEmpty {
        pairs.append(("$classhints", list(stored.fallbacks.map { names[$0] })))
      }
      objects.append(dictionary(pairs))
    }
    return objects
  }

  private mutating func object(_ cursor: inout NibCursor) throws(ArchiveError) -> UInt32 {
    let start = cursor.position
    let number = try cursor.variable("the number of a class")
    let first = try cursor.variable("the number of a value")
    let count = try cursor.variable("the number of values")
    guard number < classes.count else {
      throw ArchiveError(
        .malformed, "an object has the class \(number), but there are \(classes.count)",
        offset: start)
    }
    guard first <= places.count, count <= places.count - first else {
      throw ArchiveError(
        .malformed, "an object has \(count) values from \(first) on, but there are \(places.count)",
        offset: start)
    }
    used += count
    guard used <= places.count else {
      throw ArchiveError(.malformed, "objects of the NIBArchive share values", offset: start)
    }
    var values: [(key: NibKey, value: NibValue)] = []
    for place in places[first..<first + count] {
      let value = try value(at: Int(place))
      values.append((keys[value.key], value))
    }
    mark(start)
    return add(NibObject(role: classes[number].role, values: values), class: number)
  }

  private func value(at place: Int) throws(ArchiveError) -> NibValue {
    var cursor = NibCursor(bytes, at: place)
    let value = try NibValue(&cursor)
    guard value.key < keys.count else {
      throw ArchiveError(
        .malformed, "a value has the key \(value.key), but there are \(keys.count)", offset: place)
    }
    if case .object(let number) = value.content, number >= header.objects.count {
      throw ArchiveError(
        .malformed,
        "a value refers to object \(number), but there are \(header.objects.count)", offset: place)
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
      members.append((builder.add("NS.objects"), list(elements.map { add($0) })))
    } else if !keepsGroups, let (keys, values) = object.pairs {
      members.append((builder.add("NS.keys"), list(keys.map { add($0) })))
      members.append((builder.add("NS.objects"), list(values.map { add($0) })))
    } else {
      for (key, values, isList) in object.members {
        let added = values.map { add($0) }
        members.append((key.index, isList ? list(added) : added[0]))
      }
    }
    members.append((builder.add("$class"), record))
    return dictionary(members)
  }

  // MARK: Values

  private mutating func add(_ value: NibValue) -> UInt32 {
    let object = builder.sourceOffset
    defer { builder.sourceOffset = object }
    mark(value.offset)
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

  private mutating func list(_ values: [UInt32]) -> UInt32 {
    builder.open()
    for value in values { builder.append(value) }
    return builder.close()
  }

  private mutating func dictionary(_ pairs: [(String, UInt32)]) -> UInt32 {
    dictionary(pairs.map { (builder.add($0.0), $0.1) })
  }

  private mutating func dictionary(_ pairs: [(UInt32, UInt32)]) -> UInt32 {
    builder.open()
    for (key, value) in pairs {
      builder.append(key)
      builder.append(value)
    }
    return builder.closeDictionary()
  }
}
