// Values of Foundation that PropertyListEncoder spells in its own way, and those that JSONEncoder spells in another.
//
// Each form is what swift-foundation's and swift-corelibs-foundation's Codable conformances write.

import ObjectGraph

/// A value as Codable types encode themselves.
indirect enum CodableSpelling {
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  case node(Node)
  case array([CodableSpelling])
  case dictionary([(String, CodableSpelling)])
}

/// Finds the Codable form of archived Foundation values.
///
/// An object with a field that its form has no place for has no form: the field would be lost.
enum CodableForms {
  /// A class's form, and the fields that it tells.
  struct Form: Sendable {
    let fields: Set<String>
    let spell: @Sendable (ObjectFields) -> CodableSpelling?
  }

  private static let forms: [(names: [String], form: Form)] = [
    (NSURLClass.classNames, Form(fields: ["NS.base", "NS.relative"]) { url($0) }),
    (
      NSDecimalNumberClass.classNames,
      Form(
        fields: [
          "NS.exponent", "NS.length", "NS.negative", "NS.compact", "NS.mantissa",
          "NS.mantissa.bo", "NS.bo",
        ]) { decimal($0) }
    ),
    (
      NSValueClass.classNames,
      Form(
        fields: [
          "NS.special", "NS.pointval", "NS.sizeval", "NS.rectval", "NS.rangeval.location",
          "NS.rangeval.length",
        ]) { value($0) }
    ),
    (
      NSIndexSetClass.classNames,
      Form(fields: ["NSRangeCount", "NSRangeData", "NSLocation", "NSLength"]) { indexSet($0) }
    ),
    (NSLocaleClass.classNames, Form(fields: ["NS.identifier"]) { locale($0) }),
    // The transitions of a time zone go with its name.
    (NSTimeZoneClass.classNames, Form(fields: ["NS.name", "NS.data"]) { timeZone($0) }),
    (
      NSDateIntervalClass.classNames,
      Form(fields: ["NS.startDate", "NS.endDate", "NS.duration"]) { dateInterval($0) }
    ),
    (NSMeasurementClass.classNames, Form(fields: ["NS.value", "NS.unit"]) { measurement($0) }),
    (NSDateComponentsClass.classNames, Form(fields: dateComponentFields) { dateComponents($0) }),
    (
      NSIndexPathClass.classNames,
      Form(fields: ["NSIndexPathLength", "NSIndexPathData", "NSIndexPathValue"]) { indexPath($0) }
    ),
    (NSCalendarClass.classNames, Form(fields: calendarFields) { calendar($0) }),
    (["NSPersonNameComponents"], Form(fields: personNameFields) { personName($0) }),
  ]

  private static let byClass: [String: Form] = {
    var table: [String: Form] = [:]
    for (names, form) in forms { for name in names { table[name] = form } }
    return table
  }()

  /// Whether objects of a class have a form of their own, if their fields are such as the class writes.
  static func hasForm(_ className: String) -> Bool { byClass[className] != nil }

  /// The form of an object, nil if its class has no form of its own.
  static func spelling(of node: Node, in graph: ObjectGraph) -> CodableSpelling? {
    guard let index = graph.classIndex(of: node), let form = byClass[graph.classes[index].name]
    else { return nil }
    let fields = ObjectFields(of: node, in: graph)
    return fields.areAll(among: form.fields) ? form.spell(fields) : nil
  }

  /// The form of what a field leads to, nil if it is nil or has none of the class's form.
  static func spelling(
    _ name: String, of fields: ObjectFields, as classNames: [String]
  ) -> CodableSpelling? {
    guard let node = fields[name], let index = fields.graph.classIndex(of: node),
      classNames.contains(fields.graph.classes[index].name)
    else { return nil }
    return spelling(of: node, in: fields.graph)
  }

  /// The form of an object in JSON, where URLs are strings and decimals numbers.
  static func jsonSpelling(of node: Node, in graph: ObjectGraph) -> CodableSpelling? {
    guard let spelled = spelling(of: node, in: graph) else { return nil }
    guard let index = graph.classIndex(of: node), case .string(let text) = graph.value(of: node)
    else { return spelled }
    switch graph.classes[index].name {
    case let name where NSURLClass.classNames.contains(name): return .text(text.string)
    case let name where NSDecimalNumberClass.classNames.contains(name):
      if let number = Int64(text.string) { return .integer(number) }
      // More digits than a real has are no number that is read back.
      guard let number = Double(text.string), number.isFinite,
        isSame(text.string, "\(number)")
      else { return nil }
      return .real(number)
    default: return spelled
    }
  }

  /// Whether two decimal texts tell one number: `0.5` and `5e-1`.
  static func isSame(_ decimal: String, _ other: String) -> Bool {
    parts(decimal).map { one in parts(other).map { one == $0 } ?? false } ?? false
  }

  /// The digits of a number without zeros at its ends, and where its point is.
  private static func parts(_ text: String) -> [String]? {
    let halves = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
    guard let mantissa = halves.first, let exponent = Int(halves.count > 1 ? halves[1] : "0") else {
      return nil
    }
    let isNegative = mantissa.hasPrefix("-")
    let sides = mantissa.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = sides.first else { return nil }
    var digits = whole + (sides.count > 1 ? sides[1] : "")
    var point = whole.count + exponent
    while digits.hasPrefix("0") {
      digits.removeFirst()
      point -= 1
    }
    while digits.hasSuffix("0") { digits.removeLast() }
    return [isNegative ? "-" : "", String(digits), digits.isEmpty ? "" : String(point)]
  }

