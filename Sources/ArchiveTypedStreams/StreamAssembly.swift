// Objects of a typedstream put into the table of a keyed archive.

import ArchiveBasics
import ArchiveGraph

/// Builds the stored values.
struct StreamAssembly: ~Copyable, StreamConsumer {
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

  /// An object that the stream does not have.
  ///
  /// They are numbered after those of the stream, in the order in which the first objects need them.
  private struct Extra {
    enum Content {
      /// The record of a class of the stream.
      case type(Int)
      /// The record of a class that only keyed archives need, with those that it derives from.
      case names([String])
      /// A stored value.
      case stored(UInt32)
    }

    /// The first object that needs it, where that begins, and how many it needs before.
    var owner: (number: Int, offset: Int, order: Int)
    /// The value of its UID, without a number until all are known.
    let uid: UInt32
    var content: Content
  }

  /// The layouts by the names of the classes; nil where all objects stay groups of values.
  private let layoutsByName: [String: StreamLayout]?
  /// The layouts of the classes, in the stream's order, as far as objects had them; the names keep them.
  private var layouts: [Unmanaged<StreamLayout>?] = []
  let stream: ByteView
  private let fileOffset: Int?
  private let encoding: Encoding
  /// Whether objects stay groups of values that the encoder would not write as they are.
  private let isForEditing: Bool
  /// Whether objects have the names of their fields, as far as their classes are known.
  private let namesFields: Bool
  /// What the objects of each class write, then.
  private var fieldSteps: [Int: [FieldLayout.Step]] = [:]
  private(set) var builder = GraphBuilder(capacity: 1 << 16)
  /// For each object of the stream its stored value; 0 before there is one.
  private var objects = RawStack<UInt32>()
  /// For each object of the stream the value of its UID; 0 before there is one.
  private var uids = RawStack<UInt32>()
  /// For each object of the stream a bit: whether it ended as a scalar.
  ///
  /// To look at the values themselves would be to wait for the memory at each reference.
  private var scalars = RawStack<UInt64>()
  private var extras: [Extra] = []
  /// The object that is added, where it begins, and how many extras it needed.
  private var owner = Self.noOwner
  /// For each class its record among the extras; -1 before there is one.
  private var classRecords: [Int] = []
  /// The indexes of the keys; 0 before there is one.
  private var keys = [UInt32](repeating: 0, count: Key.allCases.count)
  /// The records of NSArray and NSMutableData among the extras, if one was added.
  private var arrayRecord: Int?
  private var dataRecord: Int?
  /// Long texts that were added, by their addresses: many values may share one.
  private var texts: [UnsafeRawPointer: (count: Int, index: UInt32)] = [:]

  /// Whether each container that was added has one holder, and none of them is data that may be an archive.
  private var isTree = true

  /// What belongs to no object comes after all objects.
  private static let noOwner = (number: Int.max, offset: 0, order: 0)

  init(
    _ layouts: [String: StreamLayout]?, of stream: ByteView, fileOffset: Int?,
    encoding: Encoding = .typedStream, forEditing: Bool = false
  ) {
    isForEditing = forEditing
    self.stream = stream
    self.encoding = encoding
    namesFields = layouts != nil && encoding == .gnustepArchive
    layoutsByName = layouts
    self.fileOffset = fileOffset
    // Either every value has a position or none: positions are counted like values.
    builder.sourceOffset = fileOffset
    // Objects come in the order of their ends; a value that several have is where the first of them begins.
    builder.keepsFirstSource = true
    objects.push(builder.add("$null"))
    uids.push(0)
  }

  /// The document; the objects are numbered from 1 in the stream's order, the others follow.
  ///
  /// - Parameter depth: how deep objects and groups were nested at most, if nothing of the stream is lost.
  mutating func document(_ tables: inout StreamTables, depth: Int? = nil) -> Document {
    makeRoom(for: tables.objectCount)
    finishExtras(from: 0, tables.classes)
    owner = Self.noOwner
    builder.sourceOffset = fileOffset
    builder.keepsFirstSource = false
    let known = extras.count
    let top = addTops(&tables)
    finishExtras(from: known, tables.classes)
    builder.sourceOffset = fileOffset
    let others = extras.compactMap { extra in
      if case .stored(let value) = extra.content { value } else { nil }
    }
    builder.open()
    for value in objects.values(from: 0) { builder.append(value) }
    for value in others { builder.append(value) }
    let table = builder.close()
    let archive = addDictionary([
      ("$version", builder.add(Int64(100_000))), ("$archiver", builder.add("NSArchiver")),
      ("$streamVersion", builder.add(Int64(tables.version))),
      ("$systemVersion", builder.add(tables.systemVersion)),
      ("$byteOrder", builder.add(tables.isBigEndian ? "big" : "little")), ("$top", top),
      ("$objects", table),
    ])
    var finished = GraphBuilder(capacity: 16)
    swap(&finished, &builder)
    var document = finished.finish(top: archive, encoding: encoding)
    // An object and the group that holds it are one container here.
    document.treeDepth = isTree ? depth : nil
    return document
  }

