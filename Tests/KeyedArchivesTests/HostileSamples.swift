// Unexpected values under a class's known keys: nothing, another type, numbers out of range, the object itself.

import Foundation
import KeyedArchives
import TestSupport

/// Archived objects that are not what their class writes.
enum HostileSamples {
  static let values: [ArchivedSample] =
    scalars + texts + bytes + [
      .null, .owner, .root, .list([]), .list([.owner, .null]), .table([("a", .owner)]),
      .array([.owner, .root, 1, "x"]), .array([.array([.array([])])]),
      .dictionary([.owner: .owner]), .dictionary(["NSLocalizedDescription": .owner]),
      .dictionary(["NSFontSizeAttribute": "x", "NSFontNameAttribute": .owner]),
      .object("NSDate", ["NS.time": .inline(.real(.nan))]), .object("NSDate"),
      .object("NSNumber", ["NS.intval": .inline(.integer(.min))]),
      .object("NSString", ["NS.bytes": .data([0xFF, 0xFE])]), .object("NSNull"),
      .object("NSURL", ["NS.relative": "x", "NS.base": .owner]),
      .object("NSURL", ["NS.relative": "https://e.com", "NS.base": .null]),
      .object("NSColor", ["NSColorSpace": 6, "NSColor": .owner]),
      .object("NSExpression", ["NSKeyPath": "k"]), .object("NSPredicate"),
      .object("NSValue", ["NS.special": 4]), .object("Unknown", ["x": .owner]),
    ]

  /// Every so many of the values, beginning anywhere.
  static func part(_ step: Int, from start: Int) -> [ArchivedSample] {
    stride(from: start % step, to: values.count, by: step).map { values[$0] }
  }

  private static let scalars: [ArchivedSample] = [
    true, 0, 1, 2, 3, 4, 5, 6, 10, 11, 12, -1, 0.5, -0.0, 1e308, .inline(.real(.nan)),
    .inline(.real(.infinity)), .inline(.integer(.max)), .inline(.integer(.min)),
    .inline(.unsigned(.max)), .inline(.integer(Int64(Int32.max))), .inline(.date(1e9)),
    .stored(.real(-.infinity)), .stored(.unsigned(.max)),
  ]

  private static let texts: [ArchivedSample] = [
    "", "$null", "x", " ", "nan", "{nan, inf}", "{1, 2}", "{{1, 2}, {3, 4}}", "{{{{", "{A=ffff}",
    "{SCNVector3=fff}", "[9i]", "🌦\u{301}", "line\nbreak", .inline(.string("in place")),
    .stored(.string(String(repeating: "long ", count: 50))),
  ]

  private static let bytes: [ArchivedSample] = [
    .data([]), .data([0]), .data([0x80]), .data([1, 0, 1, 1]), .data("0.5 0.25 1 1"),
    .data("nan inf -inf 1e999"), .data("1 x"), .data([UInt8](repeating: 0xFF, count: 16)),
    .data([UInt8](repeating: 0x7F, count: 12)),
  ]

  /// What the classes write, by class.
  static let sound: [String: [[(String, ArchivedSample)]]] = {
    var table: [String: [[(String, ArchivedSample)]]] = [:]
    func add(_ sample: ArchivedSample) {
      guard case .instance(let chain, let fields) = sample, let name = chain.first else { return }
      table[name, default: []].append(fields)
      for (_, field) in fields { add(field) }
    }
    let layouts =
      ColorTests.appKit + ColorTests.uiKit + AppKitClassTests.fonts + AppKitClassTests.images
      + AppKitClassTests.styles + AppKitClassTests.places + InterfaceClassTests.layouts
      + FoundationLayoutTests.layouts
    for layout in layouts { add(layout.sample) }
    for (decimal, _) in FoundationLayoutTests.decimals { add(decimal) }
    let predicates = PredicateTests.comparisons + PredicateTests.compounds
    for (predicate, _) in predicates + PredicateTests.expressions { add(predicate) }
    return table
  }()

  /// The keys that a family looks for: those of its layouts, and the strings in the file that it is in.
  static func keys(of names: [String]) -> [String] {
    var keys: Set<String> = ["NS.objects", "NS.keys", "NS.object.0", "NS.key.0", "$0", "$1"]
    for name in names {
      for fields in sound[name] ?? [] { keys.formUnion(fields.map(\.0)) }
    }
    keys.formUnion(["NS.string", "NS.bytes", "NS.data", "NS.time", "NS.base", "NS.relative"])
    keys.formUnion(["NS.uuidbytes", "NS.boolval", "NS.intval", "NS.dblval"])
    if let name = names.first, let source = sources.first(where: { $0.contains("\"\(name)\"") }) {
      keys.formUnion(literals(of: source))
    }
    return keys.sorted()
  }

  private static let sources: [String] = {
    let root = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Sources/KeyedArchives")
    return ["Foundation", "AppKit", "CoreLocation", "Predicates"].flatMap { folder in
      let folder = root.appendingPathComponent(folder)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return names.sorted().compactMap {
        try? String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
      }
    }
  }()

  /// The strings of a source that may be keys, by themselves or behind a prefix.
  private static func literals(of source: String) -> [String] {
    let parts = source.components(separatedBy: "\"")
    let words = stride(from: 1, to: parts.count, by: 2).map { parts[$0] }.filter { word in
      (2...60).contains(word.count)
        && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".$-_".contains($0)) }
    }
    let prefixes = Set(words).intersection([
      "NS.", "kCLLocationCodingKey", "kCLCircularRegionCodingKey", "UI",
    ])
    return words.filter { $0.first?.isUppercase == true || $0.contains("$") || $0.hasPrefix("k") }
      + prefixes.flatMap { prefix in
        words.filter { $0.first?.isLowercase == true || prefix.hasPrefix("k") }.map { prefix + $0 }
      }
  }
}
