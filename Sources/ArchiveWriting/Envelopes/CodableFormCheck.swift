// Whether a plain value is Codable's form of an archived object, checked from the archive.
//
// It verifies what `CodableForms` writes, and so uses nothing of that: every field of the object has to be found
// again in the value, and every member of the value in the object. A field that is not known is not found.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

/// Compares an archived object of Foundation with a plain value, field by field.
struct CodableFormCheck {
  /// The graph of the object.
  let archive: ObjectGraph
  /// The graph of the value.
  let plain: ObjectGraph

  /// The classes whose Codable forms are not copies of their fields.
  private static let classes: Set<String> = [
    "NSURL", "NSDecimalNumber", "NSDecimalNumberPlaceholder", "NSValue", "NSConcreteValue",
    "NSIndexSet", "NSMutableIndexSet", "NSIndexPath", "UIMutableIndexPath", "NSLocale",
    "NSTimeZone", "__NSTimeZone", "__NSLocalTimeZone", "NSDateInterval",
    "_NSConcreteDateInterval", "NSMeasurement", "NSDateComponents", "NSCalendar",
    "NSPersonNameComponents",
  ]

  /// Whether a value can only be compared with an object by its form.
  static func concerns(_ object: Node, in graph: ObjectGraph) -> Bool {
    graph.isContainerOrData(object)
      && graph.classDescription(of: object).map { classes.contains($0.name) } ?? false
  }

  /// Whether a value is what Codable makes of an object.
  func isForm(_ value: Node, of object: Node, depth: Int = 0) -> Bool {
    guard depth < 20, let name = archive.classDescription(of: object)?.name,
      Self.classes.contains(name), let fields = fields(of: object)
    else { return false }
    if let members = members(of: value) {
      return isObject(members, name, fields, depth)
    }
    switch (name, plain.value(of: value)) {
    case ("NSValue", .array(let elements)), ("NSConcreteValue", .array(let elements)):
      return isStructure(elements, fields)
    case ("NSURL", .string(let text)):
      // JSON has the address in one.
      return archive.value(of: object).text?.sameCharacters(as: text) == true
    case ("NSDecimalNumber", let number), ("NSDecimalNumberPlaceholder", let number):
      return isNumber(number, object)
    default: return false
    }
  }

  private func isObject(
    _ members: Parts, _ name: String, _ fields: Parts, _ depth: Int
  ) -> Bool {
    var (fields, members) = (fields, members)
    let isSame: Bool
    switch name {
    case "NSURL": isSame = isURL(&members, &fields, depth)
    case "NSDecimalNumber", "NSDecimalNumberPlaceholder": isSame = isDecimal(&members, &fields)
    case "NSIndexSet", "NSMutableIndexSet": isSame = isIndexSet(&members, &fields)
    case "NSIndexPath", "UIMutableIndexPath": isSame = isIndexPath(&members, &fields)
    case "NSLocale":
      isSame =
        isInteger(members.remove("current"), 0)
        && isText(members.remove("identifier"), fields.remove("NS.identifier"))
    case "NSTimeZone", "__NSTimeZone", "__NSLocalTimeZone":
      // The rules of a zone are known by its name.
      _ = fields.remove("NS.data")
      isSame = isText(members.remove("identifier"), fields.remove("NS.name"))
    case "NSDateInterval", "_NSConcreteDateInterval": isSame = isInterval(&members, &fields)
    case "NSMeasurement": isSame = isMeasurement(&members, &fields)
    case "NSCalendar": isSame = isCalendar(&members, &fields, depth)
    case "NSDateComponents": isSame = areComponents(&members, &fields, depth)
    case "NSPersonNameComponents": isSame = isPersonName(&members, &fields)
    default: isSame = false
    }
    return isSame && members.isEmpty && fields.isEmpty
  }

  // MARK: Fields and members

  /// The fields of an object or the members of a value that nothing was found for yet.
  private typealias Parts = [String: Node]

  /// The fields of an object that are not nil; nil if a key is repeated or not a string.
  private func fields(of object: Node) -> Parts? {
    guard case .dictionary(let pairs) = archive.storedValue(of: object), pairs.count < 1000 else {
      return nil
    }
    var parts = Parts()
    var known: Set<String> = []
    for position in 0..<pairs.count {
      guard let key = archive.text(of: archive.key(pairs, position))?.string,
        known.insert(key).inserted
      else { return nil }
      let node = archive.value(pairs, position)
      if key == "$class" { continue }
      if case .null = archive.value(of: node) { continue }
      parts[key] = node
    }
    return parts
  }

  private func members(of value: Node) -> Parts? {
    guard case .dictionary(let pairs) = plain.value(of: value), pairs.count < 1000 else {
      return nil
    }
    var parts = Parts()
    for position in 0..<pairs.count {
      guard let key = plain.keyText(of: plain.key(pairs, position))?.string,
        parts.updateValue(plain.value(pairs, position), forKey: key) == nil
      else { return nil }
    }
    return parts
  }

