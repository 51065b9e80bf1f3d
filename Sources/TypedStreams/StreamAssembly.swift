// Objects of a typedstream put into the table of a keyed archive.

import Basics
import ObjectGraph

/// Builds the stored values.
struct StreamAssembly: ~Copyable {
  /// A key that very many objects have.
  enum Key: Int, CaseIterable {
    case `class`, objects, keys, string

    var text: String {
      switch self {
      case .class: "$class"
      case .objects: "NS.objects"
      case .keys: "NS.keys"
      case .string: "NS.string"
      }
    }
  }

  let tables: StreamTables
  private let layout: TypedStreamReader.Layout
  /// The layouts of the classes, in the stream's order.
  private let layouts: [StreamLayout?]
  private let stream: UnsafeRawBufferPointer
  private let fileOffset: Int?
  private(set) var builder = GraphBuilder()
  /// For each number in `$objects` its stored value.
  private var objects: [UInt32] = []
  /// For each number in `$objects` of an object of the stream the value of its UID; 0 before there is one.
  private var uids: [UInt32]
  private var classNumbers: [Int: UInt32] = [:]
  /// For each class the UID of its record; 0 before there is one.
  private var classUIDs: [UInt32]
  /// The indexes of the keys; 0 before there is one.
  private var keys = [UInt32](repeating: 0, count: Key.allCases.count)
  /// The UID of NSArray's class record, if an array was added.
  private var arrayClass: UInt32?
  /// Long texts that were added, by their addresses: many values may share one.
  private var texts: [UnsafeRawPointer: (count: Int, index: UInt32)] = [:]
  /// The same of NSMutableData.
  private var dataClass: UInt32?

  init(
    _ tables: consuming StreamTables, _ layout: TypedStreamReader.Layout,
    of stream: UnsafeRawBufferPointer, fileOffset: Int?
  ) {
    self.stream = stream
    self.layout = layout
    self.fileOffset = fileOffset
    layouts = tables.classes.map { layout.layouts?[$0.name] }
    uids = [UInt32](repeating: 0, count: tables.objects.count + 1)
    classUIDs = [UInt32](repeating: 0, count: tables.classes.count)
    self.tables = tables
    // Either every value has a position or none: positions are counted like values.
    builder.sourceOffset = fileOffset
    objects.append(builder.add("$null"))
  }

  /// The document; the objects are numbered from 1 in the stream's order, the classes follow.
  mutating func document() -> Document {
    objects += [UInt32](repeating: 0, count: tables.objects.count)
    for number in 0..<tables.objects.count {
      let object = tables.objects[number].pointee
      if let fileOffset { builder.sourceOffset = fileOffset + object.offset }
      objects[number + 1] = add(object)
    }
    builder.sourceOffset = fileOffset
    let top = addTops()
    let table = addList(objects)
    let archive = addDictionary([
      ("$version", builder.add(Int64(100_000))), ("$archiver", builder.add("NSArchiver")),
      ("$streamVersion", builder.add(Int64(tables.version))),
      ("$systemVersion", builder.add(tables.systemVersion)),
      ("$byteOrder", builder.add(tables.isBigEndian ? "big" : "little")), ("$top", top),
      ("$objects", table),
    ])
    var finished = GraphBuilder(capacity: 16)
    swap(&finished, &builder)
    return finished.finish(top: archive, encoding: .typedStream)
  }

  /// One object is the root; anything else is listed value by value, with the types of its groups.
  private mutating func addTops() -> UInt32 {
    let groups = tables.topGroups
    if layout.layouts != nil, groups.count == 1, groups[0].values.count == 1,
      case .object = tables.values(of: groups[0])[0]
    {
      return addDictionary([("root", add(tables.values(of: groups[0])[0]))])
    }
    return addGroups(groups, ofClass: nil, before: [])
  }

  // MARK: Objects

  private mutating func add(_ object: StreamObject) -> UInt32 {
    if !object.isCut || object.endsInText, let number = object.classNumber,
      let translated = layouts[number]?.add(object, &self)
    {
      return translated
    }
    return addGroups(
      tables.groups(of: object), ofClass: object.classNumber,
      before: object.isCut ? [("$lost", builder.add("the stream ends in it"))] : [])
  }

