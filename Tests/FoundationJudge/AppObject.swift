// The requests of apps' decoders as tables: the key, and the method of NSKeyedUnarchiver.

import Foundation

/// An object that is decoded field by field, as its class in the app does it.
class AppObject: NSObject, NSSecureCoding {
  /// The method that decodes a field.
  enum Method {
    case bool, integer, double
    /// An NSNumber, which an app asks for its value.
    case number
    case object([AnyClass])
    /// A dictionary that encoded itself with the coder of this object.
    case flatDictionary
  }

  class var supportsSecureCoding: Bool { true }
  /// The fields that the class decodes.
  class var fields: [(key: String, method: Method)] { [] }

  /// The values found, in terms of JSON.
  let facts: [String: Any]

  required init?(coder: NSCoder) {
    var facts: [String: Any] = ["class": "\(type(of: self))"]
    for (key, method) in Self.fields {
      switch method {
      case .flatDictionary:
        guard let found = NSDictionary(coder: coder) else { return nil }
        facts[key] = Self.plain(found)
      case _ where !coder.containsValue(forKey: key): continue
      case .bool: facts[key] = coder.decodeBool(forKey: key)
      case .integer: facts[key] = coder.decodeInteger(forKey: key)
      case .double: facts[key] = coder.decodeDouble(forKey: key)
      case .number:
        guard let number = coder.decodeObject(of: NSNumber.self, forKey: key) else { return nil }
        facts[key] = ["number": number]
      case .object(let classes):
        facts[key] = coder.decodeObject(of: classes, forKey: key).map(Self.plain)
      }
    }
    self.facts = facts
  }

  func encode(with coder: NSCoder) {}

  /// A decoded value in terms of JSON, from which its class can be told.
  static func plain(_ value: Any) -> Any {
    switch value {
    case let object as AppObject: object.facts
    case let date as Date: ["date": date.timeIntervalSinceReferenceDate]
    case let url as URL: ["url": url.absoluteString]
    case let identifier as UUID: ["uuid": identifier.uuidString]
    case let data as Data: ["data": data.base64EncodedString()]
    case let list as [Any]: list.map(plain)
    case let pairs as [String: Any]: pairs.mapValues(plain)
    default: value
    }
  }
}

/// The root of an app's archive, and the classes that it registers for names in it; no other name is decoded.
struct AppModel {
  var key = NSKeyedArchiveRootObjectKey
  let classes: [String: AppObject.Type]

  /// Opens an archive as the app does.
  func facts(ofArchive path: String) throws -> Any {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = true
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    for (name, type) in classes { unarchiver.setClass(type, forClassName: name) }
    let allowed = classes.values.map { $0 as AnyClass } + AppModel.containers
    guard let root = unarchiver.decodeObject(of: allowed, forKey: key) else {
      fail("\(path): no object \(key): \(String(describing: unarchiver.error))")
    }
    return AppObject.plain(root)
  }

  static let containers: [AnyClass] = [NSArray.self, NSDictionary.self, NSString.self]
}