  private func list(_ value: Node?) -> [Node]? {
    guard let value, case .array(let elements) = plain.value(of: value) else { return nil }
    return (0..<elements.count).map { plain.node(elements, $0) }
  }

  // MARK: Scalars

  private static func real(_ value: Value) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .single(let number): Double(number)
    default: nil
    }
  }

  private func stored(_ field: Node?) -> Value { field.map { archive.value(of: $0) } ?? .null }
  private func encoded(_ member: Node?) -> Value { member.map { plain.value(of: $0) } ?? .null }

  private func isText(_ member: Node?, _ field: Node?) -> Bool {
    guard let text = encoded(member).text, let other = stored(field).text else { return false }
    return text.sameCharacters(as: other)
  }

  private func isInteger(_ member: Node?, _ number: Int64) -> Bool {
    encoded(member).integral == number
  }

  private func isInteger(_ member: Node?, _ field: Node?) -> Bool {
    stored(field).integral.map { isInteger(member, $0) } ?? false
  }

  private func isFlag(_ member: Node?, _ field: Node?) -> Bool {
    stored(field).flag.map { $0 == encoded(member).flag } ?? false
  }

  private func isReal(_ member: Node?, _ number: Double) -> Bool {
    Self.real(encoded(member)).map { $0 == number || $0.isNaN && number.isNaN } ?? false
  }

  private func isReal(_ member: Node?, _ field: Node?) -> Bool {
    Self.real(stored(field)).map { isReal(member, $0) } ?? false
  }

  /// A decimal as a number, which JSON has of it.
  private func isNumber(_ number: Value, _ object: Node) -> Bool {
    guard case .string(let digits) = archive.value(of: object) else { return false }
    switch number {
    case .integer(let number): return digits.string == String(number)
    case .real(let number): return CodableForms.isSame(digits.string, "\(number)")
    default: return false
    }
  }

  // MARK: Classes

  private func isURL(_ members: inout Parts, _ fields: inout Parts, _ depth: Int) -> Bool {
    guard isText(members.remove("relative"), fields.remove("NS.relative")) else { return false }
    switch (members.remove("base"), fields.remove("NS.base")) {
    case (nil, nil): return true
    case (let base?, let field?): return isForm(base, of: field, depth: depth + 1)
    default: return false
    }
  }

  private func isDecimal(_ members: inout Parts, _ fields: inout Parts) -> Bool {
    guard isInteger(members.remove("exponent"), fields.remove("NS.exponent")),
      isInteger(members.remove("length"), fields.remove("NS.length")),
      isFlag(members.remove("isNegative"), fields.remove("NS.negative")),
      isFlag(members.remove("isCompact"), fields.remove("NS.compact")),
      case .data(let bytes) = stored(fields.remove("NS.mantissa")), bytes.count == 16,
      let words = list(members.remove("mantissa")), words.count == 8
    else { return false }
    let order = fields.remove("NS.mantissa.bo") ?? fields.remove("NS.bo")
    let isBigEndian = stored(order).integral == 2
    return words.indices.allSatisfy { index in
      let pair = [Int64(bytes[index * 2]), Int64(bytes[index * 2 + 1])]
      return isInteger(
        words[index], isBigEndian ? pair[0] * 256 + pair[1] : pair[1] * 256 + pair[0])
    }
  }

  /// A range, or the numbers of a point, a size or a rectangle.
  private func isStructure(_ elements: Elements, _ fields: Parts) -> Bool {
    var fields = fields
    let items = (0..<elements.count).map { plain.node(elements, $0) }
    guard let kind = stored(fields.remove("NS.special")).integral else { return false }
    if kind == 4 {
      return items.count == 2 && isInteger(items[0], fields.remove("NS.rangeval.location"))
        && isInteger(items[1], fields.remove("NS.rangeval.length")) && fields.isEmpty
    }
    let names: [Int64: String] = [1: "NS.pointval", 2: "NS.sizeval", 3: "NS.rectval"]
    guard let name = names[kind], case .string(let text) = stored(fields.remove(name)),
      fields.isEmpty
    else { return false }
    let flat = kind == 3 ? items.flatMap { list($0) ?? [] } : items
    guard items.count == 2, let numbers = GeometryText.numbers(text.string, kind == 3 ? 4 : 2),
      numbers.count == flat.count
    else { return false }
    return zip(flat, numbers).allSatisfy { isReal($0, $1) }
  }

  private func isIndexSet(_ members: inout Parts, _ fields: inout Parts) -> Bool {
    guard let ranges = list(members.remove("indexes")) else { return false }
    let count = fields.remove("NSRangeCount")
    guard count == nil || stored(count).integral == Int64(ranges.count) else { return false }
    var numbers: [Int64] = []
    if let packed = fields.remove("NSRangeData") {
      guard let all = stored(packed).bytes.flatMap(LEB128.all) else { return false }
      numbers = all
    } else if let location = fields.remove("NSLocation"), let length = fields.remove("NSLength") {
      guard let first = stored(location).integral, let second = stored(length).integral
      else { return false }
      numbers = [first, second]
    }
    guard numbers.count == ranges.count * 2 else { return false }
    return ranges.indices.allSatisfy { index in
      guard var range = self.members(of: ranges[index]) else { return false }
      return isInteger(range.remove("location"), numbers[index * 2])
        && isInteger(range.remove("length"), numbers[index * 2 + 1]) && range.isEmpty
    }
  }

  private func isIndexPath(_ members: inout Parts, _ fields: inout Parts) -> Bool {
    guard let indexes = list(members.remove("indexes")),
      stored(fields.remove("NSIndexPathLength")).integral == Int64(indexes.count)
    else { return false }
    var numbers: [Int64] = []
    if let packed = fields.remove("NSIndexPathData") {
      guard let all = stored(packed).bytes.flatMap(LEB128.all) else { return false }
      numbers = all
    } else if let value = fields.remove("NSIndexPathValue") {
      guard let number = stored(value).integral else { return false }
      numbers = [number]
    }
    return numbers.count == indexes.count
      && zip(indexes, numbers).allSatisfy { isInteger($0, $1) }
  }

  private func isInterval(_ members: inout Parts, _ fields: inout Parts) -> Bool {
    guard case .date(let start) = stored(fields.remove("NS.startDate")),
      case .date(start) = encoded(members.remove("start")),
      let duration = Self.real(encoded(members.remove("duration")))
    else { return false }
    let (end, length) = (fields.remove("NS.endDate"), fields.remove("NS.duration"))
    if let end {
      guard case .date(let end) = stored(end), end - start == duration else { return false }
    }
    if let length, Self.real(stored(length)) != duration { return false }
    return end != nil || length != nil
  }

  private func isMeasurement(_ members: inout Parts, _ fields: inout Parts) -> Bool {
    guard isReal(members.remove("value"), fields.remove("NS.value")),
      let unit = members.remove("unit"), let field = fields.remove("NS.unit"),
      var encoded = self.members(of: unit), var stored = self.fields(of: field),
      isText(encoded.remove("symbol"), stored.remove("NS.symbol"))
    else { return false }
    if let converter = encoded.remove("converter") {
      guard let field = stored.remove("NS.converter"), var encoded = self.members(of: converter),
        var stored = self.fields(of: field),
        isReal(encoded.remove("coefficient"), stored.remove("NS.coefficient")),
        isReal(encoded.remove("constant"), stored.remove("NS.constant")), encoded.isEmpty,
        stored.isEmpty
      else { return false }
    }
    return encoded.isEmpty && stored.isEmpty
  }

  private func isCalendar(
    _ members: inout Parts, _ fields: inout Parts, _ depth: Int
  ) -> Bool {
    // No form has the beginning of the Gregorian calendar; every calendar is archived with its usual day.
    if let start = fields.remove("NS.gstartdate") {
      guard case .date(-13_197_600_000) = stored(start) else { return false }
    }
    guard let zone = members.remove("timeZone"), let zoneField = fields.remove("NS.timezone"),
      let locale = members.remove("locale"), let localeField = fields.remove("NS.locale")
    else { return false }
    return isInteger(members.remove("current"), 0)
      && isText(members.remove("identifier"), fields.remove("NS.identifier"))
      && isForm(zone, of: zoneField, depth: depth + 1)
      && isForm(locale, of: localeField, depth: depth + 1)
      && isInteger(members.remove("firstWeekday"), fields.remove("NS.firstwkdy"))
      && isInteger(members.remove("minimumDaysInFirstWeek"), fields.remove("NS.mindays"))
  }

  /// Each field has a member of its name, except numbers that mean not set: the highest of either width.
  private func areComponents(
    _ members: inout Parts, _ fields: inout Parts, _ depth: Int
  ) -> Bool {
    let renamed = [
      "NS.timezone": "timeZone", "NS.nanosec": "nanosecond", "NS.yearForWOY": "yearForWeekOfYear",
    ]
    for (field, node) in fields {
      fields[field] = nil
      let value = stored(node)
      if let number = value.integral, number == .max || number == Int64(Int32.max) {
        continue
      }
      guard field.hasPrefix("NS."),
        let member = members.remove(renamed[field] ?? String(field.dropFirst(3)))
      else { return false }
      switch (field, value) {
      case ("NS.calendar", _), ("NS.timezone", _):
        guard isForm(member, of: node, depth: depth + 1) else { return false }
      case (_, .boolean): guard isFlag(member, node) else { return false }
      default:
        guard isInteger(member, node) || field.hasPrefix("NS.is") && isFlag(member, node) else {
          return false
        }
      }
    }
    return true
  }

  private func isPersonName(_ members: inout Parts, _ fields: inout Parts) -> Bool {
    if let inner = fields.remove("NS.nameComponentsPrivate") {
      guard fields.isEmpty, let own = self.fields(of: inner) else { return false }
      fields = own
    }
    for field in fields.keys where field.hasPrefix("NS.") {
      guard isText(members.remove(String(field.dropFirst(3))), fields.remove(field)) else {
        return false
      }
    }
    return true
  }
}

extension [String: Node] {
  fileprivate mutating func remove(_ name: String) -> Node? { removeValue(forKey: name) }
}