  /// URL: `{relative}`, and `{base: {relative}}` if it has one.
  private static func url(_ fields: ObjectFields, depth: Int = 0) -> CodableSpelling? {
    guard depth < 16, let relative = fields["NS.relative"] else { return nil }
    var members: [(String, CodableSpelling)] = [("relative", .node(relative))]
    if !fields.isNil("NS.base") {
      guard let base = fields["NS.base"],
        let spelled = url(ObjectFields(of: base, in: fields.graph), depth: depth + 1)
      else { return nil }
      members.insert(("base", spelled), at: 0)
    }
    return .dictionary(members)
  }

  /// Decimal: its parts, the mantissa as eight 16-bit words from the least significant.
  private static func decimal(_ fields: ObjectFields) -> CodableSpelling? {
    guard let exponent = fields.integer("NS.exponent"), let length = fields.integer("NS.length"),
      let isNegative = fields.boolean("NS.negative"), let isCompact = fields.boolean("NS.compact"),
      let mantissa = fields.data("NS.mantissa"), mantissa.count == 16
    else { return nil }
    // NS.mantissa.bo is CFByteOrder: 1 is little-endian, as every archive of a living machine has it.
    let order = fields.integer("NS.mantissa.bo") ?? fields.integer("NS.bo") ?? 1
    let words = (0..<8).map { position -> CodableSpelling in
      let first = UInt16(mantissa[position * 2])
      let second = UInt16(mantissa[position * 2 + 1])
      return .integer(Int64(order == 2 ? first << 8 | second : second << 8 | first))
    }
    return .dictionary([
      ("exponent", .integer(exponent)), ("length", .integer(length)),
      ("isNegative", .boolean(isNegative)), ("isCompact", .boolean(isCompact)),
      ("mantissa", .array(words)),
    ])
  }

  /// CGPoint and CGSize `[x, y]`, CGRect `[[x, y], [w, h]]`, NSRange `[location, length]`.
  private static func value(_ fields: ObjectFields) -> CodableSpelling? {
    switch fields.integer("NS.special") {
    case 1: return geometry(fields.string("NS.pointval"), [2])
    case 2: return geometry(fields.string("NS.sizeval"), [2])
    case 3: return geometry(fields.string("NS.rectval"), [2, 2])
    case 4:
      guard let location = fields["NS.rangeval.location"],
        let length = fields["NS.rangeval.length"]
      else { return nil }
      return .array([.node(location), .node(length)])
    default: return nil
    }
  }

  /// The numbers of `{1, 2}` or `{{1, 2}, {3, 4}}`.
  private static func geometry(_ text: String?, _ shape: [Int]) -> CodableSpelling? {
    guard let text else { return nil }
    let numbers = text.split { "{}, ".contains($0) }.map { Double($0) }
    guard numbers.count == shape.reduce(0, +) else { return nil }
    var spelled: [CodableSpelling] = []
    for number in numbers {
      guard let number else { return nil }
      spelled.append(.real(number))
    }
    return shape.count == 1
      ? .array(spelled) : .array([.array(Array(spelled[..<2])), .array(Array(spelled[2...]))])
  }

  /// IndexSet: `{indexes: [{location, length}]}`.
  private static func indexSet(_ fields: ObjectFields) -> CodableSpelling? {
    var ranges: [CodableSpelling] = []
    func add(_ location: Int64, _ length: Int64) {
      ranges.append(
        .dictionary([("location", .integer(location)), ("length", .integer(length))]))
    }
    if let data = fields.data("NSRangeData") {
      var numbers = LEB128(data)
      while let location = numbers.next() {
        guard let length = numbers.next() else { return nil }
        add(location, length)
      }
    } else if let location = fields.integer("NSLocation"), let length = fields.integer("NSLength") {
      add(location, length)
    }
    return .dictionary([("indexes", .array(ranges))])
  }

  /// Locale: `{current: 0, identifier}`.
  private static func locale(_ fields: ObjectFields) -> CodableSpelling? {
    guard let identifier = fields["NS.identifier"] else { return nil }
    return .dictionary([("current", .integer(0)), ("identifier", .node(identifier))])
  }

  /// TimeZone: `{identifier}`.
  static func timeZone(_ fields: ObjectFields) -> CodableSpelling? {
    guard let name = fields["NS.name"] else { return nil }
    return .dictionary([("identifier", .node(name))])
  }

  /// DateInterval: `{start, duration}`.
  private static func dateInterval(_ fields: ObjectFields) -> CodableSpelling? {
    guard let start = fields["NS.startDate"], case .date(let first) = fields.graph.value(of: start)
    else { return nil }
    let duration: Double
    if let end = fields["NS.endDate"], case .date(let last) = fields.graph.value(of: end) {
      duration = last - first
      if !fields.isNil("NS.duration"), fields.real("NS.duration") != duration { return nil }
    } else {
      guard fields.isNil("NS.endDate"), let told = fields.real("NS.duration") else { return nil }
      duration = told
    }
    return .dictionary([("start", .node(start)), ("duration", .real(duration))])
  }
}

/// Numbers of seven bits a byte, least significant first, as NSIndexSet and NSIndexPath pack them.
struct LEB128: IteratorProtocol {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  mutating func next() -> Int64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = rest.popFirst(), shift < 63 {
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return Int64(exactly: value) }
      shift += 7
    }
    return nil
  }
}