  /// The class of an object as a pair, if it has one.
  mutating func classPair(_ number: Int?) -> [(String, UInt32)] {
    guard let number else { return [] }
    return [("$class", classUID(number))]
  }

  private mutating func addGroups(
    _ groups: UnsafeBufferPointer<StreamGroup>, ofClass number: Int?,
    before rest: [(String, UInt32)]
  ) -> UInt32 {
    var pairs = classPair(number)
    let types = groups.map { tables.encodedTypes(of: $0).map(\.text).joined() }
    pairs.append(("$types", builder.add(types.joined(separator: " "))))
    for group in groups {
      for value in tables.values(of: group) {
        pairs.append(("$\(pairs.count - (number == nil ? 1 : 2))", add(value)))
      }
    }
    return addDictionary(pairs + rest)
  }

  /// Adds the dictionary of an object that has one key beside its class.
  mutating func addObject(
    _ key: Key, _ value: UInt32, ofClass number: Int?
  ) -> UInt32 {
    let record = number.map { classUID($0) }
    let index = keyIndex(key)
    let classIndex = record == nil ? 0 : keyIndex(.class)
    builder.open()
    append(index, value)
    if let record { append(classIndex, record) }
    return builder.closeDictionary()
  }

  /// Adds the dictionary of an object that has keys and values beside its class.
  mutating func addObject(
    keys: UInt32, values: UInt32, ofClass number: Int?
  ) -> UInt32 {
    let record = number.map { classUID($0) }
    let (first, second) = (keyIndex(.keys), keyIndex(.objects))
    let classIndex = record == nil ? 0 : keyIndex(.class)
    builder.open()
    append(first, keys)
    append(second, values)
    if let record { append(classIndex, record) }
    return builder.closeDictionary()
  }

  private mutating func append(_ key: UInt32, _ value: UInt32) {
    builder.append(key)
    builder.append(value)
  }

  private mutating func keyIndex(_ key: Key) -> UInt32 {
    if keys[key.rawValue] == 0 { keys[key.rawValue] = builder.add(key.text) }
    return keys[key.rawValue]
  }

  /// The UID of a class's record.
  private mutating func classUID(_ number: Int) -> UInt32 {
    if classUIDs[number] == 0 { classUIDs[number] = builder.add(uid: UInt64(classNumber(number))) }
    return classUIDs[number]
  }

  /// Adds an array of the values of some groups, or of every `step`-th from the `first` on.
  mutating func addList(
    _ groups: Slice<UnsafeBufferPointer<StreamGroup>>, first: Int = 0, step: Int = 1
  ) -> UInt32 {
    builder.open()
    var left = first
    for group in groups {
      for value in tables.values(of: group) {
        if left == 0 {
          builder.append(add(value))
          left = step
        }
        left &-= 1
      }
    }
    return builder.close()
  }

  private mutating func classNumber(_ number: Int) -> UInt32 {
    if let known = classNumbers[number] { return known }
    let chain = tables.classes.chain(of: number)
    let names = addList(chain.map { builder.add($0.name) })
    let versions = addList(chain.map { builder.add($0.version) })
    let record = addDictionary([
      ("$classname", builder.add(chain[0].name)), ("$classes", names), ("$versions", versions),
    ])
    objects.append(record)
    let index = UInt32(truncatingIfNeeded: objects.count - 1)
    classNumbers[number] = index
    return index
  }

  /// Adds an object that the stream does not have, for classes whose keys need one.
  ///
  /// - Returns: its UID.
  mutating func addObject(_ stored: UInt32) -> UInt32 {
    objects.append(stored)
    return builder.add(uid: UInt64(objects.count - 1))
  }

  /// The same for an array: an NSArray.
  mutating func addArrayObject(_ values: [StreamItem]) -> UInt32 {
    let list = addList(values.map { add($0) })
    let record = arrayClass ?? addClass("NSArray", "NSObject")
    arrayClass = record
    return addObject(addDictionary([("NS.objects", list), ("$class", record)]))
  }