  /// One object is the root; anything else is listed value by value, with the types of its groups.
  private mutating func addTops(_ tables: inout StreamTables) -> UInt32 {
    let groups = tables.topGroups
    if layoutsByName != nil, groups.count == 1, groups[0].values.count == 1,
      case .object = tables.value(of: groups[0])
    {
      return addDictionary([("root", add(tables.value(of: groups[0]), &tables))])
    }
    if layoutsByName != nil, !isForEditing, let list = addColorList(groups, &tables) {
      return addDictionary([("root", list)])
    }
    return addGroups(groups, &tables, ofClass: nil, before: [])
  }

  /// A color list as the color panel writes it, without its class; nil for other groups.
  ///
  /// `i` is 1, `@i` the name and the number of colors, and each `@@` a color and its name.
  private mutating func addColorList(
    _ groups: UnsafeBufferPointer<StreamGroup>, _ tables: inout StreamTables
  ) -> UInt32? {
    guard groups.count > 2, groups[0].letter == UInt8(ascii: "i"),
      case .integer(1) = tables.value(of: groups[0])
    else { return nil }
    let head = Array(tables.values(groups[1].values))
    guard head.count == 2, case .integer(let count) = head[1], count == groups.count - 2,
      groups[2...].allSatisfy({ $0.values.count == 2 && tables.isOfObjects($0) })
    else { return nil }
    let values = groups[2...].map { Array(tables.values($0.values)) }
    var pairs = [("NSKeys", addArrayObject(values.map { $0[1] }, &tables))]
    pairs.append(("NSColors", addArrayObject(values.map { $0[0] }, &tables)))
    switch head[0] {
    case .object: pairs.insert(("NSName", add(head[0], &tables)), at: 0)
    case .null: break
    default: return nil
    }
    return addObject(
      addDictionary(pairs + [("$class", record(nil, "NSColorList", "NSObject").uid)]))
  }

  // MARK: Objects that the stream does not have

  /// Numbers the last of them, and adds the records of classes among them.
  private mutating func finishExtras(from first: Int, _ classes: [TypedClass]) {
    let last = extras[first...].sorted {
      ($0.owner.number, $0.owner.order) < ($1.owner.number, $1.owner.order)
    }
    extras.replaceSubrange(first..., with: last)
    for index in first..<extras.count {
      if let fileOffset { builder.sourceOffset = fileOffset + extras[index].owner.offset }
      switch extras[index].content {
      case .type(let number):
        classRecords[number] = index
        let chain = classes.chain(of: number)
        let versions = chain.map(\.version)
        extras[index].content = .stored(addRecord(chain.map(\.name), versions: versions))
      case .names(let names): extras[index].content = .stored(addRecord(names))
      case .stored: break
      }
      builder.setUID(extras[index].uid, UInt64(objects.count + index))
    }
  }

  /// Adds a class's record: its name and those of the classes that it derives from.
  private mutating func addRecord(_ names: [String], versions: [Int64]? = nil) -> UInt32 {
    let list = builder.add(list: names.map { builder.add($0) })
    let numbers = versions.map { builder.add(list: $0.map { builder.add($0) }) }
    var pairs = [("$classname", builder.add(names[0])), ("$classes", list)]
    if let numbers { pairs.append(("$versions", numbers)) }
    return addDictionary(pairs)
  }

  /// Adds one that the object that is added needs.
  ///
  /// - Returns: its place among the extras.
  private mutating func addExtra(_ content: Extra.Content) -> Int {
    if case .stored = content { isTree = false }
    extras.append(Extra(owner: owner, uid: builder.addUnsetUID(), content: content))
    owner.order += 1
    return extras.count - 1
  }

