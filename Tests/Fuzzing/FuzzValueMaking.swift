// Generates small values with few names, as JSON, as an XML property list, or as a keyed archive in one.

import ArchiveBasics

/// Makes a file of a value from numbers.
struct FuzzValueMaking {
  private indirect enum Made {
    case null
    case boolean(Bool)
    case integer(String)
    case real(String)
    case text(String)
    case date(String)
    case data(String)
    case list([Made])
    case members([(name: String, value: Made)])
  }

  private var numbers: FuzzNumbers
  private var objects: [String] = []
  private var classes: [String: Int] = [:]
  /// Where scalars are stored that more than one value refers to.
  private var shared: [String: Int] = [:]

  init(_ seed: UInt64) { numbers = FuzzNumbers(seed) }

  private static let integers = ["0", "1", "-1", "5", "4294967296", "9223372036854775807"]
  private static let reals = ["0.5", "-0.0", "1.0", "1e300", "1234567890.25"]
  private static let texts = [
    "", "x", "a", "1", "0.5", "true", "a b", "a,b", "é", "AQI=", "2026-01-02T03:04:05Z",
    "2026-01-02 03:04", "1767323045",
  ]
  private static let dates = ["2026-01-02T03:04:05Z", "2001-01-01T00:00:00Z"]

  /// A scalar as JSON spells it.
  static func scalar(_ numbers: inout FuzzNumbers) -> String {
    switch numbers.below(6) {
    case 0: numbers.one(of: integers)
    case 1: numbers.one(of: reals)
    case 2: numbers.one(of: ["true", "false"])
    default: "\"\(numbers.one(of: texts))\""
    }
  }

  /// A file of some format.
  mutating func file() -> String {
    let value = numbers.below(8) == 0 ? made(0) : members(0)
    switch numbers.below(4) {
    case 0: return json(value)
    case 1: return "<plist version=\"1.0\">\(xml(value))</plist>"
    default: return archive(value)
    }
  }

  // MARK: Values

  private mutating func made(_ depth: Int) -> Made {
    switch numbers.below(depth < 3 ? 11 : 8) {
    case 0: .null
    case 1: .boolean(numbers.below(2) == 0)
    case 2: .integer(numbers.one(of: Self.integers))
    case 3: .real(numbers.one(of: Self.reals))
    case 4: .date(numbers.one(of: Self.dates))
    case 5: .data(numbers.one(of: ["", "AQI=", "AA=="]))
    case 6, 7: .text(numbers.one(of: Self.texts))
    case 8, 9: members(depth)
    default: list(depth)
    }
  }

  /// The elements of a list are of one kind now and then.
  private mutating func list(_ depth: Int) -> Made {
    let count = numbers.below(4)
    if numbers.below(2) == 0 { return .list((0..<count).map { _ in members(depth + 1) }) }
    return .list((0..<count).map { _ in made(depth + 1) })
  }

  private mutating func members(_ depth: Int) -> Made {
    var members: [(name: String, value: Made)] = []
    for name in FuzzLensMaking.names where numbers.below(3) > 0 {
      members.append((name, made(depth + 1)))
      if numbers.below(60) == 0 { members.append((name, made(depth + 1))) }
    }
    return .members(members)
  }

  // MARK: Spelling

  private func json(_ value: Made) -> String {
    switch value {
    case .null: return "null"
    case .boolean(let flag): return "\(flag)"
    case .integer(let text), .real(let text): return text
    case .text(let text), .date(let text), .data(let text): return "\"\(text)\""
    case .list(let items): return "[\(items.map(json).joined(separator: ","))]"
    case .members(let members):
      return "{\(members.map { "\"\($0.name)\":\(json($0.value))" }.joined(separator: ","))}"
    }
  }

  private func xml(_ value: Made) -> String {
    switch value {
    case .null: return "<string>$null</string>"
    case .boolean(let flag): return flag ? "<true/>" : "<false/>"
    case .integer(let text): return "<integer>\(text)</integer>"
    case .real(let text): return "<real>\(text)</real>"
    case .text(let text): return "<string>\(text)</string>"
    case .date(let text): return "<date>\(text)</date>"
    case .data(let text): return "<data>\(text)</data>"
    case .list(let items): return "<array>\(items.map(xml).joined())</array>"
    case .members(let members):
      return "<dict>\(members.map { "<key>\($0.name)</key>\(xml($0.value))" }.joined())</dict>"
    }
  }

  // MARK: Keyed archives

  private mutating func archive(_ value: Made) -> String {
    objects = ["<string>$null</string>"]
    let root = store(value)
    return "<plist version=\"1.0\"><dict><key>$archiver</key><string>NSKeyedArchiver</string>"
      + "<key>$version</key><integer>100000</integer>"
      + "<key>$top</key><dict><key>root</key>\(uid(root))</dict>"
      + "<key>$objects</key><array>\(objects.joined())</array></dict></plist>"
  }

  private func uid(_ index: Int) -> String {
    "<dict><key>CF$UID</key><integer>\(index)</integer></dict>"
  }

  /// Stores a value as an object of its own, or finds the one that is there.
  private mutating func store(_ value: Made) -> Int {
    switch value {
    case .null: return 0
    case .date:
      return add("<key>NS.time</key><real>5.5</real>", class: "NSDate")
    case .list(let items):
      let place = reserve()
      let references = items.map { uid(store($0)) }.joined()
      let name = numbers.one(of: ["NSArray", "NSMutableArray", "NSSet"])
      fill(place, "<key>NS.objects</key><array>\(references)</array>", class: name)
      return place
    case .members(let members): return store(members)
    default:
      let text = xml(value)
      if numbers.below(2) == 0, let known = shared[text] { return known }
      objects.append(text)
      shared[text] = objects.count - 1
      return objects.count - 1
    }
  }

  private mutating func store(_ members: [(name: String, value: Made)]) -> Int {
    let place = reserve()
    if numbers.below(2) == 0 {
      let keys = members.map { uid(store(.text($0.name))) }.joined()
      let values = members.map { uid(store($0.value)) }.joined()
      let pairs =
        "<key>NS.keys</key><array>\(keys)</array><key>NS.objects</key><array>\(values)</array>"
      fill(place, pairs, class: numbers.one(of: ["NSDictionary", "NSMutableDictionary"]))
      return place
    }
    var fields = ""
    for member in members {
      var isInline = numbers.below(4) == 0
      switch member.value {
      case .boolean, .integer, .real: isInline = numbers.below(4) > 0
      case .null, .date, .list, .members: isInline = false
      default: break
      }
      fields += "<key>\(member.name)</key>"
      fields += isInline ? xml(member.value) : uid(store(member.value))
    }
    fill(place, fields, class: "Thing")
    return place
  }

  private mutating func reserve() -> Int {
    objects.append("")
    return objects.count - 1
  }

  private mutating func add(_ fields: String, class name: String) -> Int {
    let place = reserve()
    fill(place, fields, class: name)
    return place
  }

  private mutating func fill(_ place: Int, _ fields: String, class name: String) {
    objects[place] = "<dict>\(fields)<key>$class</key>\(uid(record(name)))</dict>"
  }

  private mutating func record(_ name: String) -> Int {
    if let known = classes[name] { return known }
    objects.append(
      "<dict><key>$classname</key><string>\(name)</string><key>$classes</key>"
        + "<array><string>\(name)</string><string>NSObject</string></array></dict>")
    classes[name] = objects.count - 1
    return objects.count - 1
  }
}
