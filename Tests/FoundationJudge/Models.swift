// The structs that an app archives, as the app declares them; capitalized names come from the service.

import Foundation

struct WeatherFeed: Codable {
  var fetchedAt: String
  var topCityWeathers: [TopCityWeather]
}

// swift-format-ignore: AlwaysUseLowerCamelCase
struct TopCityWeather: Codable {
  var Key: String
  var LocalizedName: String
  var EnglishName: String
  var WeatherText: String
  var WeatherIcon: Int
  var IsDayTime: Bool
  var Country: Country
  var Temperature: Temperature
}

// swift-format-ignore: AlwaysUseLowerCamelCase
struct Country: Codable {
  var ID: String
  var LocalizedName: String
  var EnglishName: String
}

// swift-format-ignore: AlwaysUseLowerCamelCase
struct Temperature: Codable {
  var Metric: Measurement
  var Imperial: Measurement

  struct Measurement: Codable {
    var Value: Double
    var Unit: String
    var UnitType: Int
  }
}

struct Movie: Codable {
  var name: String
  var director: String
  var releaseYear: Int
}

struct Actor: Codable {
  var name: String
  var firstMovie: Movie
}

struct PersonModel: Codable {
  var firstName: String
  var lastName: String
}
