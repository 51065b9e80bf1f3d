// Values without a stored form: those that a lens adds, and those of a property list.

import Basics
import ObjectGraph

extension ArchiveAssembly {
  /// A new value, with the class and the storage of its schema.
  mutating func newPart(_ value: Value, _ trail: Int) throws(ArchiveError) -> Part {
    let rule = rule(value, trail)
    switch graph.value(of: value.node) {
    case .null: return value.holder == .field ? .object(0) : .object(nullObject())
    case .boolean, .integer, .unsigned, .real, .single:
      return try number(value, rule, trail)
    case .data:
      let index = scalar(of: value.node)
      if value.holder == .field, (value.storage ?? heldStorage(value) ?? rule?.storage) == .inline {
        return .built(index)
      }
      let name = className(rule, "NSData")
      guard FoundationClass.isMutable(name) else { return .object(object(ofScalar: index, value)) }
      return .object(replacement(value, name, index) { $0.object(name, [("NS.data", index)]) })
    case .string(let text): return try string(text, value, rule, trail)
    case .date(let seconds):
      let index = builder.add(seconds)
      return .object(
        replacement(value, "NSDate", index) { $0.object("NSDate", [("NS.time", index)]) })
    case .uid:
      throw unknown("a UID from outside a keyed archive cannot be stored in one", trail)
    case .array, .set, .orderedSet, .dictionary, .object:
      return try newContainer(value, trail)
    }
  }

  /// The class of a new value: the schema's, or a plain one in the schema's form.
  private func className(_ rule: StructureRule?, _ plain: String) -> String {
    let name = rule?.className ?? plain
    return rule?.isMutable == true ? FoundationClass.mutable(name) : name
  }

  // MARK: Numbers

  private mutating func number(
    _ value: Value, _ rule: StructureRule?, _ trail: Int
  ) throws(ArchiveError) -> Part {
    if rule?.className == "NSDecimalNumber", !isStored(value.node) {
      guard let parts = DecimalParts(numberText(value.node)) else {
        throw unknown("the number is not a decimal number, which its class requires", trail)
      }
      return .object(
        replacement(value, "NSDecimalNumber", scalar(of: value.node)) { $0.decimalObject(parts) })
    }
    let index = shaped(value.node, request.shape.number(value.place))
    guard value.holder == .field else { return .object(object(ofScalar: index, value)) }
    var storage = value.storage ?? heldStorage(value)
    if storage == nil { storage = try self.storage(rule, trail) }
    return storage == .inline ? .built(index) : .object(object(ofScalar: index, value))
  }

  /// The storage of the value that this one replaces.
  private func heldStorage(_ value: Value) -> FieldStorage? {
    guard let slot = value.slot, isStored(graph.node(in: slot)) else { return nil }
    switch graph.value(of: graph.node(in: slot)) {
    case .boolean, .integer, .unsigned, .real, .single, .data:
      return graph.objectNumber(in: slot) == nil ? .inline : .boxed
    default: return nil
    }
  }

  /// A number in the type that the schema gives it, as a coder would write it.
  private mutating func shaped(_ node: Node, _ shape: NumberShape) -> UInt32 {
    switch (graph.value(of: node), shape) {
    case (.integer(let number), .boolean) where number == 0 || number == 1:
      return builder.add(number == 1)
    case (.integer(let number), .real) where Int64(exactly: Double(number)) == number:
      return builder.add(Double(number))
    case (.real(let number), .integer):
      guard let whole = Int64(exactly: number) else { return scalar(of: node) }
      return builder.add(whole)
    default: return scalar(of: node)
    }
  }

  // MARK: Strings

  mutating func string(
    _ text: Text, _ value: Value, _ rule: StructureRule?, _ trail: Int
  ) throws(ArchiveError) -> Part {
    let name = className(rule, "NSString")
    let index = builder.add(text)
    switch name {
    case "NSURL":
      guard URLReference.isWellFormed(text.string) else {
        throw unknown("the string is not a URL, which its class requires", trail)
      }
      return .object(
        replacement(value, name, index) {
          $0.urlObject(relative: .object($0.object(ofScalar: index)), base: .object(0))
        })
    case "NSUUID":
      guard let bytes = Self.identifier(text.string) else {
        throw unknown("the string is not a UUID, which its class requires", trail)
      }
      return .object(replacement(value, name, index) { $0.identifierObject(bytes) })
    case "NSDecimalNumber":
      guard let parts = DecimalParts(text.string) else {
        throw unknown("the string is not a decimal number, which its class requires", trail)
      }
      return .object(replacement(value, name, index) { $0.decimalObject(parts) })
    case "NSString", "NSMutableString":
      // A bare "$null" is nil to every decoder.
      guard name == "NSMutableString" || text.equals("$null") else {
        return .object(object(ofScalar: index, value))
      }
      return .object(replacement(value, name, index) { $0.stringObject(index, name) })
    default:
      throw unknown("a string cannot become an object of the class \(name)", trail)
    }
  }

  /// A string that is an object with a class.
  mutating func stringObject(_ index: UInt32, _ name: String) -> Int {
    object(name, [("NS.string", index)])
  }

  /// The object of a UUID.
  mutating func identifierObject(_ bytes: [UInt8]) -> Int {
    object("NSUUID", [("NS.uuidbytes", bytes.withUnsafeBytes { builder.add(data: $0) })])
  }

