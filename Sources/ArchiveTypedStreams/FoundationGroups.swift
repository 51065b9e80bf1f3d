// Foundation's value classes: from the values that they write one after another to the keys that they have
// in keyed archives.
//
// Layouts: python-typedstream, types/foundation.py and appkit.py; crabstep's test data; for the keys
// swift-corelibs-foundation, the file named for each class.

import ArchiveBasics

/// From the values that a class writes one after another to the keys that it has in keyed archives.
///
/// Each class names the layout that it has.
package final class StreamLayout: Sendable {
  typealias Addition = @Sendable (StreamObject, inout StreamTables, inout StreamAssembly) -> UInt32?

  /// Adds an object; nil for one that does not fit exactly, which keeps its groups.
  let add: Addition

  init(_ add: @escaping Addition) { self.add = add }

  // MARK: What the encoder writes

  /// The classes that the encoder writes from their values, with those that they derive from and the version of each.
  static let chains: [String: [String]] = {
    var chains = ["NSNumber": ["NSNumber:0", "NSValue:0"]]
    for name in ["Null", "Date", "URL"] { chains["NS" + name] = ["NS\(name):0"] }
    for (name, version) in [
      ("String", 1), ("Data", 0), ("Array", 0), ("Set", 0), ("Dictionary", 0),
    ] {
      chains["NS" + name] = ["NS\(name):\(version)"]
      chains["NSMutable" + name] = ["NSMutable\(name):\(version)", "NS\(name):\(version)"]
    }
    return chains.mapValues { $0 + ["NSObject:0"] }
  }()

  /// The type that the encoder gives a number.
  static func type(ofNumber value: StreamValue) -> String {
    switch value {
    case .boolean: "B"
    case .integer(let number): Int32(exactly: number) == nil ? "q" : "i"
    case .unsigned: "Q"
    case .single: "f"
    default: "d"
    }
  }

  /// Whether the groups of an object of these classes are those that the encoder writes.
  static func isAsEncoded(
    _ object: StreamObject, ofClass name: String, _ tables: inout StreamTables
  ) -> Bool {
    let groups = tables.groups(object.groups)
    guard groups.allSatisfy({ $0.values.count == 1 }) else { return false }
    switch name {
    case "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary":
      return groups.first?.letter == UInt8(ascii: "i")
    case "NSSet", "NSMutableSet": return groups.first?.letter == UInt8(ascii: "I")
    case "NSData", "NSMutableData":
      guard groups.count == 2,
        case .array(_, let element)? = tables.encodedTypes(of: groups[1]).first
      else { return false }
      return element == .scalar(UInt8(ascii: "c"))
    case "NSNumber":
      guard groups.count == 2, case .text(let type) = tables.value(of: groups[0]) else {
        return false
      }
      let value = tables.value(of: groups[1])
      return type.elementsEqual(self.type(ofNumber: value).utf8) && groups[1].letter == type.first
    default: return true
    }
  }

  // MARK: Strings and data

  /// `+`: the characters.
  private static func characters(
    _ object: StreamObject, _ tables: inout StreamTables
  ) -> ByteView? {
    let groups = tables.groups(object.groups)
    guard groups.count == 1, groups[0].letter == UInt8(ascii: "+"),
      case .text(let bytes) = tables.value(of: groups[0])
    else { return nil }
    return bytes
  }

  /// The characters; stored bare.
  package static let string = StreamLayout { object, tables, assembly in
    guard let bytes = characters(object, &tables) else { return nil }
    // A bare "$null" would be read as nil.
    if bytes.count == 5, bytes.elementsEqual("$null".utf8) {
      return mutableString.add(object, &tables, &assembly)
    }
    return assembly.addText(bytes, &tables)
  }

  /// The characters.
  package static let mutableString = StreamLayout { object, tables, assembly in
    guard let bytes = characters(object, &tables) else { return nil }
    let text = assembly.addText(bytes, &tables)
    return assembly.addObject(.string, text, ofClass: object.classNumber)
  }

  /// `i` and `[12c]`: the length and the bytes.
  private static func bytes(_ object: StreamObject, _ tables: inout StreamTables) -> ByteView? {
    let groups = tables.groups(object.groups)
    guard groups.count == 2, groups[0].letter == UInt8(ascii: "i"),
      case .integer(let count) = tables.value(of: groups[0]),
      groups[1].values.count == 1,
      case .data(let bytes) = tables.value(of: groups[1]), count == bytes.count
    else { return nil }
    return bytes
  }

  /// A length and bytes; stored bare.
  package static let data = StreamLayout { object, tables, assembly in
    bytes(object, &tables).map { assembly.add(.data($0), &tables) }
  }

  /// A length and bytes.
  package static let mutableData = StreamLayout { object, tables, assembly in
    guard let bytes = bytes(object, &tables) else { return nil }
    let data = assembly.add(.data(bytes), &tables)
    return assembly.addDictionary([("NS.data", data)] + assembly.classPair(object.classNumber))
  }

  // MARK: Numbers and dates

  /// Seconds from 2001.
  ///
  /// `d`: seconds from 2001-01-01T00:00:00Z.
  package static let date = StreamLayout { object, tables, assembly in
    let groups = tables.groups(object.groups)
    guard groups.count == 1, groups[0].letter == UInt8(ascii: "d"),
      case .real(let seconds) = tables.value(of: groups[0])
    else { return nil }
    let time = assembly.add(real: seconds)
    return assembly.addDictionary([("NS.time", time)] + assembly.classPair(object.classNumber))
  }

  /// `*` and a type: how the value is encoded, and the value.
  private static func encoded(
    _ object: StreamObject, _ tables: inout StreamTables
  ) -> (type: ByteView, value: StreamValue)? {
    let groups = tables.groups(object.groups)
    guard groups.count == 2, groups[0].letter == UInt8(ascii: "*"),
      case .text(let type) = tables.value(of: groups[0]),
      groups[1].values.count == 1
    else { return nil }
    return (type, tables.value(of: groups[1]))
  }

  /// A type and a number of it.
  package static let number = StreamLayout { object, tables, assembly in
    guard let (_, value) = encoded(object, &tables) else { return nil }
    switch value {
    case .boolean, .integer, .unsigned, .single, .real: return assembly.add(value, &tables)
    default: return nil
    }
  }

  /// A type and a structure of it.
  package static let value = StreamLayout { object, tables, assembly in
    guard let (type, value) = encoded(object, &tables) else { return nil }
    let name = String(decoding: type, as: UTF8.self)
    let kind = name.split(separator: "=").first.map(String.init) ?? ""
    guard let pairs = geometry(kind, value, &tables, &assembly) else { return nil }
    return assembly.addDictionary(pairs + assembly.classPair(object.classNumber))
  }

  private static func object(_ text: String, _ assembly: inout StreamAssembly) -> UInt32 {
    assembly.addObject(assembly.add(string: text))
  }

  /// The keys of a point, size, rectangle or range.
  private static func geometry(
    _ kind: String, _ value: StreamValue, _ tables: inout StreamTables,
    _ assembly: inout StreamAssembly
  ) -> [(String, UInt32)]? {
    guard case .structure(let range) = value else { return nil }
    let fields = Array(tables.values(range))
    let numbers = flat(fields, &tables).map { number in number.map(text) }
    let special: Int64
    let pairs: [(String, UInt32)]
    switch (kind, numbers.count) {
    case ("{_NSPoint", 2), ("{CGPoint", 2), ("{NSPoint", 2):
      guard let x = numbers[0], let y = numbers[1] else { return nil }
      (special, pairs) = (1, [("NS.pointval", object("{\(x), \(y)}", &assembly))])
    case ("{_NSSize", 2), ("{CGSize", 2), ("{NSSize", 2):
      guard let width = numbers[0], let height = numbers[1] else { return nil }
      (special, pairs) = (2, [("NS.sizeval", object("{\(width), \(height)}", &assembly))])
    case ("{_NSRect", 4), ("{CGRect", 4), ("{NSRect", 4):
      let known = numbers.compactMap { $0 }
      guard known.count == 4 else { return nil }
      let rectangle = "{{\(known[0]), \(known[1])}, {\(known[2]), \(known[3])}}"
      (special, pairs) = (3, [("NS.rectval", object(rectangle, &assembly))])
    case ("{_NSRange", 2), ("{NSRange", 2):
      guard fields.count == 2, case .integer = fields[0], case .integer = fields[1] else {
        return nil
      }
      (special, pairs) = (
        4,
        [
          ("NS.rangeval.location", assembly.addObject(assembly.add(fields[0], &tables))),
          ("NS.rangeval.length", assembly.addObject(assembly.add(fields[1], &tables))),
        ]
      )
    default: return nil
    }
    return [("NS.special", assembly.add(.integer(special), &tables))] + pairs
  }

  /// The numbers of nested structures in their order; nil for other values.
  static func flat(
    _ fields: [StreamValue], _ tables: inout StreamTables
  ) -> [Double?] {
    var numbers: [Double?] = []
    for field in fields {
      switch field {
      case .structure(let range): numbers += flat(Array(tables.values(range)), &tables)
      case .single(let number): numbers.append(Double(number))
      case .real(let number): numbers.append(number)
      case .integer(let number): numbers.append(Double(number))
      default: numbers.append(nil)
      }
    }
    return numbers
  }

  /// A number as Foundation's string functions write it: whole numbers without a point.
  private static func text(_ number: Double) -> String {
    if let whole = Int64(exactly: number) { return "\(whole)" }
    return "\(number)"
  }

  // MARK: Collections

  /// `i` or `I`, then as many `@`: the groups of these.
  private static func elements(
    _ object: StreamObject, perCount: Int, _ tables: inout StreamTables
  ) -> Slice<UnsafeBufferPointer<StreamGroup>>? {
    let groups = tables.groups(object.groups)
    guard let first = groups.first, case let letter = first.letter,
      letter == UInt8(ascii: "i") || letter == UInt8(ascii: "I"),
      case .integer(let count) = tables.value(of: first)
    else { return nil }
    let (total, overflow) = Int(count).multipliedReportingOverflow(by: perCount)
    var found = 0
    for group in groups.dropFirst() {
      guard tables.isOfObjects(group) else { return nil }
      found &+= group.values.count
    }
    return !overflow && found == total ? groups.dropFirst() : nil
  }

  /// A count and the elements.
  package static let list = StreamLayout { object, tables, assembly in
    guard let groups = elements(object, perCount: 1, &tables) else { return nil }
    return assembly.addObject(
      .objects, assembly.addList(groups, &tables), ofClass: object.classNumber)
  }

  /// A count, then each key with its value.
  package static let dictionary = StreamLayout { object, tables, assembly in
    guard let groups = elements(object, perCount: 2, &tables) else { return nil }
    let keys = assembly.addList(groups, &tables, first: 0, step: 2)
    let values = assembly.addList(groups, &tables, first: 1, step: 2)
    return assembly.addObject(.keys, keys, and: (.objects, values), ofClass: object.classNumber)
  }

  // MARK: Others

  /// The values of all groups of an object, one after another.
  private static func allValues(
    _ groups: some Sequence<StreamGroup>, _ tables: inout StreamTables
  ) -> [StreamValue] {
    var values: [StreamValue] = []
    for group in groups { values += tables.values(group.values) }
    return values
  }

  /// Whether a base follows, the base, and the relative part.
  ///
  /// `c`: whether a base follows as `@`; `@`: the relative part.
  package static let url = StreamLayout { object, tables, assembly in
    let groups = tables.groups(object.groups)
    let values = allValues(groups, &tables)
    guard let first = groups.first, first.letter == UInt8(ascii: "c"),
      case .integer(let flag)? = values.first
    else { return nil }
    let parts = values.dropFirst().map { part -> StreamValue? in
      switch part {
      case .object, .null: part
      default: nil
      }
    }
    guard parts.count == (flag == 0 ? 1 : 2), case .object(let relative)?? = parts.last,
      let base = flag == 0 ? StreamValue.null : parts[parts.startIndex]
    else { return nil }
    return assembly.addDictionary(
      [
        ("NS.base", assembly.add(base, &tables)),
        ("NS.relative", assembly.add(.object(relative), &tables)),
      ]
        + assembly.classPair(object.classNumber))
  }

  /// Nothing.
  package static let null = StreamLayout { object, tables, assembly in
    guard object.groups.count == 0 else { return nil }
    return assembly.addDictionary(assembly.classPair(object.classNumber))
  }

  /// The string, then its runs.
  ///
  /// `@`: the string; then for each run `iI`, the number of its attributes and its length, and `@`, the
  /// attributes, at the first occurrence of their number.
  package static let attributedString = StreamLayout { object, tables, assembly in
    let groups = tables.groups(object.groups)
    guard let first = groups.first, first.letter == UInt8(ascii: "@"),
      case let string = tables.value(of: first), case .object = string
    else { return nil }
    var attributes: [StreamValue] = []
    var info: [Int64] = []
    var expectsAttributes = false
    for group in groups.dropFirst() {
      let values = tables.values(group.values)
      if expectsAttributes {
        guard group.letter == UInt8(ascii: "@") else { return nil }
        attributes.append(values[0])
        expectsAttributes = false
        continue
      }
      guard Array(tables.encodedTypes(of: group)) == runTypes,
        case .integer(let number) = values[0], case .integer(let length) = values[1],
        number >= 1, number <= attributes.count + 1, length >= 0
      else { return nil }
      expectsAttributes = number == attributes.count + 1
      info += [length, number - 1]
    }
    guard !expectsAttributes else { return nil }
    var pairs = [("NSString", assembly.add(string, &tables))]
    if info.count == 2, attributes.count == 1 {
      pairs.append(("NSAttributes", assembly.add(attributes[0], &tables)))
    } else if !info.isEmpty {
      pairs.append(("NSAttributes", assembly.addArrayObject(attributes, &tables)))
      pairs.append(("NSAttributeInfo", assembly.addDataObject(LEB128.bytes(of: info))))
    }
    return assembly.addDictionary(pairs + assembly.classPair(object.classNumber))
  }

  private static let runTypes: [EncodedType] = [
    .scalar(UInt8(ascii: "i")), .scalar(UInt8(ascii: "I")),
  ]

  /// A color space and its components.
  ///
  /// `c`: the color space; then its components (`NSColorSpace` 1 and 2: red, green, blue, alpha; 3 and 4:
  /// white, alpha; 5: cyan, magenta, yellow, black, alpha; 6: the names of catalog and color, and a color).
  package static let color = StreamLayout { object, tables, assembly in
    let groups = tables.groups(object.groups)
    guard let first = groups.first, first.letter == UInt8(ascii: "c"),
      case .integer(let space) = tables.value(of: first)
    else { return nil }
    let values = allValues(groups.dropFirst(), &tables)
    var pairs = [("NSColorSpace", assembly.add(.integer(space), &tables))]
    switch (space, values.count) {
    case (1, 4), (2, 4), (3, 2), (4, 2), (5, 5):
      let numbers = flat(values, &tables).compactMap { $0 }
      guard numbers.count == values.count else { return nil }
      // An alpha of 1 is left out, and the text ends with a zero byte.
      let shown = numbers.last == 1 ? numbers.dropLast() : numbers[...]
      let text = shown.map(text).joined(separator: " ")
      let key = space <= 2 ? "NSRGB" : space <= 4 ? "NSWhite" : "NSCMYK"
      pairs.append((key, assembly.add(data: Array(text.utf8) + [0])))
    case (6, 3):
      let keys = ["NSCatalogName", "NSColorName", "NSColor"]
      for (key, value) in zip(keys, values) { pairs.append((key, assembly.add(value, &tables))) }
    default: return nil
    }
    return assembly.addDictionary(pairs + assembly.classPair(object.classNumber))
  }
}