  /// Says that the object that is added needs one that is there.
  private mutating func need(_ index: Int) {
    guard owner.number < extras[index].owner.number else { return }
    extras[index].owner = owner
    owner.order += 1
  }

  private mutating func classUID(_ number: Int) -> UInt32 {
    while classRecords.count <= number { classRecords.append(-1) }
    if classRecords[number] < 0 {
      classRecords[number] = addExtra(.type(number))
    } else {
      need(classRecords[number])
    }
    return extras[classRecords[number]].uid
  }

  /// Adds an object that the stream does not have, for classes whose keys need one.
  ///
  /// - Returns: its UID.
  mutating func addObject(_ stored: UInt32) -> UInt32 {
    extras[addExtra(.stored(stored))].uid
  }

  /// The same for an array: an NSArray.
  mutating func addArrayObject(
    _ values: [StreamValue], _ tables: inout StreamTables
  ) -> UInt32 {
    let list = builder.add(list: values.map { add($0, &tables) })
    let record = record(arrayRecord, "NSArray", "NSObject")
    arrayRecord = record.index
    return addObject(addDictionary([("NS.objects", list), ("$class", record.uid)]))
  }

  /// The same for bytes: an NSMutableData, which Foundation keeps those of attributed strings in.
  mutating func addDataObject(_ bytes: [UInt8]) -> UInt32 {
    let data = add(data: bytes)
    let record = record(dataRecord, "NSMutableData", "NSData", "NSObject")
    dataRecord = record.index
    return addObject(addDictionary([("NS.data", data), ("$class", record.uid)]))
  }

  /// The record of a class that the stream does not have: its place among the extras if it was added, and its UID.
  private mutating func record(
    _ known: Int?, _ names: String...
  ) -> (index: Int, uid: UInt32) {
    let index = known ?? addExtra(.names(names))
    if known != nil { need(index) }
    return (index, extras[index].uid)
  }

  // MARK: Objects

  mutating func receive(_ object: StreamObject, _ tables: inout StreamTables) {
    makeRoom(for: tables.objectCount)
    if let fileOffset { builder.sourceOffset = fileOffset + object.offset }
    owner = (object.number, object.offset, 0)
    let stored = add(object, &tables)
    objects[object.number + 1].pointee = stored
    if builder.isScalar(at: stored) {
      scalars[object.number >> 6].pointee |= 1 << (object.number & 63)
    }
  }

  /// Starts to load what the first values of an object that is received soon are looked for in.
  mutating func prefetch(_ object: StreamObject, _ tables: inout StreamTables) {
    for group in tables.groups(object.groups) {
      for value in tables.values(group.values).prefix(16) {
        switch value {
        case .object(let number) where number &+ 1 < uids.count:
          prefetchMemory(at: uids[number &+ 1])
        case .integer(let number): builder.prefetch(number)
        case .real(let number): builder.prefetch(number)
        default: break
        }
      }
    }
  }

  /// The value of the UID of an object of the stream, which began: the parser counts it before it is referred to, and
  /// `receive` makes places for all that are counted.
  @inline(__always)
  private mutating func uid(ofObject number: Int) -> UInt32 {
    let known = uids[number &+ 1].pointee
    if known != 0 {
      // An object that is still open is no scalar, and may come to hold itself.
      if scalars[number >> 6].pointee & 1 << (number & 63) == 0 { isTree = false }
      return builder.known(known)
    }
    let index = builder.addNew(uid: UInt64(number &+ 1))
    uids[number &+ 1].pointee = index
    return index
  }

  /// Makes places for all objects that began.
  @inline(__always)
  private mutating func makeRoom(for count: Int) {
    while objects.count <= count {
      objects.push(0)
      uids.push(0)
      if objects.count > scalars.count &* 64 { scalars.push(0) }
    }
  }

  private mutating func add(_ object: StreamObject, _ tables: inout StreamTables) -> UInt32 {
    if !object.isCut || object.endsInText, let number = object.classNumber,
      let layout = layoutOfClass(number, &tables),
      !isForEditing
        || StreamLayout.isAsEncoded(object, ofClass: tables.classes[number].name, &tables),
      let translated = layout._withUnsafeGuaranteedRef({ $0.add(object, &tables, &self) })
    {
      return translated
    }
    if namesFields, let number = object.classNumber {
      return addFields(of: object, number, &tables)
    }
    return addGroups(
      tables.groups(object.groups), &tables, ofClass: object.classNumber,
      before: object.isCut ? [("$lost", builder.add("the stream ends in it"))] : [])
  }

