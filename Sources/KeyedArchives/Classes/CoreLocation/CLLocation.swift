// CLLocation: a number under a long key for each property (keys as forensic readers of iOS find them).

import Basics
import ObjectGraph

/// CLLocation.
enum CLLocationClass: FrameworkClass {
  static let classNames = ["CLLocation"]
  static let shown = "its coordinate, altitude, accuracy, speed, course and time"
  static let isSimple = true

  private static let prefix = "kCLLocationCodingKey"

  private static let numbers = [
    ("CoordinateLatitude", "latitude"), ("CoordinateLongitude", "longitude"),
    ("Altitude", "altitude"), ("HorizontalAccuracy", "horizontalAccuracy"),
    ("VerticalAccuracy", "verticalAccuracy"), ("Speed", "speed"),
    ("SpeedAccuracy", "speedAccuracy"), ("Course", "course"),
    ("CourseAccuracy", "courseAccuracy"),
  ]

  static func value(of object: ArchivedObject) -> Value? {
    let spelled = (numbers.map(\.0) + ["Timestamp"]).map { prefix + $0 }
    return object.derivedObject(spelling: spelled) {
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
}
