// How the seed apps archived their models before Codable. The models themselves are those of
// Tests/FoundationJudge/Models.swift, compiled with this.

import Foundation

// MARK: Dictionariable, as the v1 apps archived: one NSDictionary for each struct.

extension Movie {
  var dictionary: NSDictionary {
    [
      "name": name as NSString, "director": director as NSString,
      "releaseYear": NSNumber(value: releaseYear),
    ]
  }
}

extension Actor {
  var dictionary: NSDictionary {
    ["name": name as NSString, "firstMovie": firstMovie.dictionary]
  }
}

extension Person {
  var dictionary: NSDictionary {
    ["firstName": firstName as NSString, "lastName": lastName as NSString]
  }
}

extension Temperature.Measurement {
  var dictionary: NSDictionary {
    [
      "Value": NSNumber(value: Value), "Unit": Unit as NSString,
      "UnitType": NSNumber(value: UnitType),
    ]
  }
}

extension TopCityWeather {
  var dictionary: NSDictionary {
    [
      "Key": Key as NSString, "LocalizedName": LocalizedName as NSString,
      "EnglishName": EnglishName as NSString, "WeatherText": WeatherText as NSString,
      "WeatherIcon": NSNumber(value: WeatherIcon), "IsDayTime": NSNumber(value: IsDayTime),
      "Country": [
        "ID": Country.ID as NSString, "LocalizedName": Country.LocalizedName as NSString,
        "EnglishName": Country.EnglishName as NSString,
      ] as NSDictionary,
      "Temperature": [
        "Metric": Temperature.Metric.dictionary, "Imperial": Temperature.Imperial.dictionary,
      ] as NSDictionary,
    ]
  }
}

extension WeatherFeed {
  var dictionary: NSDictionary {
    [
      "fetchedAt": fetchedAt as NSString,
      "topCityWeathers": NSArray(array: topCityWeathers.map(\.dictionary)),
    ]
  }
}

// MARK: The mirror class of Movie, in both ways of encoding the year.

final class MovieClass: NSObject, NSCoding {
  let movie: Movie
  let isInline: Bool

  init(_ movie: Movie, isInline: Bool) {
    self.movie = movie
    self.isInline = isInline
  }

  init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode(movie.name as NSString, forKey: "name")
    coder.encode(movie.director as NSString, forKey: "director")
    if isInline {
      coder.encode(movie.releaseYear, forKey: "releaseYear")
    } else {
      coder.encode(NSNumber(value: movie.releaseYear), forKey: "releaseYear")
    }
  }
}
