// Writes and reads archives as the articles' code does: a class beside or inside the struct (v0), dictionaries (v1), Codable (v2).

import Foundation

/// The archives of a model, which the articles' code writes and reads.
struct Article<Model: Codable & Dictionariable> {
  /// A class of v0: the one that decodes, an object that encodes a model, and the model of an object.
  struct Mirror {
    let type: AnyClass
    let object: (Model) -> NSObject
    let model: (NSObject) -> Model?
  }

  let samples: [Model]
  /// The classes of v0 by their names in the archives of an app.
  var mirrors: [String: Mirror] = [:]

  /// Writes the samples, or the first of them alone.
  func write(_ version: String, isList: Bool, to path: String) throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    let models = isList ? samples : Array(samples.prefix(1))
    let mirror = mirrors[version]
    if mirror == nil, version != "v1" {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .binary
      let data = isList ? try encoder.encode(models) : try encoder.encode(models[0])
      archiver.encode(data as NSData, forKey: NSKeyedArchiveRootObjectKey)
    } else {
      let objects = models.map { mirror?.object($0) ?? $0.dictionaryRepresentation() }
      archiver.encode(
        isList ? NSArray(array: objects) : objects[0], forKey: NSKeyedArchiveRootObjectKey)
      if let object = objects.first, mirror != nil {
        // The archiver of Linux writes no other name of a class than its own.
        archiver.outputFormat = .xml
        archiver.finishEncoding()
        return try String(decoding: archiver.encodedData, as: UTF8.self)
          .replacingOccurrences(of: NSStringFromClass(type(of: object)), with: version)
          .write(toFile: path, atomically: true, encoding: .utf8)
      }
    }
    archiver.finishEncoding()
    try archiver.encodedData.write(to: URL(fileURLWithPath: path))
  }

  /// The models of an archive.
  func read(_ version: String, from path: String) throws -> [Model] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = false
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    let mirror = mirrors[version]
    if let mirror { unarchiver.setClass(mirror.type, forClassName: version) }
    let root = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
    if mirror == nil, version != "v1" {
      guard let data = root as? Data else { fail("\(path): the root is no data") }
      let decoder = PropertyListDecoder()
      return try (try? decoder.decode([Model].self, from: data))
        ?? [decoder.decode(Model.self, from: data)]
    }
    let objects = (root as? [Any]) ?? [root as Any]
    return objects.map { object in
      let model =
        mirror.map { mirror in (object as? NSObject).flatMap(mirror.model) }
        ?? Model(dictionaryRepresentation: object as? NSDictionary)
      guard let model else {
        fail("\(path): no model: \(object) \(String(describing: unarchiver.error))")
      }
      return model
    }
  }

  /// Writes samples, or reads and prints what an archive holds.
  func run(_ verb: String, _ version: String, _ path: String) throws {
    switch verb {
    case "one", "list": try write(version, isList: verb == "list", to: path)
    default:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      print(String(decoding: try encoder.encode(try read(version, from: path)), as: UTF8.self))
    }
  }
}

/// The articles' models.
enum Articles {
  static let movies = [
    Movie(name: "Avatar", director: "James Cameron", releaseYear: 2009),
    Movie(name: "Amélie", director: "Jean-Pierre Jeunet", releaseYear: 2001),
    Movie(name: "千と千尋の神隠し", director: "宮崎駿", releaseYear: 2001),
  ]

  private static func city(_ name: String, _ icon: Int, _ isDayTime: Bool) -> TopCityWeather {
    TopCityWeather(
      Key: "226396", LocalizedName: name, EnglishName: "Tokyo", WeatherText: "",
      WeatherIcon: icon, IsDayTime: isDayTime,
      Country: Country(ID: "JP", LocalizedName: "日本", EnglishName: "Japan"),
      Temperature: Temperature(
        Metric: .init(Value: -0.5, Unit: "C", UnitType: 17),
        Imperial: .init(Value: 64, Unit: "F", UnitType: 18)))
  }

  static func run(_ family: String, _ verb: String, _ version: String, _ path: String) throws {
    func movie(_ type: MovieClass.Type) -> Article<Movie>.Mirror {
      .init(type: type, object: MovieClass.init, model: { ($0 as? MovieClass)?.movie })
    }
    switch family {
    case "Movie":
      let mirrors = [
        "App.MovieClass": movie(MovieClass.self),
        "_TtCV3App5Movie10MovieClass": movie(Movie.MovieClass.self),
      ]
      try Article(samples: movies, mirrors: mirrors).run(verb, version, path)
    case "Person":
      let helper = Article<PersonModel>.Mirror(
        type: PersonModel.HelperClass.self, object: HelperClass.init,
        model: { ($0 as? HelperClass)?.person })
      let people = [("Zoë", "Saldaña"), ("Sam", "Worthington")]
      try Article(
        samples: people.map(PersonModel.init), mirrors: ["_TtCV3App6Person11HelperClass": helper]
      ).run(verb, version, path)
    case "Actor":
      let actors = movies.map { Actor(name: $0.director, firstMovie: $0) }
      try Article(samples: actors).run(verb, version, path)
    case "WeatherFeed":
      let cities = [city("東京", 1, true), city("Tōkyō", 0, false)]
      try Article(
        samples: [WeatherFeed(fetchedAt: "Apr 6, 2019 at 12:50:00 PM", topCityWeathers: cities)]
      ).run(verb, version, path)
    default: fail("unknown model")
    }
  }
}
