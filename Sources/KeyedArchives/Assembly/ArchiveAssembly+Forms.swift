// Objects of Foundation made from their Codable forms, if a schema names their class.
//
// Keys and storage: swift-corelibs-foundation, NSDateComponents.swift, NSCalendar.swift, NSLocale.swift, NSTimeZone.swift,
// NSDateInterval.swift, NSIndexSet.swift, NSIndexPath.swift, NSPersonNameComponents.swift.

import Basics
import ObjectGraph

extension ArchiveAssembly {
  /// The members of a value in a Codable form, all of which must be used.
  private struct Members {
    private var nodes: [String: Node] = [:]
    private let graph: ObjectGraph

    init?(_ node: Node, of graph: ObjectGraph) {
      guard case .dictionary(let pairs) = graph.value(of: node), pairs.count < 64 else {
        return nil
      }
      self.graph = graph
      for position in 0..<pairs.count {
        guard let name = graph.memberName(pairs, position)?.string else { return nil }
        nodes[name] = graph.value(pairs, position)
      }
    }

    var isEmpty: Bool { nodes.isEmpty }

    mutating func take(_ name: String) -> Node? { nodes.removeValue(forKey: name) }

    mutating func integer(_ name: String) -> Int64? {
      guard let node = take(name), case .integer(let number) = graph.value(of: node) else {
        return nil
      }
      return number
    }

    mutating func text(_ name: String) -> Text? {
      guard let node = take(name), case .string(let text) = graph.value(of: node) else {
        return nil
      }
      return text
    }
  }

  /// The classes whose objects are made from their Codable forms.
  private static let formClasses: Set<String> = [
    "NSDateComponents", "NSCalendar", "NSLocale", "NSTimeZone", "NSDateInterval", "NSIndexSet",
    "NSMutableIndexSet", "NSIndexPath", "NSPersonNameComponents",
  ]

  /// Whether objects of a class are made from their Codable form here.
  static func makesObjects(of className: String) -> Bool { formClasses.contains(className) }

  /// The object of a class made from its Codable form; nil for other values.
  mutating func object(ofForm node: Node, _ name: String, depth: Int = 0) -> Int? {
    guard depth < 4, Self.formClasses.contains(name), var members = Members(node, of: graph) else {
      return nil
    }
    let fields: [Field]?
    switch name {
    case "NSDateComponents": fields = dateComponents(&members, depth)
    case "NSCalendar": fields = calendar(&members, depth)
    case "NSLocale":
      fields =
        members.integer("current") == 0 ? text("NS.identifier", members.text("identifier")) : nil
    case "NSTimeZone": fields = text("NS.name", members.text("identifier"))
    case "NSDateInterval": fields = interval(&members)
    case "NSIndexSet", "NSMutableIndexSet": fields = indexSet(&members)
    case "NSIndexPath": fields = indexPath(&members)
    default: fields = personName(&members)
    }
    guard var fields, members.isEmpty else { return nil }
    appendClass(name, to: &fields)
    return add(.pairs(fields))
  }

  // MARK: Fields

  private mutating func field(_ key: String, _ value: Part) -> Field {
    Field(key: .built(builder.add(key)), value: value)
  }

  private mutating func field(_ key: String, _ number: Int64) -> Field {
    field(key, .built(builder.add(number)))
  }

  private mutating func text(_ key: String, _ text: Text?) -> [Field]? {
    text.map { [field(key, .object(object(ofScalar: builder.add($0))))] }
  }

  private mutating func dateObject(_ seconds: Double) -> Part {
    var fields = [field("NS.time", .built(builder.add(seconds)))]
    appendClass("NSDate", to: &fields)
    return .object(add(.pairs(fields)))
  }

  // MARK: Classes

  /// Every number has a field, with the highest integer if it is not set.
  private mutating func dateComponents(_ members: inout Members, _ depth: Int) -> [Field]? {
    var fields: [Field] = []
    for (key, name, className) in [
      ("NS.calendar", "calendar", "NSCalendar"), ("NS.timezone", "timeZone", "NSTimeZone"),
    ] {
      guard let node = members.take(name) else {
        fields.append(field(key, .object(0)))
        continue
      }
      guard let object = object(ofForm: node, className, depth: depth + 1) else { return nil }
      fields.append(field(key, .object(object)))
    }
    for (key, name) in [
      ("NS.era", "era"), ("NS.year", "year"), ("NS.month", "month"), ("NS.day", "day"),
      ("NS.hour", "hour"), ("NS.minute", "minute"), ("NS.second", "second"),
      ("NS.nanosec", "nanosecond"), ("NS.weekday", "weekday"),
      ("NS.weekdayOrdinal", "weekdayOrdinal"), ("NS.quarter", "quarter"),
      ("NS.weekOfMonth", "weekOfMonth"), ("NS.weekOfYear", "weekOfYear"),
      ("NS.yearForWOY", "yearForWeekOfYear"),
    ] {
      fields.append(field(key, members.integer(name) ?? .max))
    }
    if let day = members.integer("dayOfYear") { fields.append(field("NS.dayOfYear", day)) }
    for (key, name) in [("NS.isLeapMonth", "isLeapMonth"), ("NS.isRepeatedDay", "isRepeatedDay")] {
      guard let node = members.take(name) else { continue }
      guard case .boolean(let flag) = graph.value(of: node) else { return nil }
      fields.append(field(key, .built(builder.add(flag))))
    }
    return fields
  }