  /// The same for bytes: an NSMutableData, which Foundation keeps those of attributed strings in.
  mutating func addDataObject(_ bytes: [UInt8]) -> UInt32 {
    let data = add(data: bytes)
    let record = dataClass ?? addClass("NSMutableData", "NSData", "NSObject")
    dataClass = record
    return addObject(addDictionary([("NS.data", data), ("$class", record)]))
  }

  /// Adds the record of a class that the stream does not have, with those that it derives from.
  private mutating func addClass(_ chain: String...) -> UInt32 {
    let names = addList(chain.map { builder.add($0) })
    return addObject(addDictionary([("$classname", builder.add(chain[0])), ("$classes", names)]))
  }

  // MARK: Values

  /// Adds an inline value; an object is the UID of its number.
  mutating func add(_ value: StreamItem) -> UInt32 {
    switch value {
    case .null: return builder.add(uid: 0)
    case .lost: return addDictionary([("$lost", builder.add("the stream ends before it"))])
    case .boolean(let flag): return builder.add(flag)
    case .integer(let number): return builder.add(number)
    case .unsigned(let number): return builder.add(unsigned: number)
    case .single(let number): return builder.add(number)
    case .real(let number): return builder.add(number)
    case .text(let bytes): return addText(bytes)
    case .data(let bytes): return add(stored: bytes)
    case .object(let number):
      if uids[number + 1] == 0 { uids[number + 1] = builder.addNew(uid: UInt64(number + 1)) }
      return uids[number + 1]
    case .type(let number): return builder.add(uid: UInt64(classNumber(number)))
    // Types nest to a bounded depth (`EncodedType`), and so do these.
    case .array(let range), .structure(let range):
      builder.open()
      for value in tables.values(range) { builder.append(add(value)) }
      return builder.close()
    }
  }

  /// Adds bytes of the stream, with their own position: values inside them are located relative to it.
  private mutating func add(stored bytes: UnsafeRawBufferPointer) -> UInt32 {
    let place = builder.sourceOffset
    defer { builder.sourceOffset = place }
    if let fileOffset, let start = stream.baseAddress, let base = bytes.baseAddress,
      (0..<stream.count).contains(base - start)
    {
      builder.sourceOffset = fileOffset + (base - start)
    }
    return builder.add(data: bytes)
  }

  /// Adds UTF-8, or bytes in the encoding of an older system, which are read as Latin-1.
  mutating func addText(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    guard bytes.count >= 64, let base = bytes.baseAddress else { return addNewText(bytes) }
    if let known = texts[base], known.count == bytes.count { return known.index }
    let index = addNewText(bytes)
    texts[base] = (bytes.count, index)
    return index
  }

  private mutating func addNewText(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    if tables.cut == nil, bytes.isASCII { return builder.add(ascii: bytes) }
    if let cut = tables.cut, cut.bytes.baseAddress == bytes.baseAddress,
      cut.bytes.count == bytes.count
    {
      return builder.add(cut.text)
    }
    if let string = String(validating: bytes, as: UTF8.self) { return builder.add(string) }
    return builder.add(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })))
  }

  /// Adds an array of added values.
  mutating func addList(_ values: [UInt32]) -> UInt32 {
    builder.open()
    for value in values { builder.append(value) }
    return builder.close()
  }

  /// Adds a dictionary of added values.
  mutating func addDictionary(_ pairs: [(String, UInt32)]) -> UInt32 {
    let keys = pairs.map { builder.add($0.0) }
    builder.open()
    for (key, pair) in zip(keys, pairs) {
      builder.append(key)
      builder.append(pair.1)
    }
    return builder.closeDictionary()
  }

  // MARK: Scalars for translations

  /// Adds a number.
  mutating func add(real: Double) -> UInt32 { builder.add(real) }

  /// Adds a string.
  mutating func add(string: String) -> UInt32 { builder.add(string) }

  /// Adds bytes.
  mutating func add(data: [UInt8]) -> UInt32 { data.withUnsafeBytes { builder.add(data: $0) } }
}
