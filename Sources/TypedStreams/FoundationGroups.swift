// Foundation's value classes: from the values that they write one after another to the keys that they have
// in keyed archives.
//
// Layouts: python-typedstream, types/foundation.py and appkit.py; crabstep's test data; for the keys
// swift-corelibs-foundation, the file named for each class.

/// Recognizes objects of value classes by their class and by the types of their groups.
///
/// What does not fit exactly is no such object, and keeps its groups.
enum FoundationGroups {
  // MARK: Strings and data

  /// `+`: the characters.
  private static func characters(_ object: TypedObject) -> UnsafeRawBufferPointer? {
    guard object.groups.count == 1, object.groups[0].text == "+",
      case .text(let bytes) = object.groups[0].values[0]
    else { return nil }
    return bytes
  }

  static func string(_ object: TypedObject, _ assembly: inout StreamAssembly) -> UInt32? {
    guard let bytes = characters(object) else { return nil }
    // A bare "$null" would be read as nil.
    if bytes.elementsEqual("$null".utf8) { return mutableString(object, &assembly) }
    return assembly.addText(bytes)
  }

  static func mutableString(
    _ object: TypedObject, _ assembly: inout StreamAssembly
  ) -> UInt32? {
    guard let bytes = characters(object) else { return nil }
    let text = assembly.addText(bytes)
    return assembly.addDictionary([("NS.string", text)] + assembly.classPair(object.classNumber))
  }

  /// `i` and `[12c]`: the length and the bytes.
  private static func bytes(_ object: TypedObject) -> UnsafeRawBufferPointer? {
    guard object.groups.count == 2, object.groups[0].text == "i",
      case .integer(let count) = object.groups[0].values[0],
      object.groups[1].values.count == 1, case .data(let bytes) = object.groups[1].values[0],
      count == bytes.count
    else { return nil }
    return bytes
  }

  static func data(_ object: TypedObject, _ assembly: inout StreamAssembly) -> UInt32? {
    bytes(object).map { assembly.add(.data($0)) }
  }

  static func mutableData(
    _ object: TypedObject, _ assembly: inout StreamAssembly
  ) -> UInt32? {
    guard let bytes = bytes(object) else { return nil }
    let data = assembly.add(.data(bytes))
    return assembly.addDictionary([("NS.data", data)] + assembly.classPair(object.classNumber))
  }

  // MARK: Numbers and dates

  /// `d`: seconds from 2001-01-01T00:00:00Z.
  static func date(_ object: TypedObject, _ assembly: inout StreamAssembly) -> UInt32? {
    guard object.groups.count == 1, object.groups[0].text == "d",
      case .real(let seconds) = object.groups[0].values[0]
    else { return nil }
    let time = assembly.add(real: seconds)
    return assembly.addDictionary([("NS.time", time)] + assembly.classPair(object.classNumber))
  }

  /// `*` and a type: how the value is encoded, and the value.
  private static func encoded(_ object: TypedObject) -> (type: String, value: StreamValue)? {
    guard object.groups.count == 2, object.groups[0].text == "*",
      case .text(let type) = object.groups[0].values[0], object.groups[1].values.count == 1,
      object.groups[1].types.count == 1
    else { return nil }
    return (String(decoding: type, as: UTF8.self), object.groups[1].values[0])
  }

  static func number(_ object: TypedObject, _ assembly: inout StreamAssembly) -> UInt32? {
    guard let (_, value) = encoded(object) else { return nil }
    switch value {
    case .boolean, .integer, .unsigned, .single, .real: return assembly.add(value)
    default: return nil
    }
  }

  static func value(_ object: TypedObject, _ assembly: inout StreamAssembly) -> UInt32? {
    guard let (type, value) = encoded(object) else { return nil }
    let kind = type.split(separator: "=").first.map(String.init) ?? ""
    guard let pairs = geometry(kind, value, &assembly) else { return nil }
    return assembly.addDictionary(pairs + assembly.classPair(object.classNumber))
  }

  private static func object(_ text: String, _ assembly: inout StreamAssembly) -> UInt32 {
    assembly.addObject(assembly.add(string: text))
  }