  private mutating func calendar(_ members: inout Members, _ depth: Int) -> [Field]? {
    guard members.integer("current") == 0,
      var fields = text("NS.identifier", members.text("identifier")),
      let zone = members.take("timeZone"), let locale = members.take("locale"),
      let zoneObject = object(ofForm: zone, "NSTimeZone", depth: depth + 1),
      let localeObject = object(ofForm: locale, "NSLocale", depth: depth + 1),
      let weekday = members.integer("firstWeekday"),
      let days = members.integer("minimumDaysInFirstWeek")
    else { return nil }
    fields.append(field("NS.timezone", .object(zoneObject)))
    fields.append(field("NS.locale", .object(localeObject)))
    fields.append(field("NS.firstwkdy", weekday))
    fields.append(field("NS.mindays", days))
    return fields
  }

  private mutating func interval(_ members: inout Members) -> [Field]? {
    guard let start = members.take("start"), case .date(let first) = graph.value(of: start),
      let node = members.take("duration")
    else { return nil }
    let duration: Double
    switch graph.value(of: node) {
    case .real(let number): duration = number
    case .integer(let number): duration = Double(number)
    default: return nil
    }
    return [
      field("NS.startDate", dateObject(first)), field("NS.endDate", dateObject(first + duration)),
    ]
  }

  private mutating func indexSet(_ members: inout Members) -> [Field]? {
    guard let list = members.take("indexes"), case .array(let ranges) = graph.value(of: list) else {
      return nil
    }
    var numbers: [Int64] = []
    for position in 0..<ranges.count {
      guard var range = Members(graph.node(ranges, position), of: graph),
        let location = range.integer("location"), let length = range.integer("length"),
        location >= 0, length > 0, range.isEmpty
      else { return nil }
      numbers += [location, length]
    }
    let count = field("NSRangeCount", Int64(ranges.count))
    switch numbers.count {
    case 0: return [count]
    case 2: return [count, field("NSLocation", numbers[0]), field("NSLength", numbers[1])]
    default: return [count, field("NSRangeData", packed(numbers))]
    }
  }

  private mutating func indexPath(_ members: inout Members) -> [Field]? {
    guard let list = members.take("indexes"), case .array(let elements) = graph.value(of: list)
    else { return nil }
    var numbers: [Int64] = []
    for position in 0..<elements.count {
      guard case .integer(let number) = graph.value(of: graph.node(elements, position)),
        number >= 0
      else { return nil }
      numbers.append(number)
    }
    let length = field("NSIndexPathLength", Int64(numbers.count))
    switch numbers.count {
    case 0: return [length]
    case 1: return [length, field("NSIndexPathValue", numbers[0])]
    default: return [length, field("NSIndexPathData", packed(numbers))]
    }
  }

  /// Numbers of seven bits a byte, least significant first, as data in an object of its own.
  private mutating func packed(_ numbers: [Int64]) -> Part {
    var bytes: [UInt8] = []
    for number in numbers {
      var rest = UInt64(bitPattern: number)
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    let index = bytes.withUnsafeBytes { builder.add(data: $0) }
    return .object(object(ofScalar: index))
  }

  private mutating func personName(_ members: inout Members) -> [Field]? {
    var fields: [Field] = []
    for name in ["namePrefix", "givenName", "middleName", "familyName", "nameSuffix", "nickname"] {
      guard let node = members.take(name) else {
        // Foundation does not open a name that lacks the field.
        fields.append(field("NS." + name, .object(0)))
        continue
      }
      guard case .string(let part) = graph.value(of: node) else { return nil }
      fields += text("NS." + name, part) ?? []
    }
    return fields
  }
}

// MARK: Dictionaries in turn

extension ArchiveAssembly {
  /// A dictionary from Codable's list of keys and values, if the schema asks for it; nil for other values.
  mutating func listedDictionary(
    _ item: Work, _ elements: Elements
  ) throws(ArchiveError) -> Content? {
    let rule = rule(item)
    guard let className = rule?.className, !isStored(item.node),
      FoundationClass.immutable(className) == "NSDictionary"
    else { return nil }
    guard elements.count % 2 == 0 else {
      throw unknown(
        "the list does not alternate keys and values, which its class requires", item.trail)
    }
    let name = rule?.isMutable == true ? FoundationClass.mutable(className) : className
    guard let record = record(.named(name, FoundationClass.chain(of: name))) else { return nil }
    let place = request.shape.place(of: "", in: item.place)
    var keys: [Part] = []
    var values: [Part] = []
    for position in 0..<elements.count {
      let trail = step(.index(position), after: item.trail)
      let node = graph.node(elements, position)
      if position % 2 == 0 {
        keys.append(try listedKey(node, trail))
      } else {
        values.append(
          try part(Value(node: node, slot: nil, place: place, holder: .collection), trail: trail))
      }
    }
    return .pairs(
      collectionFields(keys: keys, values: values, record, isIndexed: false, nil))
  }

  /// A key that is not a name: among strings only UUIDs are such keys.
  private mutating func listedKey(_ node: Node, _ trail: Int) throws(ArchiveError) -> Part {
    switch graph.value(of: node) {
    case .string(let text):
      guard let bytes = Self.identifier(text.string) else {
        throw unknown("the class of the key is not known: of strings only UUIDs are such", trail)
      }
      return .object(identifierObject(bytes))
    case .dictionary(let pairs):
      if let object = decimal(pairs) { return .object(object) }
      if let object = try url(node, 0, trail) { return .object(object) }
      throw unknown("the class of the key is not known", trail)
    default:
      return try part(
        Value(node: node, slot: nil, place: 0, holder: .collection, isKey: true), trail: trail)
    }
  }
}