  /// Adds an object of a GNUstep archive with the names of its fields; other values keep their numbers.
  private mutating func addFields(
    of object: StreamObject, _ type: Int, _ tables: inout StreamTables
  ) -> UInt32 {
    let groups = tables.groups(object.groups)
    let values = groups.map { tables.value(of: $0) }
    let classes = tables.classes
    let known = fieldSteps[type] ?? GNUstepLayouts.steps(of: type, classes)
    fieldSteps[type] = known
    let (fields, count) = NamedField.fields(
      known, groups.map { tables.encodedTypes(of: $0).first?.letter ?? 0 },
      integer: { number in
        switch values[number] {
        case .integer(let integer): integer
        case .boolean(let flag): flag ? 1 : 0
        default: nil
        }
      },
      classFields: { number in
        guard case .type(let type) = values[number] else { return [] }
        return GNUstepLayouts.steps(of: type, classes)
      })
    var pairs = classPair(type)
    for (position, field) in fields.enumerated() {
      pairs.append(add(field, values, at: position, &tables))
    }
    for number in values.indices[count...] {
      pairs.append(("$\(number)", add(values[number], &tables)))
    }
    return addDictionary(pairs)
  }

  private mutating func add(
    _ field: NamedField, _ values: [StreamValue], at position: Int, _ tables: inout StreamTables
  ) -> (String, UInt32) {
    switch field.content {
    case .value(let number), .text(let number):
      return (field.name ?? "$\(number)", add(values[number], &tables))
    case .geometry(let first, let count, let isStructure):
      let parts = isStructure ? [values[first]] : Array(values[first...].prefix(count))
      let numbers = StreamLayout.flat(parts, &tables).compactMap { $0 }
      let text = numbers.count == count ? geometryText(numbers) : nil
      let value = text.map { addObject(builder.add($0)) } ?? add(values[first], &tables)
      return (field.name ?? "$\(first)", value)
    case .rows(let rows):
      var list: [UInt32] = []
      for row in rows {
        var pairs: [(String, UInt32)] = []
        for (position, field) in row.enumerated() {
          pairs.append(add(field, values, at: position, &tables))
        }
        list.append(pairs.count == 1 ? pairs[0].1 : addDictionary(pairs))
      }
      return (field.name ?? "rows", builder.add(list: list))
    }
  }

  private mutating func layoutOfClass(
    _ number: Int, _ tables: inout StreamTables
  ) -> Unmanaged<StreamLayout>? {
    while layouts.count <= number {
      let name = tables.classes[layouts.count].name
      let isWritten =
        !isForEditing
        || tables.classes.chain(of: layouts.count).map { "\($0.name):\($0.version)" }
          == StreamLayout.chains[name]
      layouts.append(isWritten ? layoutsByName?[name].map(Unmanaged.passUnretained) : nil)
    }
    return layouts[number]
  }

  /// The class of an object as a pair, if it has one.
  mutating func classPair(_ number: Int?) -> [(String, UInt32)] {
    guard let number else { return [] }
    return [("$class", classUID(number))]
  }

  private mutating func addGroups(
    _ groups: UnsafeBufferPointer<StreamGroup>, _ tables: inout StreamTables,
    ofClass number: Int?, before rest: [(String, UInt32)]
  ) -> UInt32 {
    var pairs = classPair(number)
    var types: [String] = []
    for group in groups { types.append(tables.encodedTypes(of: group).map(\.text).joined()) }
    pairs.append(("$types", builder.add(types.joined(separator: " "))))
    for group in groups {
      for value in tables.values(group.values) {
        pairs.append(("$\(pairs.count - (number == nil ? 1 : 2))", add(value, &tables)))
      }
    }
    return addDictionary(pairs + rest)
  }

