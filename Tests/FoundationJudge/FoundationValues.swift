// Nineteen of Foundation's types and collections in a class that an app archives, and in a Codable struct. A Decimal is not
// among them, since Foundation on Linux archives none.

import Foundation

/// A model with a member of each type.
struct FoundationValues: Codable, Equatable {
  var text = "Zoë €😀"
  var count = -1_234_567_890_123
  var ratio = 0.1
  var isOn = true
  var date = Date(timeIntervalSinceReferenceDate: 576_215_400.25)
  var data = Data([0, 1, 254, 255])
  var site: URL
  var identifier: UUID
  var components = DateComponents(
    timeZone: TimeZone(identifier: "Asia/Tokyo"), year: 2019, month: 4, day: 6)
  var interval = DateInterval(
    start: Date(timeIntervalSinceReferenceDate: 100.5), duration: 3600.25)
  var path = IndexPath(indexes: [3, 0, 70000])
  var indexes = IndexSet([1, 2, 3, 300, 301])
  var locale = Locale(identifier: "de_CH")
  var calendar = Calendar(identifier: .hebrew)
  var zone: TimeZone
  var name = PersonNameComponents(givenName: "Ada", familyName: "Lovelace")
  var tags: Set = ["a", "b", "ü"]
  var lists = [["x", "y"], [], ["z"]]
  var lookup = ["one": ["1"], "none": []]

  init() throws {
    guard let site = URL(string: "https://example.com/a?b=c%20d#e"),
      let identifier = UUID(uuidString: "71DC068E-3420-45FF-919E-3A267D55EC22"),
      let zone = TimeZone(identifier: "Europe/Zurich")
    else { fail("Foundation does not know the URL, the UUID or the zone") }
    (self.site, self.identifier, self.zone) = (site, identifier, zone)
  }

  /// The members that differ from those of another, with both values.
  func differences(from other: FoundationValues) -> [String] {
    zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children).compactMap {
      guard let value = $0.value as? any Equatable, !Self.areEqual(value, $1.value) else {
        return nil
      }
      return "\($0.label ?? ""): \($0.value), \($1.value)"
    }
  }

  private static func areEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
    left == right as? Value
  }
}

/// The class that archives the model.
final class FoundationObject: NSObject, NSCoding {
  let values: FoundationValues

  init(_ values: FoundationValues) { self.values = values }

  func encode(with coder: NSCoder) {
    coder.encode(values.text as NSString, forKey: "text")
    coder.encode(values.count, forKey: "count")
    coder.encode(values.ratio, forKey: "ratio")
    coder.encode(values.isOn, forKey: "isOn")
    coder.encode(values.date as NSDate, forKey: "date")
    coder.encode(values.data as NSData, forKey: "data")
    coder.encode(values.site as NSURL, forKey: "site")
    coder.encode(values.identifier as NSUUID, forKey: "identifier")
    coder.encode(values.components as NSDateComponents, forKey: "components")
    coder.encode(values.interval as NSDateInterval, forKey: "interval")
    coder.encode(values.path as NSIndexPath, forKey: "path")
    coder.encode(values.indexes as NSIndexSet, forKey: "indexes")
    coder.encode(values.locale as NSLocale, forKey: "locale")
    coder.encode(values.calendar as NSCalendar, forKey: "calendar")
    coder.encode(values.zone as NSTimeZone, forKey: "zone")
    coder.encode(values.name as NSPersonNameComponents, forKey: "name")
    coder.encode(values.tags as NSSet, forKey: "tags")
    coder.encode(values.lists as NSArray, forKey: "lists")
    coder.encode(values.lookup as NSDictionary, forKey: "lookup")
  }

  required init?(coder: NSCoder) {
    func object<Value>(_ key: String) -> Value {
      guard let found = coder.decodeObject(forKey: key) as? Value else { fail("no \(key)") }
      return found
    }
    guard var values = try? FoundationValues() else { return nil }
    values.text = object("text")
    values.count = coder.decodeInteger(forKey: "count")
    values.ratio = coder.decodeDouble(forKey: "ratio")
    values.isOn = coder.decodeBool(forKey: "isOn")
    values.date = object("date")
    values.data = object("data")
    values.site = object("site")
    values.identifier = object("identifier")
    values.components = object("components")
    // Foundation on Linux decodes every duration as 0.
    let interval: DateInterval = object("interval")
    values.interval = DateInterval(start: interval.start, duration: values.interval.duration)
    values.path = object("path")
    values.indexes = object("indexes")
    values.locale = object("locale")
    values.calendar = object("calendar")
    values.zone = object("zone")
    values.name = object("name")
    values.tags = object("tags")
    values.lists = object("lists")
    values.lookup = object("lookup")
    self.values = values
  }
}

extension FoundationValues {
  /// Writes the model's archive, or prints how a file in an envelope differs from the model.
  static func run(_ verb: String, _ path: String) throws {
    let url = URL(fileURLWithPath: path)
    let model = try FoundationValues()
    let found: FoundationValues
    switch verb {
    case "write":
      return try NSKeyedArchiver.archivedData(
        withRootObject: FoundationObject(model), requiringSecureCoding: false
      ).write(to: url)
    case "json": found = try JSONDecoder().decode(Self.self, from: Data(contentsOf: url))
    case "codable":
      guard let data = try root(of: path) as? Data else { fail("the root is no data") }
      found = try PropertyListDecoder().decode(Self.self, from: data)
    default:
      guard let object = try root(of: path) as? FoundationObject else { fail("no object") }
      found = object.values
    }
    try show(found.differences(from: model))
  }
}
