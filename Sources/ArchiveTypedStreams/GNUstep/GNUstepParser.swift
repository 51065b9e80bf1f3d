// What NSArchiver of gnustep-base wrote, value by value: each has a tag with its type, but nothing ends an object, so that
// the fields of every class must be known.
//
// Format facts: gnustep-base, NSArchiver.m, NSUnarchiver.m and NSData.m.

import ArchiveBasics
import ArchiveGraph

/// Reads a GNUstep archive into the tables of a typedstream.
///
/// At an object of a class whose fields are not known, or that has others, everything after it is a list of its values.
struct GNUstepParser: ~Copyable {
  /// The signature; four numbers of eight hexadecimal digits and a colon follow.
  private static let signature = "GNUstep archive".utf8
  private static let headerSize = 51

  /// The kinds of values by the five low bits of a tag (NSData.h, _C_* and GSC_*).
  private enum Kind {
    static let scalars = Array("\0cCsSiIlLqQfdB".utf8)
    static let object: UInt8 = 0x10
    static let type: UInt8 = 0x11
    static let selector: UInt8 = 0x12
    static let pointer: UInt8 = 0x13
    static let string: UInt8 = 0x14
    static let array: UInt8 = 0x15
    static let structure: UInt8 = 0x16
    static let typeAsObject: UInt8 = 0x17
  }

  private struct Frame {
    enum Kind {
      case object(number: Int, type: Int, groups: Int, values: Int)
      /// So many elements more.
      case array(Int)
      case structure(Int)
    }

    var kind: Kind
    let offset: Int
    /// The fields of an object that are still to come; nil once it is a list of values.
    var fields: FieldCursor?
    /// Where its elements begin.
    var elements = 0
    var step: FieldLayout.Step?
    var lastObject: Int?
    var lastType: Int?
    var lastInteger: Int64 = 0
    var textLength: Int64?
  }

  private typealias Element = (value: StreamValue, type: EncodedType)

  private var cursor: ByteCursor
  private let limits: Limits
  private var tables = StreamTables()
  private var frames: [Frame] = []
  /// The elements of open arrays and structures.
  private var elements: [Element] = []
  /// The lists of types by their texts.
  private var lists: [String: Int] = [:]
  /// Selectors, pointers and C strings, which have one table.
  private var pointers: [StreamValue] = []
  /// Of strings their numbers of characters, and of short ones their texts: other fields depend on them.
  private var lengths: [Int: Int64] = [:]
  private var texts: [Int: String] = [:]
  /// The first class of each name, of so many classes.
  private var classNumbers: [String: Int] = [:]
  private var numberedClasses = 0
  /// What the objects of each class write.
  private var layouts: [Int: [FieldLayout.Step]] = [:]
  /// The frame of the object that is a list of all values that follow, and why it is.
  private var listLevel: Int?
  private var deviation: ArchiveError?

  private init(_ bytes: ByteView, _ limits: Limits) {
    cursor = ByteCursor(bytes, at: 0, of: "archive", isBigEndian: true)
    self.limits = limits
  }

  /// Reads a whole archive.
  ///
  /// - Parameter deviation: becomes the warning that what follows an object is a list of values.
  /// - Returns: what the objects do not hold.
  /// - Throws: `ArchiveError` at the first fault; in recovery if not one value is left.
  static func read(
    _ bytes: ByteView, limits: Limits, recovering: Bool,
    into assembly: inout StreamAssembly, deviation: inout ArchiveError?
  ) throws(ArchiveError) -> StreamTables {
    var parser = GNUstepParser(bytes, limits)
    do throws(ArchiveError) {
      try parser.header()
      try parser.run(&assembly)
    } catch {
      guard recovering, parser.tables.objectCount > 0 else { throw error }
      parser.closeAll(&assembly)
      guard !parser.tables.groups.isEmpty else { throw error }
      parser.tables.loss = error
    }
    var read = StreamTables()
    swap(&read, &parser.tables)
    deviation = parser.deviation
    return read
  }

