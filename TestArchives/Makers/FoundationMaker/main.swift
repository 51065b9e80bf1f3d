// Writes what the toolchain's Foundation can write of TestArchives.
//
// usage: maker FOLDER

import Foundation

let root = URL(fileURLWithPath: CommandLine.arguments[1])

func write(_ data: Data, _ path: String) throws {
  try data.write(to: root.appendingPathComponent(path))
}

func archive(_ value: NSObject, _ format: PropertyListSerialization.PropertyListFormat = .binary)
  -> Data
{
  let archiver = NSKeyedArchiver(requiringSecureCoding: false)
  archiver.outputFormat = format
  archiver.encode(value, forKey: NSKeyedArchiveRootObjectKey)
  return archiver.encodedData
}

func encoded<Value: Encodable>(
  _ value: Value, _ format: PropertyListSerialization.PropertyListFormat = .binary
) throws -> Data {
  let encoder = PropertyListEncoder()
  encoder.outputFormat = format
  return try encoder.encode(value)
}

// WeatherFeed

let answer = try Data(contentsOf: root.appendingPathComponent("WeatherFeed/topcities.json"))
let cities = try JSONDecoder().decode([TopCityWeather].self, from: answer)
for (count, name) in [(1, "1-city"), (50, "50-cities")] {
  // Tokyo alone, or all of them.
  let some = count == 1 ? [cities[12]] : cities
  let feed = WeatherFeed(fetchedAt: "Apr 6, 2019 at 12:50:00 PM", topCityWeathers: some)
  try write(archive(feed.dictionaryRepresentation()), "WeatherFeed/v1-\(name)")
  try write(archive(try encoded(feed) as NSData), "WeatherFeed/v2-\(name)")
  if count == 1 {
    try write(archive(feed.dictionaryRepresentation(), .xml), "WeatherFeed/v1-1-city-xml")
    try write(archive(try encoded(feed) as NSData, .xml), "WeatherFeed/v2-1-city-xml")
    try write(try encoded(feed), "WeatherFeed/plist-1-city.plist")
    try write(try encoded(feed, .xml), "WeatherFeed/plist-1-city-xml.plist")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try write(try encoder.encode(feed), "WeatherFeed/json-1-city.json")
  }
}
let error = [
  "Code": "Unauthorized", "Message": "Api Authorization failed",
  "Reference": "/currentconditions/v1/topcities/50",
]
try write(archive(error as NSDictionary), "WeatherFeed/v1-error-payload")
try write(archive(try encoded(error) as NSData), "WeatherFeed/v2-error-payload")
let feedOfError: NSDictionary = [
  "fetchedAt": "Apr 6, 2019 at 12:50:00 PM" as NSString, "topCityWeathers": error as NSDictionary,
]
try write(archive(feedOfError), "WeatherFeed/v1-error-in-feed")

// Movie, Actor, Person

let avatar = Movie(name: "Avatar", director: "James Cameron", releaseYear: 2009)
let movies = [
  avatar, Movie(name: "Amélie", director: "Jean-Pierre Jeunet", releaseYear: 2001),
  Movie(name: "千と千尋の神隠し", director: "宮崎駿", releaseYear: 2001),
]
let mirror = MovieClass(avatar)
try write(archive(mirror), "Movie/v0-mirror-class")
mirror.isYearInline = true
try write(archive(mirror), "Movie/v0-mirror-class-inline")
try write(archive(avatar.dictionaryRepresentation()), "Movie/v1")
try write(archive(NSArray(array: movies.map { $0.dictionaryRepresentation() })), "Movie/v1-many")
try write(archive(try encoded(avatar) as NSData), "Movie/v2")
try write(archive(try encoded(movies) as NSData), "Movie/v2-many")
let actor = Actor(name: "Sam Worthington", firstMovie: avatar)
try write(archive(actor.dictionaryRepresentation()), "Actor/v1")
try write(archive(try encoded(actor) as NSData), "Actor/v2")
let person = PersonModel(firstName: "Zoë", lastName: "Saldaña")
try write(archive(person.dictionaryRepresentation()), "Person/v1")
try write(archive(try encoded(person) as NSData), "Person/v2")

// Value classes

guard let url = NSURL(string: "https://www.swift.org/index.xml"),
  let uuid = NSUUID(uuidString: "71DC068E-3420-45FF-919E-3A267D55EC22")
else { fatalError("Foundation cannot parse the URL or the UUID") }
let values: NSDictionary = [
  "url": url,
  "uuid": uuid,
  "date": NSDate(timeIntervalSinceReferenceDate: 576_215_400.5), "null": NSNull(),
  "data": NSData(data: Data([0, 1, 2, 253, 254, 255])), "set": NSSet(array: ["only" as NSString]),
  "orderedSet": NSOrderedSet(array: ["c" as NSString, "a" as NSString, "b" as NSString]),
  "array": NSArray(array: [NSNumber(value: 1), NSNumber(value: 2.5), NSNumber(value: true)]),
  "integerKeys": NSDictionary(dictionary: [NSNumber(value: 7): "seven" as NSString]),
  "big": NSNumber(value: Int64.max), "small": NSNumber(value: Int64.min),
  "empty": ["string": "" as NSString, "array": NSArray(), "dictionary": NSDictionary()]
    as NSDictionary,
]
try write(archive(values), "Graphs/value-classes")
