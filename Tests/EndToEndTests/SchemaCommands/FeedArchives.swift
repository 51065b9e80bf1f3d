// Feeds in the form in which a weather app would archive them with Foundation.

import Foundation

/// Makes WeatherFeed archives that differ.
enum FeedArchives {
  /// A feed of some cities; the number decides what is in it.
  static func feed(_ number: Int) -> [String: Any] {
    let cities = (0...(number % 4)).map { city -> [String: Any] in
      let celsius = Double(number * 7 + city * 3) / 2 - 20.25
      return [
        "Key": "\(200_000 + number * 10 + city)", "LocalizedName": "Città \(number)-\(city)",
        "EnglishName": "City \(number)-\(city)", "WeatherText": "Sky \(number * city)",
        "WeatherIcon": (number + city * 11) % 44 + 1, "IsDayTime": (number + city) % 2 == 0,
        "Country": [
          "ID": "C\(number)", "LocalizedName": "Paese \(number)", "EnglishName": "Land \(number)",
        ],
        "Temperature": [
          "Metric": ["Value": celsius, "Unit": "C", "UnitType": 17] as [String: Any],
          "Imperial": ["Value": celsius * 1.8 + 32, "Unit": "F", "UnitType": 18],
        ],
      ]
    }
    return ["fetchedAt": "Apr \(number % 28 + 1), 2019 at 12:50:00 PM", "topCityWeathers": cities]
  }

  /// The first version: an archive of the dictionary.
  static func dictionariable(_ number: Int) throws -> Data {
    try NSKeyedArchiver.archivedData(
      withRootObject: feed(number) as NSDictionary, requiringSecureCoding: false)
  }

  /// The second version: an archive of data that holds a property list.
  static func codable(_ number: Int) throws -> Data {
    let inner = try PropertyListSerialization.data(
      fromPropertyList: feed(number), format: .binary, options: 0)
    return try NSKeyedArchiver.archivedData(
      withRootObject: inner as NSData, requiringSecureCoding: false)
  }
}