  /// The bytes of a UUID's text.
  static func identifier(_ text: String) -> [UInt8]? {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard groups.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
    let digits = groups.flatMap { $0 }
    var bytes: [UInt8] = []
    for position in stride(from: 0, to: 32, by: 2) {
      let pair = String(decoding: digits[position..<position + 2], as: UTF8.self)
      guard pair.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }), let byte = UInt8(pair, radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  // MARK: Objects of Foundation

  /// An object of a Foundation class whose fields are stored in it.
  private mutating func object(_ name: String, _ values: [(String, UInt32)]) -> Int {
    var fields = values.map { Field(key: .built(builder.add($0.0)), value: .built($0.1)) }
    appendClass(name, to: &fields)
    return add(.pairs(fields))
  }

  mutating func appendClass(_ name: String, to fields: inout [Field]) {
    guard let record = record(.named(name, FoundationClass.chain(of: name))) else { return }
    fields.append(Field(key: .built(builder.add("$class")), value: record))
  }

  mutating func nullObject() -> Int {
    if let known = nullObjectNumber { return known }
    let object = object("NSNull", [])
    nullObjectNumber = object
    return object
  }

  private mutating func urlObject(relative: Part, base: Part) -> Int {
    var fields = [
      Field(key: .built(builder.add("NS.base")), value: base),
      Field(key: .built(builder.add("NS.relative")), value: relative),
    ]
    appendClass("NSURL", to: &fields)
    return add(.pairs(fields))
  }

  /// A value in its Codable form, as an object of its schema's class; nil for other values.
  mutating func foundationObject(_ item: Work, _ pairs: Pairs) throws(ArchiveError) -> Content? {
    guard let name = rule(item)?.className, !isStored(item.node) else {
      return nil
    }
    switch name {
    case "NSURL":
      guard let url = try url(item.node, 0, item.trail) else {
        throw unknown(
          "the value is not a URL, which its class requires: its member 'relative' is missing",
          item.trail)
      }
      return contents[url]
    case "NSDecimalNumber":
      guard let number = decimal(pairs) else {
        throw unknown("the value is not a decimal number, which its class requires", item.trail)
      }
      return contents[number]
    default:
      guard Self.makesObjects(of: name) else { return nil }
      guard let object = object(ofForm: item.node, name) else {
        throw unknown(
          "the value is not in Codable's form of \(name), which its class requires", item.trail)
      }
      return contents[object]
    }
  }

  mutating func url(
    _ node: Node, _ depth: Int, _ trail: Int
  ) throws(ArchiveError) -> Int? {
    guard depth < 16 else { throw unknown("the base addresses of the URL go too deep", trail) }
    guard case .dictionary(let pairs) = graph.value(of: node) else { return nil }
    var relative: Text?
    var base: Part = .object(0)
    for position in 0..<pairs.count {
      let value = graph.value(pairs, position)
      switch graph.memberName(pairs, position)?.string {
      case "relative":
        guard case .string(let text) = graph.value(of: value) else { return nil }
        relative = text
      case "base":
        guard let object = try url(value, depth + 1, trail) else { return nil }
        base = .object(object)
      default: return nil
      }
    }
    guard let relative else { return nil }
    return urlObject(relative: .object(object(ofScalar: builder.add(relative))), base: base)
  }

  /// The object of a decimal's parts: the mantissa as eight 16-bit words from the least significant.
  mutating func decimal(_ pairs: Pairs) -> Int? {
    var numbers: [String: Int64] = [:]
    var flags: [String: Bool] = [:]
    var words: [UInt8] = []
    for position in 0..<pairs.count {
      guard let name = graph.memberName(pairs, position)?.string else { return nil }
      switch graph.value(of: graph.value(pairs, position)) {
      case .integer(let number): numbers[name] = number
      case .boolean(let flag): flags[name] = flag
      case .array(let elements) where name == "mantissa" && elements.count == 8:
        for index in 0..<8 {
          guard case .integer(let word) = graph.value(of: graph.node(elements, index)),
            let word = UInt16(exactly: word)
          else { return nil }
          words += [UInt8(word & 0xFF), UInt8(word >> 8)]
        }
      default: return nil
      }
    }
    guard pairs.count == 5, let exponent = numbers["exponent"], let length = numbers["length"],
      let isNegative = flags["isNegative"], let isCompact = flags["isCompact"], words.count == 16
    else { return nil }
    return decimalObject(
      DecimalParts(
        exponent: exponent, length: length, isNegative: isNegative, isCompact: isCompact,
        mantissa: words))
  }

  /// The shortest text of a JSON number; empty for other values.
  private func numberText(_ node: Node) -> String {
    switch graph.value(of: node) {
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .real(let number): "\(number)"
    default: ""
    }
  }

  private mutating func decimalObject(_ parts: DecimalParts) -> Int {
    let mantissa = object(ofScalar: parts.mantissa.withUnsafeBytes { builder.add(data: $0) })
    var fields: [Field] = []
    for (key, value) in [
      ("NS.exponent", Part.built(builder.add(parts.exponent))),
      ("NS.length", .built(builder.add(parts.length))),
      ("NS.negative", .built(builder.add(parts.isNegative))),
      ("NS.compact", .built(builder.add(parts.isCompact))),
      ("NS.mantissa.bo", .built(builder.add(Int64(1)))), ("NS.mantissa", .object(mantissa)),
    ] {
      fields.append(Field(key: .built(builder.add(key)), value: value))
    }
    appendClass("NSDecimalNumber", to: &fields)
    return add(.pairs(fields))
  }
}
