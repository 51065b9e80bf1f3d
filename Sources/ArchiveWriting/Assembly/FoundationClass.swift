// The class chains of Foundation's own classes, and their mutable forms.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

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
