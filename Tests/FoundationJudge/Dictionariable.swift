// How the articles on archiving Swift structs encode the models of Models.swift: as dictionaries (v1), or by a class beside
// or inside the struct (v0). TestArchives/Makers/FoundationMaker is compiled with this.

import Foundation

// MARK: v1: a struct that converts to a dictionary and back

protocol Dictionariable {
  func dictionaryRepresentation() -> NSDictionary
  init?(dictionaryRepresentation: NSDictionary?)
}

extension Movie: Dictionariable {
  func dictionaryRepresentation() -> NSDictionary {
    [
      "name": name as NSString, "director": director as NSString,
      "releaseYear": NSNumber(value: releaseYear),
    ]
  }

  init?(dictionaryRepresentation: NSDictionary?) {
    guard let values = dictionaryRepresentation, let name = values["name"] as? String,
      let director = values["director"] as? String,
      let releaseYear = values["releaseYear"] as? Int
    else { return nil }
    self.init(name: name, director: director, releaseYear: releaseYear)
  }
}

extension Actor: Dictionariable {
  func dictionaryRepresentation() -> NSDictionary {
    ["name": name as NSString, "firstMovie": firstMovie.dictionaryRepresentation()]
  }

  init?(dictionaryRepresentation: NSDictionary?) {
    guard let values = dictionaryRepresentation, let name = values["name"] as? String,
      let movie = Movie(dictionaryRepresentation: values["firstMovie"] as? NSDictionary)
    else { return nil }
    self.init(name: name, firstMovie: movie)
  }
}

extension PersonModel: Dictionariable {
  func dictionaryRepresentation() -> NSDictionary {
    ["firstName": firstName as NSString, "lastName": lastName as NSString]
  }

  init?(dictionaryRepresentation: NSDictionary?) {
    guard let values = dictionaryRepresentation, let firstName = values["firstName"] as? String,
      let lastName = values["lastName"] as? String
    else { return nil }
    self.init(firstName: firstName, lastName: lastName)
  }
}

extension Temperature.Measurement: Dictionariable {
  func dictionaryRepresentation() -> NSDictionary {
    [
      "Value": NSNumber(value: Value), "Unit": Unit as NSString,
      "UnitType": NSNumber(value: UnitType),
    ]
  }

  init?(dictionaryRepresentation: NSDictionary?) {
    guard let values = dictionaryRepresentation, let value = values["Value"] as? NSNumber,
      let unit = values["Unit"] as? String, let unitType = values["UnitType"] as? Int
    else { return nil }
    self.init(Value: value.doubleValue, Unit: unit, UnitType: unitType)
  }
}

extension Temperature: Dictionariable {
  func dictionaryRepresentation() -> NSDictionary {
    [
      "Metric": Metric.dictionaryRepresentation(), "Imperial": Imperial.dictionaryRepresentation(),
    ]
  }

  init?(dictionaryRepresentation: NSDictionary?) {
    guard let values = dictionaryRepresentation,
      let metric = Measurement(dictionaryRepresentation: values["Metric"] as? NSDictionary),
      let imperial = Measurement(dictionaryRepresentation: values["Imperial"] as? NSDictionary)
    else { return nil }
    self.init(Metric: metric, Imperial: imperial)
  }
}

extension Country: Dictionariable {
  func dictionaryRepresentation() -> NSDictionary {
    [
      "ID": ID as NSString, "LocalizedName": LocalizedName as NSString,
      "EnglishName": EnglishName as NSString,
    ]
  }

  init?(dictionaryRepresentation: NSDictionary?) {
    guard let values = dictionaryRepresentation, let id = values["ID"] as? String,
      let localized = values["LocalizedName"] as? String,
      let english = values["EnglishName"] as? String
    else { return nil }
    self.init(ID: id, LocalizedName: localized, EnglishName: english)
  }
}

// The members of a city have the names of their types.
private typealias CountryModel = Country
private typealias TemperatureModel = Temperature