  /// Adds the dictionary of an object that has one or two keys beside its class.
  mutating func addObject(
    _ key: Key, _ value: UInt32, and other: (key: Key, value: UInt32)? = nil,
    ofClass number: Int?
  ) -> UInt32 {
    let record = number.map { classUID($0) }
    let index = keyIndex(key)
    let otherIndex = other.map { keyIndex($0.key) }
    let classIndex = record == nil ? 0 : keyIndex(.class)
    builder.open()
    append(index, value)
    if let other, let otherIndex { append(otherIndex, other.value) }
    if let record { append(classIndex, record) }
    return builder.closeDictionary()
  }

  private mutating func append(_ key: UInt32, _ value: UInt32) {
    builder.append(key)
    builder.append(value)
  }

  private mutating func keyIndex(_ key: Key) -> UInt32 {
    let index = keys[key.rawValue]
    if index == 0 {
      keys[key.rawValue] = builder.add(key.text)
      return keys[key.rawValue]
    }
    return builder.known(index)
  }

  /// Adds an array of the values of some groups, or of every `step`-th from the `first` on.
  mutating func addList(
    _ groups: Slice<UnsafeBufferPointer<StreamGroup>>, _ tables: inout StreamTables,
    first: Int = 0, step: Int = 1
  ) -> UInt32 {
    builder.open()
    var left = first
    for group in groups {
      for value in tables.values(group.values) {
        left &-= 1
        guard left < 0 else { continue }
        left = step &- 1
        if case .object(let number) = value {
          builder.append(uid(ofObject: number))
        } else {
          builder.append(add(value, &tables))
        }
      }
    }
    return builder.close()
  }

  // MARK: Values

  /// Adds an inline value; an object is the UID of its number.
  mutating func add(_ value: StreamValue, _ tables: inout StreamTables) -> UInt32 {
    switch value {
    case .null: return builder.add(uid: 0)
    case .lost: return addDictionary([("$lost", builder.add("the stream ends before it"))])
    case .boolean(let flag): return builder.add(flag)
    case .integer(let number): return builder.add(number)
    case .unsigned(let number): return builder.add(unsigned: number)
    case .single(let number): return builder.add(number)
    case .real(let number): return builder.add(number)
    case .text(let bytes): return addText(bytes, &tables)
    case .data(let bytes): return add(stored: bytes)
    case .object(let number): return uid(ofObject: number)
    case .type(let number):
      isTree = false
      return classUID(number)
    // Types nest to a bounded depth (`EncodedType`), and so do these.
    case .array(let range), .structure(let range):
      builder.open()
      for value in tables.values(range) { builder.append(add(value, &tables)) }
      return builder.close()
    }
  }

  /// Adds bytes of the stream, with their own position: values inside them are located relative to it.
  private mutating func add(stored bytes: ByteView) -> UInt32 {
    isTree = false
    let offset = builder.sourceOffset
    defer { builder.sourceOffset = offset }
    if let fileOffset, let start = stream.baseAddress, let base = bytes.baseAddress,
      (0..<stream.count).contains(base - start)
    {
      builder.sourceOffset = fileOffset + (base - start)
    }
    return builder.add(data: bytes)
  }

  /// Adds UTF-8, or bytes in the encoding of an older system, which are read as Latin-1.
  mutating func addText(_ bytes: ByteView, _ tables: inout StreamTables) -> UInt32 {
    guard bytes.count >= 64, let base = bytes.baseAddress else { return addNewText(bytes, &tables) }
    if let known = texts[base], known.count == bytes.count { return builder.known(known.index) }
    let index = addNewText(bytes, &tables)
    texts[base] = (bytes.count, index)
    return index
  }

  private mutating func addNewText(_ bytes: ByteView, _ tables: inout StreamTables) -> UInt32 {
    if tables.cut == nil, bytes.isASCII { return builder.add(ascii: bytes) }
    if let cut = tables.cut, cut.bytes.baseAddress == bytes.baseAddress,
      cut.bytes.count == bytes.count
    {
      return builder.add(cut.text)
    }
    if let index = builder.add(utf8: bytes) { return index }
    return builder.add(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })))
  }

  mutating func addDictionary(_ pairs: [(String, UInt32)]) -> UInt32 {
    builder.add(members: pairs)
  }

  // MARK: Scalars for translations

  mutating func add(real: Double) -> UInt32 { builder.add(real) }

  mutating func add(string: String) -> UInt32 { builder.add(string) }

  mutating func add(data: [UInt8]) -> UInt32 {
    isTree = false
    return data.withByteView { builder.add(data: $0) }
  }
}
