// The frameworks whose classes are known: how their names begin, and a row for each class.

import ArchiveGraph

/// A framework.
package struct Framework: Sendable {
  /// Its name, for the manual.
  package let name: String
  let classPrefixes: [String]
  /// How the keys begin that its classes encode under.
  let keyPrefixes: [String]
  /// Two capitals that an application's keys should not begin with; nil if its classes look for no such keys.
  let reservedKeys: StaticString?
  /// Its classes, a family a row.
  package let classes: [any FrameworkClass.Type]

  /// All frameworks.
  package static let all: [Framework] = [
    Framework(
      name: "Foundation", classPrefixes: ["NS", "_NS", "__NS"], keyPrefixes: ["NS"],
      reservedKeys: "NS",
      classes: [
        NSArrayClass.self,
        NSSetClass.self,
        NSOrderedSetClass.self,
        NSDictionaryClass.self,
        NSStringClass.self,
        NSDataClass.self,
        NSDateClass.self,
        NSNullClass.self,
        NSURLClass.self,
        NSUUIDClass.self,
        NSNumberClass.self,
        NSDecimalNumberClass.self,
        NSValueClass.self,
        OldStyleArrayClass.self,
        NSAttributedStringClass.self,
        NSDateComponentsClass.self,
        NSCalendarClass.self,
        NSTimeZoneClass.self,
        NSLocaleClass.self,
        NSDateIntervalClass.self,
        NSIndexSetClass.self,
        NSIndexPathClass.self,
        NSErrorClass.self,
        NSExceptionClass.self,
        NSNotificationClass.self,
        NSURLQueryItemClass.self,
        NSURLComponentsClass.self,
        NSURLMessageClass.self,
        NSHTTPCookieClass.self,
        NSMeasurementClass.self,
        NSUnitClass.self,
        NSUnitConverterClass.self,
        NSPersonNameComponentsClass.self,
        NSCountedSetClass.self,
        NSTableClass.self,
        NSCharacterSetClass.self,
        NSRegularExpressionClass.self,
        NSTextCheckingResultClass.self,
        NSSortDescriptorClass.self,
        NSProgressClass.self,
        NSUserActivityClass.self,
        NSPredicateClass.self,
        NSExpressionClass.self,
        NSPredicateOperatorClass.self,
      ]),
    Framework(
      name: "AppKit and UIKit", classPrefixes: ["UI"], keyPrefixes: ["UI"], reservedKeys: "UI",
      classes: [
        NSColorClass.self,
        NSColorSpaceClass.self,
        UIColorClass.self,
        NSFontClass.self,
        NSFontDescriptorClass.self,
        NSImageClass.self,
        NSImageRepClass.self,
        NSParagraphStyleClass.self,
        NSTextTabClass.self,
        NSTextListClass.self,
        NSShadowClass.self,
        NSTextAttachmentClass.self,
        NSFileWrapperClass.self,
        NSBezierPathClass.self,
        NSColorListClass.self,
        NSIBObjectDataClass.self,
        NSNibConnectorClass.self,
        NSCustomObjectClass.self,
        NSWindowTemplateClass.self,
        NSMenuClass.self,
        NSMenuItemClass.self,
        NSViewClass.self,
        NSCellClass.self,
        NSButtonCellClass.self,
        NSTableColumnClass.self,
        UIViewClass.self,
        NSLayoutConstraintClass.self,
        IBClassReferenceClass.self,
        StreamedClass.self,
      ]),
    Framework(
      name: "Core Location", classPrefixes: ["CL"], keyPrefixes: ["CL", "kCL"], reservedKeys: nil,
      classes: [
        CLLocationClass.self,
        CLRegionClass.self,
      ]),
    Framework(
      name: "Core Data", classPrefixes: [], keyPrefixes: [], reservedKeys: nil,
      classes: [
        NSEntityDescriptionClass.self,
        NSAttributeDescriptionClass.self,
        NSRelationshipDescriptionClass.self,
      ]),
    Framework(
      name: "SceneKit", classPrefixes: [], keyPrefixes: [], reservedKeys: nil,
      classes: [SCNNodeClass.self]),
    Framework(
      name: "Xcode", classPrefixes: [], keyPrefixes: [], reservedKeys: nil,
      classes: [
        DVTDocumentLocationClass.self,
        DVTFilePathClass.self,
        IDEArchivableStringIndexPairClass.self,
        IDENavigableItemClass.self,
      ]),
  ]

  /// Whether the name of a class begins as one of a framework.
  static func hasClassPrefix(_ name: String) -> Bool {
    allClassPrefixes.contains { name.hasPrefix($0) }
  }

  /// Whether a key is one that frameworks and archivers write, not an application's own.
  package static func isKey(_ key: String) -> Bool { allKeyPrefixes.contains { key.hasPrefix($0) } }

  private static let allClassPrefixes = all.flatMap(\.classPrefixes)
  private static let allKeyPrefixes = all.flatMap(\.keyPrefixes) + ["$"]

  /// Whether an application's key may be mistaken for one of a framework: `NS.` and `UI.`, or a capital and a small letter
  /// after the prefix: not `NSFW`, not `UID`.
  static func reserves(_ key: Text) -> Bool {
    let units = (0..<4).map { key.unit(at: $0) ?? 0 }
    let isReserved = all.contains { framework in
      guard let prefix = framework.reservedKeys else { return false }
      return units[0] == UInt16(prefix.utf8Start[0]) && units[1] == UInt16(prefix.utf8Start[1])
    }
    guard isReserved else { return false }
    if units[2] == 0x2E { return true }
    // UIDs.
    if units[0] == 0x55, units[2] == 0x44, units[3] == 0x73 { return false }
    return (0x41...0x5A).contains(units[2]) && (0x61...0x7A).contains(units[3])
  }
}
