// Which classes are known, by framework. To add a family: one file in the framework's folder, one line here.

import ObjectGraph

/// The class families that archtool knows.
public enum ClassRegistry {
  private static let frameworks: [(name: String, families: [any ArchivedClass.Type])] = [
    (
      "Foundation",
      [
        NSArrayClass.self, NSSetClass.self, NSOrderedSetClass.self, NSDictionaryClass.self,
        NSStringClass.self, NSDataClass.self, NSDateClass.self, NSNullClass.self,
        NSURLClass.self, NSUUIDClass.self, NSNumberClass.self,
        NSDecimalNumberClass.self, NSValueClass.self, OldStyleArrayClass.self,
        NSAttributedStringClass.self, NSDateComponentsClass.self, NSCalendarClass.self,
        NSTimeZoneClass.self, NSLocaleClass.self, NSDateIntervalClass.self, NSIndexSetClass.self,
        NSIndexPathClass.self, NSErrorClass.self, NSExceptionClass.self,
        NSNotificationClass.self, NSURLQueryItemClass.self, NSURLComponentsClass.self,
        NSURLMessageClass.self, NSHTTPCookieClass.self, NSMeasurementClass.self,
        NSUnitClass.self, NSUnitConverterClass.self, NSPersonNameComponentsClass.self,
        NSCountedSetClass.self, NSTableClass.self, NSCharacterSetClass.self,
        NSRegularExpressionClass.self, NSTextCheckingResultClass.self,
        NSSortDescriptorClass.self, NSProgressClass.self, NSUserActivityClass.self,
        NSPredicateClass.self, NSExpressionClass.self, NSPredicateOperatorClass.self,
      ]
    ),
    (
      "AppKit and UIKit",
      [
        NSColorClass.self, NSColorSpaceClass.self, UIColorClass.self, NSFontClass.self,
        NSFontDescriptorClass.self, NSImageClass.self, NSImageRepClass.self,
        NSParagraphStyleClass.self, NSTextTabClass.self, NSTextListClass.self,
        NSShadowClass.self, NSTextAttachmentClass.self, NSFileWrapperClass.self,
        NSBezierPathClass.self,
      ]
    ),
    ("Core Location", [CLLocationClass.self, CLRegionClass.self]),
  ]

  private static let byName: [String: any ArchivedClass.Type] = {
    var table: [String: any ArchivedClass.Type] = [:]
    for framework in frameworks {
      for family in framework.families {
        for name in family.classNames { table[name] = family }
      }
    }
    return table
  }()

  /// The frameworks with their classes, and what is shown of an object of each, for the manual.
  public static var listing: [(framework: String, classes: [(names: [String], shown: String)])] {
    frameworks.map { ($0.name, $0.families.map { (names: $0.classNames, shown: $0.shown) }) }
  }

  /// The families that most archives know no others than: found without making the table of all.
  private static let common: [any ArchivedClass.Type] = [
    NSDictionaryClass.self, NSArrayClass.self, NSStringClass.self, NSDataClass.self,
    NSDateClass.self,
  ]

  /// The family of a class, nil if it is not known.
  static func family(of name: String) -> (any ArchivedClass.Type)? {
    for family in common where family.classNames.contains(name) { return family }
    return byName[name]
  }

  /// The family of the nearest ancestor that is known; `chain` begins with the class itself.
  static func family(ofAncestors chain: [String]) -> (any ArchivedClass.Type)? {
    chain.lazy.compactMap { byName[$0] }.first
  }

  /// Whether objects of a class are strings, or UUIDs, which Codable spells as strings.
  static func isText(_ description: ClassDescription) -> Bool {
    let family = family(of: description.name) ?? family(ofAncestors: description.chain)
    return family == NSStringClass.self || family == NSUUIDClass.self
  }

  /// Whether a class is one of Apple's frameworks by its prefix, and so keeps its class in every envelope.
  ///
  /// A class in a module is Swift's, and its name begins with that of the module: `UICatalog.Movie` is an application's.
  static func isFoundation(_ name: String) -> Bool {
    let hasPrefix = frameworkPrefixes.contains { name.hasPrefix($0) }
    guard hasPrefix || mayBeQualified(name) else { return false }
    return ClassName(stored: name).module.map { frameworkModules.contains($0) } ?? hasPrefix
  }

  private static let frameworkPrefixes = ["NS", "_NS", "__NS", "UI", "CL"]
  private static let frameworkModules: Set<String> = [
    "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationInternationalization",
  ]

  /// Whether a name may be that of a class in a module of Foundation: told so, or mangled.
  private static func mayBeQualified(_ name: String) -> Bool {
    name.hasPrefix("Foundation") || name.hasPrefix("_Tt") || name.hasPrefix("$s")
  }

  /// Whether a key is one that frameworks write, not an application's own.
  static func isFrameworkKey(_ key: String) -> Bool {
    ["NS", "UI", "CL", "kCL", "$"].contains { key.hasPrefix($0) }
  }
}
