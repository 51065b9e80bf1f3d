// A schema's requirements for archived values besides the values: classes, storage, mutability.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// What is known about the class and the storage of the values at one location of a model.
package struct StructureRule: Hashable, Sendable {
  /// Patterns of the class names that an object may have, best first; empty for any.
  package var classes: [String] = []
  /// The class and its superclasses up to the root; empty where they are not known.
  package var chain: [String] = []
  /// The possible storage of a field, best first; empty for any.
  package var storages: [FieldStorage] = []
  /// Whether a collection, string or data value is of a mutable class; nil for either.
  package var isMutable: Bool?
  /// The class of a dictionary's keys; nil for any.
  package var keyClass: KeyClass?

  /// Makes a rule without requirements.
  package init() {}

  /// The class that a new object gets: the first of the classes, unless that is a pattern.
  package var className: String? { classes.first.flatMap { $0.contains("*") ? nil : $0 } }

  /// The storage that a new value gets.
  package var storage: FieldStorage? { storages.first }
}

/// A key as archivers store it: one more `$` before a key that begins with one
/// (swift-corelibs-foundation: NSKeyedArchiver.swift, `escapeArchiverKey`).
package func storedKey(_ key: String) -> String { key.hasPrefix("$") ? "$" + key : key }

/// The class of a dictionary's keys.
package enum KeyClass: String, Sendable, CaseIterable {
  case string = "NSString"
  case number = "NSNumber"
  case uuid = "NSUUID"
  case url = "NSURL"
  case date = "NSDate"
  case data = "NSData"
  case decimal = "NSDecimalNumber"

  /// The class of a key by the name of the class that is stored; nil for a class of no such keys.
  package init?(className: String) {
    self.init(rawValue: FoundationClass.immutable(className))
  }

  /// The scalar that a key's text represents; nil for text that no key of the class is written as.
  func scalar(of text: String, in builder: inout GraphBuilder) -> UInt32? {
    switch self {
    case .number:
      if let number = Int64(text), String(number).hasSameScalars(as: text) {
        return builder.add(number)
      }
      if let number = UInt64(text), String(number).hasSameScalars(as: text) {
        return builder.add(unsigned: number)
      }
      guard let number = Double(text), number.description.hasSameScalars(as: text) else {
        return nil
      }
      return builder.add(number)
    case .date: return Timestamp(text: text).map { builder.add($0.secondsFromReference) }
    case .data: return Base64.canonicalBytes(of: text)?.withUnsafeBytes { builder.add(data: $0) }
    default: return nil
    }
  }
}

// MARK: - The class chains of Foundation's own classes, and their mutable forms

/// Facts about classes that archives name without an application's doing.
package enum FoundationClass {
  /// Classes whose mutable subclass has a name of its own.
  private static let mutableNames = [
    "NSArray": "NSMutableArray", "NSDictionary": "NSMutableDictionary", "NSSet": "NSMutableSet",
    "NSOrderedSet": "NSMutableOrderedSet", "NSString": "NSMutableString",
    "NSData": "NSMutableData", "NSIndexSet": "NSMutableIndexSet",
    "NSCharacterSet": "NSMutableCharacterSet", "NSAttributedString": "NSMutableAttributedString",
  ]
  private static let immutableNames = Dictionary(
    uniqueKeysWithValues: mutableNames.map { ($0.value, $0.key) })

  /// The mutable form of a class.
  static func mutable(_ name: String) -> String { mutableNames[name] ?? name }

  /// Classes of values: nothing that is sent to one of their objects changes it, so equal ones can stand for one another.
  ///
  /// NSDateComponents, NSPersonNameComponents and the formatters have setters, and are none of them.
  private static let valueNames: Set = [
    "CLLocation", "NSCharacterSet", "NSColor", "NSDate", "NSDateInterval", "NSDecimalNumber",
    "NSError", "NSIndexPath", "NSIndexSet", "NSLocale", "NSMeasurement", "NSNull", "NSNumber",
    "NSTimeZone", "NSURL", "NSURLQueryItem", "NSUUID", "NSValue", "UIColor",
  ]

  /// Whether objects of a class are values that never change.
  static func isOfValues(_ name: String) -> Bool { valueNames.contains(name) }

  /// Whether a class is a mutable form.
  static func isMutable(_ name: String) -> Bool { immutableNames[name] != nil }

  /// The class that a mutable form derives from; any other class as it is.
  package static func immutable(_ name: String) -> String { immutableNames[name] ?? name }

  /// The class and the superclasses of an object that had another class.
  ///
  /// - Parameter declared: those that a schema has for the class, if it has any.
  /// - Returns: those of the schema; else the rest of the previous chain that begins with the class, or all but its first
  ///   for a class of the application. A class of Foundation gets none of the application's.
  package static func chain(
    of name: String, declared: [String], replacing old: ClassDescription?
  ) -> [String] {
    let isFoundation = ClassRegistry.isFoundation(name)
    if declared.first?.hasSameScalars(as: name) == true,
      !isFoundation || declared.allSatisfy({ ClassRegistry.isFoundation($0) })
    {
      return declared
    }
    guard let old else { return chain(of: name) }
    if let position = old.chain.firstIndex(where: { $0.hasSameScalars(as: name) }) {
      let rest = Array(old.chain[position...])
      if !isFoundation || rest.allSatisfy({ ClassRegistry.isFoundation($0) }) { return rest }
    }
    let isApplications = !isFoundation && !ClassRegistry.isFoundation(old.name)
    return isApplications && old.chain.count > 1
      ? [name] + old.chain.dropFirst() : chain(of: name)
  }

  /// A class and its superclasses, for classes whose own are not known: NSObject above all.
  package static func chain(of name: String) -> [String] {
    if let parent = immutableNames[name] { return [name, parent, "NSObject"] }
    switch name {
    case "NSNumber": return ["NSNumber", "NSValue", "NSObject"]
    case "NSDecimalNumber": return ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"]
    case "NSObject": return ["NSObject"]
    default: return [name, "NSObject"]
    }
  }
}
