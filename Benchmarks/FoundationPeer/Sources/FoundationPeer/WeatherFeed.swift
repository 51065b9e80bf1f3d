// The model as an app declares it, built from the dictionaries of a v1 archive or decoded from the
// property list of a v2 archive.
import Foundation

struct WeatherFeed: Codable {
  var fetchedAt: String
  var topCityWeathers: [TopCityWeather]

  init(_ fields: Fields) throws {
    fetchedAt = try fields.value("fetchedAt")
    topCityWeathers = try fields.array("topCityWeathers").map(TopCityWeather.init)
  }
}

struct TopCityWeather: Codable {
  var key: String
  var localizedName: String
  var englishName: String
  var weatherText: String
  var weatherIcon: Int
  var isDayTime: Bool
  var country: Country
  var temperature: Temperature

  enum CodingKeys: String, CodingKey {
    case key = "Key"
    case localizedName = "LocalizedName"
    case englishName = "EnglishName"
    case weatherText = "WeatherText"
    case weatherIcon = "WeatherIcon"
    case isDayTime = "IsDayTime"
    case country = "Country"
    case temperature = "Temperature"
  }

  init(_ fields: Fields) throws {
    key = try fields.value("Key")
    localizedName = try fields.value("LocalizedName")
    englishName = try fields.value("EnglishName")
    weatherText = try fields.value("WeatherText")
    weatherIcon = try fields.value("WeatherIcon")
    isDayTime = try fields.value("IsDayTime")
    country = try Country(fields.dictionary("Country"))
    temperature = try Temperature(fields.dictionary("Temperature"))
  }
}

struct Country: Codable {
  var identifier: String
  var localizedName: String
  var englishName: String

  enum CodingKeys: String, CodingKey {
    case identifier = "ID"
    case localizedName = "LocalizedName"
    case englishName = "EnglishName"
  }

  init(_ fields: Fields) throws {
    identifier = try fields.value("ID")
    localizedName = try fields.value("LocalizedName")
    englishName = try fields.value("EnglishName")
  }
}

struct Temperature: Codable {
  var metric: Measure
  var imperial: Measure

  enum CodingKeys: String, CodingKey {
    case metric = "Metric"
    case imperial = "Imperial"
  }

  init(_ fields: Fields) throws {
    metric = try Measure(fields.dictionary("Metric"))
    imperial = try Measure(fields.dictionary("Imperial"))
  }
}

struct Measure: Codable {
  var value: Double
  var unit: String
  var unitType: Int

  enum CodingKeys: String, CodingKey {
    case value = "Value"
    case unit = "Unit"
    case unitType = "UnitType"
  }

  init(_ fields: Fields) throws {
    value = try fields.value("Value")
    unit = try fields.value("Unit")
    unitType = try fields.value("UnitType")
  }
}
