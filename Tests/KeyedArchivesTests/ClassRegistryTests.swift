// The classes in the registry, and what is shown of any class without it.

import ArchiveGraph
import Foundation
import TestSupport
import Testing

@testable import KeyedArchives

@Suite struct ClassRegistryTests {
  static let promised = [
    "NSAttributedString", "NSMutableAttributedString", "NSDateComponents", "NSCalendar",
    "NSTimeZone", "NSLocale", "NSIndexSet", "NSMutableIndexSet", "NSIndexPath", "NSValue",
    "NSDecimalNumber", "NSError", "NSException", "NSNotification", "NSURLRequest",
    "NSMutableURLRequest", "NSURLResponse", "NSHTTPURLResponse", "NSPredicate",
    "NSComparisonPredicate", "NSCompoundPredicate", "NSExpression", "NSMeasurement", "NSUnit",
    "NSDimension", "NSUnitLength", "NSUnitTemperature", "NSPersonNameComponents", "NSCountedSet",
    "NSMapTable", "NSHashTable", "NSOrderedSet", "NSMutableOrderedSet", "NSCharacterSet",
    "NSMutableCharacterSet", "NSRegularExpression", "NSSortDescriptor", "NSUUID", "NSURL",
    "NSProgress", "NSDateInterval", "NSURLQueryItem", "NSColor", "UIColor", "NSFont", "UIFont",
    "NSImage", "UIImage", "NSParagraphStyle", "NSMutableParagraphStyle", "NSShadow", "CLLocation",
  ]

  private static let names = ClassRegistry.listing.flatMap { $0.classes.flatMap(\.names) }

  @Test(arguments: promised)
  func knowsTheClass(_ name: String) { #expect(Self.names.contains(name)) }

  @Test func knowsEachClassOnceAndSaysWhatIsShown() {
    #expect(Set(Self.names).count == Self.names.count)
    for framework in ClassRegistry.listing {
      for family in framework.classes {
        #expect(!family.names.isEmpty && !family.shown.isEmpty && !family.shown.hasSuffix("."))
      }
    }
  }

  /// A class in a module is an application's, whatever the module's name begins with, unless the module is Foundation.
  @Test(arguments: [
    ("NSURL", true), ("_NSInlineData", true), ("__NSCFString", true), ("UIColor", true),
    ("CLLocation", true), ("UICatalog.Movie", false), ("NSApp.Movie", false), ("CLI.Movie", false),
    ("_TtC9UICatalog5Movie", false), ("_TtCC9UICatalog5Movie5Inner", false), ("App.Movie", false),
    ("Movie", false), ("Foundation.NSThing", true), ("FoundationNetworking.URLThing", true),
    ("FoundationKit.Movie", false),
  ])
  func knowsTheFrameworksClasses(_ name: String, _ isFramework: Bool) {
    #expect(ClassRegistry.isFoundation(name) == isFramework)
  }

  @Test func unitsOfFoundationAreAllKnown() throws {
    let units: [Dimension] = [
      UnitAcceleration.gravity, UnitAngle.degrees, UnitArea.hectares,
      UnitConcentrationMass.gramsPerLiter, UnitDispersion.partsPerMillion, UnitDuration.hours,
      UnitElectricCharge.coulombs, UnitElectricCurrent.amperes,
      UnitElectricPotentialDifference.volts, UnitElectricResistance.ohms, UnitEnergy.joules,
      UnitFrequency.hertz, UnitFuelEfficiency.milesPerGallon, UnitIlluminance.lux,
      UnitInformationStorage.bits, UnitLength.meters, UnitMass.grams, UnitPower.watts,
      UnitPressure.bars, UnitSpeed.knots, UnitTemperature.kelvin, UnitVolume.liters,
    ]
    for unit in units {
      #expect(Self.names.contains("NS\(type(of: unit))"))
    }
  }

  @Test(arguments: ClassHostileTests.families)
  func withoutItsKnowledgeEveryKeyIsShown(_ names: [String]) throws {
    let name = try #require(names.first)
    let fields =
      HostileSamples.sound[name]?.first ?? HostileSamples.keys(of: names).map { ($0, "value") }
    let sample = ArchivedSample.instance([name, "NSObject"], fields)
    let tree = try ShownTree(sample.archive, resolving: false)
    let root = try #require(
      tree.lines.firstIndex { $0.hasSuffix("[1]: dictionary (\(fields.count + 1))") })
    let shown = tree.lines[(root + 1)...].compactMap { line -> String? in
      // Members of the first object stand behind four columns of lines.
      guard let start = line.range(of: "─ "),
        line.distance(from: line.startIndex, to: start.lowerBound) == 7
      else { return nil }
      return line[start.upperBound...].components(separatedBy: ": ").first
    }
    #expect(Array(shown.prefix(fields.count + 1)) == ["$class"] + fields.map(\.0))
  }

  /// A bitmap is 8192 bytes, and for each plane above the first its number and 8192 more.
  @Test(arguments: [
    (8192, 0, true), (8191, 0, false), (8193, 0, false), (16_385, 1, true), (16_385, 16, true),
    (16_385, 0, false), (16_385, 17, false), (16_384, 1, false),
  ])
  func bitmapsOfCharactersHaveTheirSizes(_ size: Int, _ plane: UInt8, _ isSound: Bool) throws {
    var bytes = [UInt8](repeating: 0, count: size)
    bytes[size - 1] = 0x80
    if size > 8192 { bytes[8192] = size == 8193 ? 0x80 : plane }
    let tree = try ShownTree(ArchivedSample.object("NSCharacterSet", ["NSBitmap": .data(bytes)]))
    let last = String(Int(plane) << 16 | 0xFFFF, radix: 16, uppercase: true)
    #expect(tree.meaning == (isSound ? "NSCharacterSet U+\(last)" : "NSCharacterSet"))
  }
}