  // MARK: Bytes

  private var bytes: ByteView { cursor.bytes }
  private var position: Int { cursor.position }

  private mutating func header() throws(ArchiveError) {
    let head = try cursor.read(Self.headerSize, "the header")
    var numbers: [Int64] = []
    for start in stride(from: 15, to: Self.headerSize, by: 9) {
      let digits = String(decoding: head[start..<start + 8], as: UTF8.self)
      guard let number = Int64(digits, radix: 16), number >= 0, head[start + 8] == UInt8(ascii: ":")
      else {
        throw ArchiveError(
          .malformed, "the header must have four numbers of eight hexadecimal digits", offset: start
        )
      }
      numbers.append(number)
    }
    tables.systemVersion = numbers[0]
    tables.isBigEndian = true
    // A version of gnustep-base, MMmmss; 1000000 since then (NSArchiver.m).
    guard numbers[0] <= 1_000_000 else {
      throw ArchiveError(
        .unsupported, "GNUstep archives of version \(numbers[0]) are not read, only to 1000000",
        offset: 15)
    }
  }

  // MARK: The machine

  private mutating func run(_ assembly: inout StreamAssembly) throws(ArchiveError) {
    while true {
      guard var frame = frames.last else {
        let rest = bytes.part(from: position)
        // Another archive may follow.
        if rest.isEmpty || rest.starts(with: Self.signature) { break }
        try value(nil)
        continue
      }
      switch frame.kind {
      case .array(0), .structure(0): finishElements()
      // The rest of it is among the values of an object within.
      case .array where deviation != nil && position == bytes.count: finishElements()
      case .structure where deviation != nil && position == bytes.count: finishElements()
      case .array(let count):
        frames[frames.count - 1].kind = .array(count - 1)
        try value(nil)
      case .structure(let count):
        frames[frames.count - 1].kind = .structure(count - 1)
        try value(nil)
      case .object:
        // Not with another reference to the fields, which would be copied when they change.
        let hasFields = frame.fields != nil
        frame.fields = nil
        try field(of: frame, hasFields: hasFields, &assembly)
      }
    }
    guard !tables.groups.isEmpty else {
      throw ArchiveError(.truncated, "the archive has no value", offset: position)
    }
    tables.surplus = bytes.count - position
  }

  /// Reads the next field of the innermost object, or ends it.
  private mutating func field(
    of frame: Frame, hasFields: Bool, _ assembly: inout StreamAssembly
  ) throws(ArchiveError) {
    let last = frames.count - 1
    guard hasFields else {
      // All that is left are values of one object.
      if listLevel == last, position < bytes.count { return try value(nil) }
      return endObject(&assembly)
    }
    guard let step = frames[last].fields?.next() else { return endObject(&assembly) }
    switch step.letter {
    case UInt8(ascii: "&"):
      let fields = frame.lastType.map { steps(of: $0) } ?? [.unknown("?")]
      frames[last].fields?.enter(fields)
      return
    case UInt8(ascii: "x"):
      return deviate("the fields of the class \(step.name ?? "?") are not known")
    case UInt8(ascii: "$"):
      let name = frame.lastObject.flatMap { texts[$0] } ?? ""
      frames[last].fields?.enter(GNUstepLayouts.components(ofSpace: name))
      return
    case UInt8(ascii: "~"):
      let length = frame.textLength ?? frame.lastObject.flatMap { lengths[$0] } ?? 0
      frames[last].textLength = length
      if frame.lastInteger < length { frames[last].fields?.enter(GNUstepLayouts.run) }
      return
    default: break
    }
    guard position < bytes.count else {
      throw ArchiveError(
        .truncated, "the archive ends in an object of the class \(typeName(frame))",
        offset: position)
    }
    let kind = bytes[position] & 0x1F
    guard NamedField.fits(step.letter, Self.letter(kind)) else {
      return deviate("a field of the class \(typeName(frame)) has another type")
    }
    frames[last].step = step
    try value(step.letter)
  }