extension TopCityWeather: Dictionariable {
  func dictionaryRepresentation() -> NSDictionary {
    [
      "Key": Key as NSString, "LocalizedName": LocalizedName as NSString,
      "EnglishName": EnglishName as NSString, "WeatherText": WeatherText as NSString,
      "WeatherIcon": NSNumber(value: WeatherIcon), "IsDayTime": NSNumber(value: IsDayTime),
      "Country": Country.dictionaryRepresentation(),
      "Temperature": Temperature.dictionaryRepresentation(),
    ]
  }

  init?(dictionaryRepresentation: NSDictionary?) {
    // NSKeyedArchiver on Linux may store the number 1 as true and true as 1.
    guard let values = dictionaryRepresentation, let key = values["Key"] as? String,
      let localized = values["LocalizedName"] as? String,
      let english = values["EnglishName"] as? String, let text = values["WeatherText"] as? String,
      let icon = values["WeatherIcon"] as? NSNumber,
      let isDayTime = values["IsDayTime"] as? NSNumber,
      let country = CountryModel(
        dictionaryRepresentation: values["Country"] as? NSDictionary),
      let temperature = TemperatureModel(
        dictionaryRepresentation: values["Temperature"] as? NSDictionary)
    else { return nil }
    self.init(
      Key: key, LocalizedName: localized, EnglishName: english, WeatherText: text,
      WeatherIcon: icon.intValue, IsDayTime: isDayTime.boolValue, Country: country,
      Temperature: temperature)
  }
}

extension WeatherFeed: Dictionariable {
  func dictionaryRepresentation() -> NSDictionary {
    [
      "fetchedAt": fetchedAt as NSString,
      "topCityWeathers": NSArray(array: topCityWeathers.map { $0.dictionaryRepresentation() }),
    ]
  }

  init?(dictionaryRepresentation: NSDictionary?) {
    guard let values = dictionaryRepresentation, let fetchedAt = values["fetchedAt"] as? String,
      let cities = values["topCityWeathers"] as? [NSDictionary]
    else { return nil }
    let weathers = cities.compactMap { TopCityWeather(dictionaryRepresentation: $0) }
    guard weathers.count == cities.count else { return nil }
    self.init(fetchedAt: fetchedAt, topCityWeathers: weathers)
  }
}

// MARK: v0: a class that encodes the struct

/// The class beside the struct, which encodes every field as an object, and decodes it as one.
class MovieClass: NSObject, NSCoding {
  let movie: Movie
  /// Whether the year is in the object itself, as the same code encodes it since Swift 3.
  var isYearInline = false

  init(_ movie: Movie) { self.movie = movie }

  required init?(coder: NSCoder) {
    guard let name = coder.decodeObject(forKey: "name") as? String,
      let director = coder.decodeObject(forKey: "director") as? String,
      let releaseYear = coder.decodeObject(forKey: "releaseYear") as? Int
    else { return nil }
    movie = Movie(name: name, director: director, releaseYear: releaseYear)
  }

  func encode(with coder: NSCoder) {
    coder.encode(movie.name as Any, forKey: "name")
    coder.encode(movie.director as Any, forKey: "director")
    if isYearInline {
      coder.encode(movie.releaseYear, forKey: "releaseYear")
    } else {
      coder.encode(movie.releaseYear as Any, forKey: "releaseYear")
    }
  }
}

typealias OuterMovieClass = MovieClass
typealias OuterHelperClass = HelperClass

extension Movie {
  /// The class inside the struct.
  class MovieClass: OuterMovieClass {}
}

/// The class of a person, inside the struct in the article: Foundation on Linux writes no class that is inside another type.
class HelperClass: NSObject, NSCoding {
  let person: PersonModel

  init(_ person: PersonModel) { self.person = person }

  required init?(coder: NSCoder) {
    guard let firstName = coder.decodeObject(forKey: "firstName") as? String,
      let lastName = coder.decodeObject(forKey: "lastName") as? String
    else { return nil }
    person = PersonModel(firstName: firstName, lastName: lastName)
  }

  func encode(with coder: NSCoder) {
    coder.encode(person.firstName as Any, forKey: "firstName")
    coder.encode(person.lastName as Any, forKey: "lastName")
  }
}

extension PersonModel {
  class HelperClass: OuterHelperClass {}
}
