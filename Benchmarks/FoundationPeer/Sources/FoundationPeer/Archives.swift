// Both archive forms read and written in the plainest way that Foundation offers.
import Foundation

/// The root of a v1 archive; nothing inside it is touched.
func decodeDictionary(_ path: String) throws -> NSDictionary {
  guard let dictionary = try unarchiveRoot(path) as? NSDictionary else {
    throw PeerError.badRoot(expected: "NSDictionary")
  }
  return dictionary
}

/// The feed of a v2 archive.
func decodeFeed(_ path: String) throws -> WeatherFeed {
  guard let data = try unarchiveRoot(path) as? Data else {
    throw PeerError.badRoot(expected: "NSData")
  }
  return try PropertyListDecoder().decode(WeatherFeed.self, from: data)
}

/// A v1 archive made a v2 archive by way of the app's own structs.
func migrate(_ path: String, to output: String, options: Data.WritingOptions = []) throws {
  let feed = try WeatherFeed(Fields(dictionary: decodeDictionary(path)))
  let encoder = PropertyListEncoder()
  encoder.outputFormat = .binary
  let data = try encoder.encode(feed)
  let archive = try NSKeyedArchiver.archivedData(
    withRootObject: data as NSData, requiringSecureCoding: false)
  try archive.write(to: URL(fileURLWithPath: output), options: options)
}

private func unarchiveRoot(_ path: String) throws -> Any? {
  let data = try Data(contentsOf: URL(fileURLWithPath: path))
  let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
  unarchiver.requiresSecureCoding = false
  return unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
}
