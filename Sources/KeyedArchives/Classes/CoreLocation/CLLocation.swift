// CLLocation: a number under a long key for each property (keys as forensic readers of iOS find them).

import ArchiveGraph

enum CLLocationClass: SimpleClass {
  static let classNames = ["CLLocation"]
  static let shown = "its coordinate, altitude, accuracy, speed, course and time"

  private static let prefix = "kCLLocationCodingKey"

  private static let numbers = [
    ("CoordinateLatitude", "latitude"), ("CoordinateLongitude", "longitude"),
    ("Altitude", "altitude"), ("HorizontalAccuracy", "horizontalAccuracy"),
    ("VerticalAccuracy", "verticalAccuracy"), ("Speed", "speed"),
    ("SpeedAccuracy", "speedAccuracy"), ("Course", "course"),
    ("CourseAccuracy", "courseAccuracy"),
  ]

  static func value(of object: ArchivedObject) -> Value? {
    let fieldNames = (numbers.map(\.0) + ["Timestamp"]).map { prefix + $0 }
    return object.derivedObject(of: fieldNames, keepsNil: true) {
      guard coordinate(of: object) != nil else { return nil }
      var members: [(name: String, value: SyntheticValue)] = []
      for (key, name) in numbers where object.has(prefix + key) {
        guard let number = object.number(prefix + key) else { return nil }
        members.append((name, .real(number)))
      }
      if object.has(prefix + "Timestamp") {
        guard let seconds = time(of: object) else { return nil }
        members.append(("timestamp", .date(seconds)))
      }
      return members
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    guard let (latitude, longitude) = coordinate(of: object) else { return nil }
    var text = "\(latitude), \(longitude)"
    if let accuracy = object.number(prefix + "HorizontalAccuracy") {
      text += " ± \(ColorText.short(accuracy)) m"
    }
    return text + (time(of: object).map { " at \(SummaryText.date($0))" } ?? "")
  }

  private static func coordinate(of object: ArchivedObject) -> (Double, Double)? {
    guard let latitude = object.number(prefix + "CoordinateLatitude"),
      let longitude = object.number(prefix + "CoordinateLongitude")
    else { return nil }
    return (latitude, longitude)
  }

  private static func time(of object: ArchivedObject) -> Double? {
    object.number(prefix + "Timestamp") ?? object.date(prefix + "Timestamp")
  }

  // MARK: Stored form

  /// Every number that is shown is stored as a real, and the time in seconds (Core Location: encodeWithCoder:).
  static let storedForm = StoredForm.made(shown: Set(numbers.map(\.1) + ["timestamp"])) {
    value throws(FormRefusal) in
    var members = try value.members()
    var fields: [StoredField] = []
    for (key, name) in numbers {
      guard let number = try members.real(name) else {
        if name == "latitude" || name == "longitude" {
          throw FormRefusal(reason: "its member '\(name)' is missing")
        }
        continue
      }
      fields.append(StoredField(prefix + key, .real(number)))
    }
    if let seconds = try members.date("timestamp") {
      fields.append(StoredField(prefix + "Timestamp", .real(seconds)))
    }
    return try fields + members.fields(["reserved"])
  }
}

// MARK: - CLRegion

enum CLRegionClass: SimpleClass {
  static let classNames = ["CLRegion", "CLCircularRegion", "CLBeaconRegion"]
  static let shown = "its identifier, center and radius, before its fields"

  private static let prefix = "kCLRegionCodingKey"
  /// Before circular regions had a class of their own, their keys began as those of all regions.
  private static let circlePrefix = "kCLCircularRegionCodingKey"

  static func summary(of object: ArchivedObject) -> String? {
    func number(_ key: String) -> Double? {
      object.number(circlePrefix + key) ?? object.number(prefix + key)
    }
    let name = object.quoted(prefix + "Identifier")
    guard let latitude = number("CenterLatitude"), let longitude = number("CenterLongitude")
    else { return name }
    let radius = number("Radius").map { " radius \(ColorText.short($0)) m" } ?? ""
    return (name.map { "\($0) " } ?? "") + "\(latitude), \(longitude)\(radius)"
  }
}
