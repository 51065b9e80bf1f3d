// Typed access to an unarchived NSDictionary, as an app's initialiser reads one.
import Foundation

struct Fields {
  let dictionary: NSDictionary

  func value<Value>(_ key: String) throws -> Value {
    guard let value = dictionary[key] as? Value else { throw PeerError.badField(key) }
    return value
  }

  func dictionary(_ key: String) throws -> Fields {
    try Fields(dictionary: value(key))
  }

  func array(_ key: String) throws -> [Fields] {
    let elements: NSArray = try value(key)
    return try elements.map { element in
      guard let dictionary = element as? NSDictionary else { throw PeerError.badField(key) }
      return Fields(dictionary: dictionary)
    }
  }
}
