// A schema's knowledge of a model's types, for writers that must encode values as a coder would.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// The type that a model's number has in the application; booleans are numbers of 0 and 1 in NSNumber.
package enum NumberShape: Sendable {
  /// As it is.
  case any
  /// An integer: an integral real is written as one.
  case integer
  /// A real: an integer is written as one.
  case real
  /// A boolean: 0 and 1 are written as one.
  case boolean
}

/// The application's type of a model's string.
package enum ExactShape: Sendable {
  /// A string, or anything else.
  case any
  /// A date, and nothing but a date or nil.
  case date
  /// Data, and nothing but data or nil.
  case data
}

/// A description of a model by numbered locations; location 0 is about nothing.
package protocol TypeHints {
  /// The location of the whole model.
  var root: Int { get }
  /// The location of a member; nil if the model has no such member.
  func member(_ schemaIndex: Int, _ key: Text) -> Int?
  /// The location of a list's elements.
  func element(_ schemaIndex: Int) -> Int
  /// The type of a number.
  func number(_ schemaIndex: Int) -> NumberShape
  /// The known classes and storage, or nil.
  func structure(_ schemaIndex: Int) -> StructureRule?
  /// Whether a value is a date or data.
  func exactType(_ schemaIndex: Int) -> ExactShape
  /// Whether a member is one that the description names.
  func names(_ name: String, in schemaIndex: Int) -> Bool
  func allowsNull(_ name: String, in schemaIndex: Int) -> Bool
  /// The form of the model in JSON.
  var jsonCoding: JSONCoding { get }
  /// The Foundation that reads archives of the model.
  var foundation: FoundationKind { get }
}

extension TypeHints {
  /// Nothing is known unless a shape declares it.
  package func structure(_ schemaIndex: Int) -> StructureRule? { nil }
  /// Nothing is known to be a date or data.
  package func exactType(_ schemaIndex: Int) -> ExactShape { .any }
  /// No member is named.
  package func names(_ name: String, in schemaIndex: Int) -> Bool { false }
  /// No member may be null.
  package func allowsNull(_ name: String, in schemaIndex: Int) -> Bool { false }
  /// As a new JSONEncoder does it.
  package var jsonCoding: JSONCoding { JSONCoding() }
  /// Apple's.
  package var foundation: FoundationKind { .apple }

  /// The location of a member by its name; 0 for unknown members.
  package func schemaIndex(of name: String, in schemaIndex: Int) -> Int {
    var name = name
    return name.withUTF8 { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return member(
        schemaIndex, Text(base: UnsafeRawPointer(base), byteCount: bytes.count, form: .utf8)) ?? 0
    }
  }
}

// MARK: - A schema's requirements besides the values: classes, storage, mutability

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
    case .data: return Base64.canonicalBytes(of: text)?.withByteView { builder.add(data: $0) }
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

  static func mutable(_ name: String) -> String { mutableNames[name] ?? name }

  /// Whether a stored key is that of a collection's class, or of its elements and their keys.
  package static func isCollectionKey(_ key: String) -> Bool {
    ["$class", "NS.keys", "NS.objects"].contains(key) || key.hasPrefix("NS.key.")
      || key.hasPrefix("NS.object.")
  }

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