  private func typeName(_ frame: Frame) -> String {
    guard case .object(_, let type, _, _) = frame.kind, tables.classes.indices.contains(type) else {
      return "?"
    }
    return tables.classes[type].name
  }

  private mutating func steps(of type: Int) -> [FieldLayout.Step] {
    if let known = layouts[type] { return known }
    let steps = GNUstepLayouts.steps(of: type, tables.classes)
    layouts[type] = steps
    return steps
  }

  /// Makes the innermost object a list of all values that follow; those that hold it have no more.
  private mutating func deviate(_ reason: String) {
    deviation = ArchiveError(
      .malformed, "\(reason); what follows is a list of values", offset: position)
    for index in frames.indices { frames[index].fields = nil }
    listLevel = frames.count - 1
  }

  /// The letter of a type encoding.
  private static func letter(_ kind: UInt8) -> UInt8 {
    switch kind {
    case 1..<UInt8(Kind.scalars.count): Kind.scalars[Int(kind)]
    case Kind.object: UInt8(ascii: "@")
    case Kind.type, Kind.typeAsObject: UInt8(ascii: "#")
    case Kind.selector: UInt8(ascii: ":")
    case Kind.string: UInt8(ascii: "*")
    case Kind.array: UInt8(ascii: "[")
    case Kind.structure: UInt8(ascii: "{")
    default: 0
    }
  }

  // MARK: Values

  /// Reads a value, or begins one.
  ///
  /// - Parameter letter: the field that it is of, for structures; nil where any value may be.
  private mutating func value(_ letter: UInt8?) throws(ArchiveError) {
    let start = position
    var tag = try cursor.number(1, "a value")
    // What a pointer points to is a value of its own.
    while tag & 0x1F == UInt64(Kind.pointer),
      let number = try reference(tag, count: pointers.count, "a pointer", start), number.isNew
    {
      pointers.append(.null)
      tag = try cursor.number(1, "a value")
    }
    let kind = UInt8(tag & 0x1F)
    switch kind {
    case Kind.pointer: deliver((.null, .scalar(UInt8(ascii: "*"))), at: start)
    case 1..<UInt8(Kind.scalars.count): deliver(try scalar(kind, Int(tag >> 5) & 3), at: start)
    case Kind.object:
      guard let number = try reference(tag, count: tables.objectCount, "an object", start) else {
        return deliver((.null, .scalar(UInt8(ascii: "@"))), at: start)
      }
      guard number.isNew else {
        return deliver((.object(number.index), .scalar(UInt8(ascii: "@"))), at: start)
      }
      try beginObject(number.index, at: start)
    case Kind.type, Kind.typeAsObject:
      let type = try self.type(tag, start)
      deliver((type.map { .type($0) } ?? .null, .scalar(UInt8(ascii: "#"))), at: start)
    case Kind.selector, Kind.string: try pointer(tag, kind, start)
    case Kind.array: try array(start)
    case Kind.structure: try structure(letter, start)
    default:
      throw ArchiveError(
        .malformed, "a value must have a type, found the tag 0x\(hexadecimal(UInt8(tag)))",
        offset: start)
    }
  }

  private mutating func scalar(_ kind: UInt8, _ size: Int) throws(ArchiveError) -> Element {
    let letter = Kind.scalars[Int(kind)]
    return (try bareScalar(letter, width: Self.width(letter, size)), .scalar(letter))
  }

  /// How many bytes a scalar takes.
  private static func width(_ letter: UInt8, _ size: Int) -> Int {
    switch letter {
    case UInt8(ascii: "c"), UInt8(ascii: "C"), UInt8(ascii: "B"): 1
    case UInt8(ascii: "f"): 4
    case UInt8(ascii: "d"): 8
    default: 2 << size
    }
  }