  /// The keys of a point, size, rectangle or range.
  private static func geometry(
    _ kind: String, _ value: StreamValue, _ assembly: inout StreamAssembly
  ) -> [(String, UInt32)]? {
    guard case .structure(let fields) = value else { return nil }
    let numbers = flat(fields).map { number in number.map(text) }
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
          ("NS.rangeval.location", assembly.addObject(assembly.add(fields[0]))),
          ("NS.rangeval.length", assembly.addObject(assembly.add(fields[1]))),
        ]
      )
    default: return nil
    }
    return [("NS.special", assembly.add(.integer(special)))] + pairs
  }

  /// The numbers of nested structures in their order; nil for what is no number.
  private static func flat(_ fields: [StreamValue]) -> [Double?] {
    fields.flatMap { field -> [Double?] in
      switch field {
      case .structure(let inner): return flat(inner)
      case .single(let number): return [Double(number)]
      case .real(let number): return [number]
      case .integer(let number): return [Double(number)]
      default: return [nil]
      }
    }
  }

  /// A number as Foundation's string functions write it: whole numbers without a point.
  private static func text(_ number: Double) -> String {
    if let whole = Int64(exactly: number) { return "\(whole)" }
    return "\(number)"
  }

  // MARK: Collections

  /// `i` or `I`, then as many `@`.
  private static func elements(_ object: TypedObject, perCount: Int) -> [StreamValue]? {
    guard let first = object.groups.first, first.text == "i" || first.text == "I",
      case .integer(let count) = first.values[0]
    else { return nil }
    let (total, overflow) = Int(count).multipliedReportingOverflow(by: perCount)
    guard !overflow, object.groups.dropFirst().allSatisfy({ $0.text.allSatisfy { $0 == "@" } })
    else { return nil }
    let values = object.groups.dropFirst().flatMap(\.values)
    return values.count == total ? values : nil
  }

  static func list(_ object: TypedObject, _ assembly: inout StreamAssembly) -> UInt32? {
    guard let values = elements(object, perCount: 1) else { return nil }
    let list = assembly.addList(values.map { assembly.add($0) })
    return assembly.addDictionary([("NS.objects", list)] + assembly.classPair(object.classNumber))
  }

  static func dictionary(
    _ object: TypedObject, _ assembly: inout StreamAssembly
  ) -> UInt32? {
    guard let values = elements(object, perCount: 2) else { return nil }
    let halves = (0..<2).map { parity in
      assembly.addList(
        stride(from: parity, to: values.count, by: 2).map { assembly.add(values[$0]) })
    }
    return assembly.addDictionary(
      [("NS.keys", halves[0]), ("NS.objects", halves[1])]
        + assembly.classPair(object.classNumber))
  }

  // MARK: Others

  /// `c`: whether a base follows as `@`; `@`: the relative part.
  static func url(_ object: TypedObject, _ assembly: inout StreamAssembly) -> UInt32? {
    let values = object.groups.flatMap(\.values)
    guard object.groups.first?.text == "c", case .integer(let flag)? = values.first else {
      return nil
    }
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
      [("NS.base", assembly.add(base)), ("NS.relative", assembly.add(.object(relative)))]
        + assembly.classPair(object.classNumber))
  }

  static func null(_ object: TypedObject, _ assembly: inout StreamAssembly) -> UInt32? {
    guard object.groups.isEmpty else { return nil }
    return assembly.addDictionary(assembly.classPair(object.classNumber))
  }

  /// `@`: the string; then for each run `iI`, the number of its attributes and its length, and `@`, the
  /// attributes, where their number is met first.
  static func attributedString(
    _ object: TypedObject, _ assembly: inout StreamAssembly
  ) -> UInt32? {
    guard let first = object.groups.first, first.text == "@", case .object = first.values[0] else {
      return nil
    }
    var attributes: [StreamValue] = []
    var info: [UInt8] = []
    var runs = 0
    var expectsAttributes = false
    for group in object.groups.dropFirst() {
      if expectsAttributes {
        guard group.text == "@", group.values.count == 1 else { return nil }
        attributes.append(group.values[0])
        expectsAttributes = false
        continue
      }
      guard group.text == "iI", case .integer(let number) = group.values[0],
        case .integer(let length) = group.values[1], number >= 1, number <= attributes.count + 1,
        length >= 0
      else { return nil }
      expectsAttributes = number == attributes.count + 1
      append(UInt64(length), to: &info)
      append(UInt64(number - 1), to: &info)
      runs += 1
    }
    guard !expectsAttributes else { return nil }
    var pairs = [("NSString", assembly.add(first.values[0]))]
    if runs == 1, attributes.count == 1 {
      pairs.append(("NSAttributes", assembly.add(attributes[0])))
    } else if runs > 0 {
      pairs.append(("NSAttributes", assembly.addArrayObject(attributes)))
      pairs.append(("NSAttributeInfo", assembly.addDataObject(info)))
    }
    return assembly.addDictionary(pairs + assembly.classPair(object.classNumber))
  }

  /// LEB128.
  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    repeat {
      let low = UInt8(rest & 0x7F)
      rest >>= 7
      bytes.append(rest == 0 ? low : low | 0x80)
    } while rest > 0
  }

  /// `c`: the colour space; then its components (`NSColorSpace` 1 and 2: red, green, blue, alpha; 3 and 4:
  /// white, alpha; 5: cyan, magenta, yellow, black, alpha; 6: the names of catalog and colour, and a colour).
  static func color(_ object: TypedObject, _ assembly: inout StreamAssembly) -> UInt32? {
    guard let first = object.groups.first, first.text == "c",
      case .integer(let space) = first.values[0]
    else { return nil }
    let values = object.groups.dropFirst().flatMap(\.values)
    var pairs = [("NSColorSpace", assembly.add(.integer(space)))]
    switch (space, values.count) {
    case (1, 4), (2, 4), (3, 2), (4, 2), (5, 5):
      let numbers = flat(values).compactMap { $0 }
      guard numbers.count == values.count else { return nil }
      // An alpha of 1 is left out, and the text ends with a zero byte.
      let shown = numbers.last == 1 ? numbers.dropLast() : numbers[...]
      let text = shown.map(text).joined(separator: " ")
      let key = space <= 2 ? "NSRGB" : space <= 4 ? "NSWhite" : "NSCMYK"
      pairs.append((key, assembly.add(data: Array(text.utf8) + [0])))
    case (6, 3):
      let keys = ["NSCatalogName", "NSColorName", "NSColor"]
      for (key, value) in zip(keys, values) { pairs.append((key, assembly.add(value))) }
    default: return nil
    }
    return assembly.addDictionary(pairs + assembly.classPair(object.classNumber))
  }
}