  private mutating func bareScalar(
    _ letter: UInt8, width: Int
  ) throws(ArchiveError) -> StreamValue {
    guard width <= 8 else {
      throw ArchiveError(
        .unsupported, "integers of \(width) bytes are not read", offset: position)
    }
    let start = position
    let bits = try cursor.number(width, "a number")
    switch letter {
    case UInt8(ascii: "f"): return .single(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case UInt8(ascii: "d"): return .real(Double(bitPattern: bits))
    case UInt8(ascii: "B"):
      guard bits <= 1 else {
        throw ArchiveError(.malformed, "a boolean must be 0 or 1, found \(bits)", offset: start)
      }
      return .boolean(bits == 1)
    case UInt8(ascii: "C"), UInt8(ascii: "S"), UInt8(ascii: "I"), UInt8(ascii: "L"),
      UInt8(ascii: "Q"):
      return Int64(exactly: bits).map { .integer($0) } ?? .unsigned(bits)
    default:
      let shift = 64 - 8 * width
      return .integer(Int64(bitPattern: bits << shift) >> shift)
    }
  }

  /// Reads the number of an object, class or pointer: nil, one that is there, or the next.
  private mutating func reference(
    _ tag: UInt64, count: Int, _ what: String, _ start: Int
  ) throws(ArchiveError) -> (index: Int, isNew: Bool)? {
    let size = Int(tag >> 5) & 3
    if size == 0 { return nil }
    let number = try cursor.number(1 << (size - 1), "the number of \(what)")
    let isNew = tag & 0x80 == 0
    guard number >= 1, isNew ? number == UInt64(count) + 1 : number <= UInt64(count) else {
      throw ArchiveError(
        isNew ? .malformed : .dangling,
        isNew
          ? "\(what) has the number \(number); the next is \(count + 1)"
          : "there is no \(what.dropFirst(what.hasPrefix("an ") ? 3 : 2)) \(number) before",
        offset: start)
    }
    return (Int(number) - 1, isNew)
  }

  private mutating func beginObject(_ number: Int, at start: Int) throws(ArchiveError) {
    tables.objectCount += 1
    let typeStart = position
    let tag = try cursor.number(1, "a class")
    guard tag & 0x1F == UInt64(Kind.type), let type = try self.type(tag, typeStart) else {
      throw ArchiveError(.malformed, "an object must begin with its class", offset: typeStart)
    }
    guard frames.count < limits.depth else { throw .tooDeep(limits.depth, offset: start) }
    frames.append(
      Frame(
        kind: .object(
          number: number, type: type, groups: tables.groups.count, values: tables.valueCount),
        offset: start, fields: deviation == nil ? FieldCursor(steps(of: type)) : nil))
  }

  /// Reads a class: nil, one that is there, or its name, its version and the classes that it derives from.
  private mutating func type(_ tag: UInt64, _ start: Int) throws(ArchiveError) -> Int? {
    guard
      let first = try reference(tag, count: tables.classes.count, "a class", start)
    else { return nil }
    guard first.isNew else { return first.index }
    var records: [(name: String, version: Int64)] = []
    let base = tables.classes.count
    while true {
      let length = Int(try cursor.number(2, "the length of a class name"))
      let name = try cursor.read(length, "a class name")
      guard let text = String(validating: name, as: UTF8.self), !text.isEmpty else {
        throw ArchiveError(
          .malformed, "a class name must be UTF-8 and not empty", offset: position - length)
      }
      records.append((text, Int64(try cursor.number(4, "the version of a class"))))
      let next = position
      let tag = try cursor.number(1, "the next class")
      if tag == 0 { break }
      guard tag & 0x1F == UInt64(Kind.type),
        let more = try reference(tag, count: base + records.count, "a class", next), more.isNew
      else {
        throw ArchiveError(
          .malformed, "a superclass must follow, or the end of the classes", offset: next)
      }
    }
    for number in numberedClasses..<tables.classes.count {
      let name = tables.classes[number].name
      if classNumbers[name] == nil { classNumbers[name] = number }
    }
    numberedClasses = tables.classes.count
    for (index, record) in records.enumerated() {
      // A superclass that the archive has already is not repeated.
      let superclass =
        index + 1 < records.count
        ? base + index + 1 : GNUstepLayouts.superclass(of: record.name).flatMap { classNumbers[$0] }
      tables.classes.append(
        TypedClass(name: record.name, version: record.version, superclass: superclass))
    }
    return base
  }

  private mutating func pointer(
    _ tag: UInt64, _ kind: UInt8, _ start: Int
  ) throws(ArchiveError) {
    let type = EncodedType.scalar(kind == Kind.selector ? UInt8(ascii: ":") : UInt8(ascii: "*"))
    guard let number = try reference(tag, count: pointers.count, "a pointer", start) else {
      return deliver((.null, type), at: start)
    }
    guard number.isNew else { return deliver((pointers[number.index], type), at: start) }
    switch kind {
    case Kind.selector:
      let (length, types) = (
        Int(try cursor.number(2, "the length of a selector")),
        Int(try cursor.number(2, "the length of a selector's types"))
      )
      pointers.append(.text(try cursor.read(length, "a selector")))
      _ = try cursor.read(types, "the types of a selector")
    default:
      let length = try cursor.number(4, "the length of a C string")
      pointers.append(.text(try cursor.read(Int(length), "a C string")))
    }
    deliver((pointers[number.index], type), at: start)
  }

  // MARK: Arrays and structures

  private mutating func array(_ start: Int) throws(ArchiveError) {
    // An array that was encoded as one value has the tag twice.
    if bytes.byte(at: position) == Kind.array { cursor.position += 1 }
    let count = try elementCount()
    guard count <= UInt64(bytes.count - position) else {
      throw ArchiveError(
        .truncated, "an array of \(count) values has only \(bytes.count - position) bytes",
        offset: start)
    }
    guard count > 0, position < bytes.count else {
      let type = EncodedType.array(0, .scalar(UInt8(ascii: "C")))
      return deliver(
        (.data(ByteView()), type), at: start)
    }
    let tag = bytes[position]
    let letter = Self.letter(tag & 0x1F)
    guard tag & 0x1F < UInt8(Kind.scalars.count), letter != 0 else {
      guard frames.count < limits.depth else { throw .tooDeep(limits.depth, offset: start) }
      frames.append(Frame(kind: .array(Int(count)), offset: start, elements: elements.count))
      return
    }
    cursor.position += 1
    let type = EncodedType.array(Int(count), .scalar(letter))
    let width = Self.width(letter, Int(tag >> 5) & 3)
    if width == 1, letter != UInt8(ascii: "B") {
      return deliver((.data(try cursor.read(Int(count), "an array")), type), at: start)
    }
    guard count <= UInt64((bytes.count - position) / width) else {
      throw ArchiveError(
        .truncated, "an array of \(count) values has only \(bytes.count - position) bytes",
        offset: start)
    }
    var values: [StreamValue] = []
    values.reserveCapacity(Int(count))
    for _ in 0..<count { values.append(try bareScalar(letter, width: width)) }
    deliver((.array(tables.add(values)), type), at: start)
  }

  private mutating func elementCount() throws(ArchiveError) -> UInt64 {
    // Version 1.24.2 alone writes seven bits a byte, the most significant first.
    guard tables.systemVersion == 12402 else {
      let count = try cursor.number(4, "the length of an array")
      return count == UInt64(UInt32.max) ? try cursor.number(8, "the length of an array") : count
    }
    let start = position
    var count: UInt64 = 0
    while true {
      let byte = try cursor.number(1, "the length of an array")
      guard count < 1 << 56 else {
        throw ArchiveError(.malformed, "the length of an array is too large", offset: start)
      }
      count = count << 7 | byte & 0x7F
      if byte & 0x80 == 0 { return count }
    }
  }

  private mutating func structure(_ letter: UInt8?, _ start: Int) throws(ArchiveError) {
    // Nothing tells the number of members: a rectangle has two structures, all others that are known two numbers. In a list
    // of values the members are values of it.
    guard deviation == nil else { return }
    guard frames.count < limits.depth else { throw .tooDeep(limits.depth, offset: start) }
    frames.append(Frame(kind: .structure(2), offset: start, elements: elements.count))
  }

  private mutating func finishElements() {
    let frame = frames.removeLast()
    let parts = elements[frame.elements...]
    elements.removeSubrange(frame.elements...)
    let types = parts.map(\.type)
    if case .structure = frame.kind {
      let range = tables.add(parts.map(\.value))
      return deliver((.structure(range), .structure(nil, types)), at: frame.offset)
    }
    if let holder = frames.last, case .object = holder.kind,
      types.allSatisfy({ $0 == .scalar(UInt8(ascii: "@")) })
    {
      // A group for each, as typedstreams have it.
      for part in parts { deliver(part, at: frame.offset) }
      return
    }
    let range = tables.add(parts.map(\.value))
    let type = EncodedType.array(parts.count, types.first ?? .scalar(UInt8(ascii: "C")))
    deliver((.array(range), type), at: frame.offset)
  }

  /// Gives a value to what is open.
  private mutating func deliver(_ element: Element, at offset: Int) {
    let last = frames.count - 1
    if last >= 0 {
      switch frames[last].kind {
      case .array, .structure: return elements.append(element)
      case .object: accept(element.value, last)
      }
    }
    let text = element.type.text
    let list = lists[text] ?? tables.add([element.type])
    lists[text] = list
    tables.addGroup(list, tables.add([element.value]))
  }

  /// Remembers what other fields of an object depend on.
  private mutating func accept(_ value: StreamValue, _ last: Int) {
    guard let step = frames[last].step else { return }
    switch value {
    case .integer(let number):
      frames[last].lastInteger = number
      frames[last].fields?.accept(number, for: step)
    case .boolean(let flag): frames[last].fields?.accept(flag ? 1 : 0, for: step)
    case .object(let number): frames[last].lastObject = number
    case .type(let number): frames[last].lastType = number
    case .structure where step.letter == UInt8(ascii: "V"):
      frames[last].fields?.accept(0, for: step)
    default: break
    }
  }

  // MARK: The ends of objects

  private mutating func endObject(_ assembly: inout StreamAssembly) {
    let frame = frames.removeLast()
    guard case .object(let number, let type, let first, let values) = frame.kind else { return }
    let groups = StreamRange(start: first, count: tables.groups.count - first)
    keepText(number, type, groups)
    assembly.receive(
      StreamObject(
        number: number, offset: frame.offset, classNumber: type, groups: groups, values: values,
        isCut: frame.fields == nil),
      &tables)
    tables.truncate(groups: first, values: values)
    deliver((.object(number), .scalar(UInt8(ascii: "@"))), at: frame.offset)
  }

  /// Remembers a string, on which the fields after it may depend.
  private mutating func keepText(_ number: Int, _ type: Int, _ groups: StreamRange) {
    guard tables.classes.chain(of: type).contains(where: { $0.name == "NSString" }),
      let first = tables.groups(groups).first, case .integer(let length) = tables.value(of: first)
    else { return }
    lengths[number] = length
    guard length <= 64, let text = StreamLayout.gnustepText(groups, &tables) else { return }
    texts[number] = text
  }

  private mutating func closeAll(_ assembly: inout StreamAssembly) {
    while let frame = frames.last {
      guard case .object = frame.kind else {
        finishElements()
        continue
      }
      frames[frames.count - 1].fields = nil
      endObject(&assembly)
    }
  }
}
