// Classes of Foundation that cannot be archived on Linux, or are archived differently there.

import Foundation
import TestSupport
import Testing

@Suite struct FoundationLayoutTests {
  private static func decimal(
    _ mantissa: [UInt8], _ exponent: Int64, length: Int64? = nil, isNegative: Bool = false,
    order: Int64 = 1
  ) -> ArchivedSample {
    let words = mantissa + [UInt8](repeating: 0, count: 16 - mantissa.count)
    return .object(
      "NSDecimalNumber",
      [
        "NS.exponent": .inline(.integer(exponent)),
        "NS.length": .inline(.integer(length ?? Int64((mantissa.count + 1) / 2))),
        "NS.negative": .inline(.boolean(isNegative)), "NS.compact": true,
        "NS.mantissa": .stored(.data(words)), "NS.mantissa.bo": .inline(.integer(order)),
      ])
  }

  static let decimals: [(ArchivedSample, String)] = [
    (decimal([0x40, 0xE2, 0x01], -3), "123.456"),
    (decimal([0x40, 0xE2, 0x01], -3, isNegative: true), "-123.456"),
    (decimal([0xE2, 0x40, 0x00, 0x01], -3, order: 2), "123.456"), (decimal([5], 3), "5000"),
    (decimal([5], -128), "0." + String(repeating: "0", count: 127) + "5"),
    (decimal([], 0), "0"), (decimal([], 0, isNegative: true), "NaN"), (decimal([100], -2), "1"),
    (
      decimal([UInt8](repeating: 0xFF, count: 16), 0),
      "340282366920938463463374607431768211455"
    ),
    // Words beyond the length are not part of the number.
    (decimal([7, 0, 9, 9], 0, length: 1), "7"),
  ]

  @Test(arguments: decimals)
  func decimalsAreTheirDigits(_ sample: ArchivedSample, _ digits: String) throws {
    #expect(try ShownTree(sample).root == "NSDecimalNumber \"\(digits)\"")
  }

  @Test(arguments: [
    "0", "1", "-1", "123.456", "-0.001", "65536", "4294967295.5", "1e100", "-9e-100",
    "340282366920938463463374607431768211455", "3.14159265358979323846264338327950288419",
  ])
  func decimalsAreWhatFoundationSaysOfThem(_ text: String) throws {
    let decimal = try #require(Decimal(string: text))
    // Property lists spell the parts that an archive stores.
    struct Parts: Decodable {
      let exponent: Int64
      let length: Int64
      let isNegative: Bool
      let mantissa: [UInt16]
    }
    let list = try PropertyListEncoder().encode([decimal])
    let parts = try #require(PropertyListDecoder().decode([Parts].self, from: list).first)
    for order in [Int64(1), 2] {
      let bytes = parts.mantissa.flatMap { word in
        let ends = [UInt8(word & 0xFF), UInt8(word >> 8)]
        return order == 1 ? ends : ends.reversed()
      }
      let sample = Self.decimal(
        bytes, parts.exponent, length: parts.length,
        isNegative: parts.isNegative, order: order)
      #expect(try ShownTree(sample).root == "NSDecimalNumber \"\(decimal.description)\"")
    }
  }

  static let layouts: [ClassLayout] = [
    ClassLayout(
      .object(
        "NSError",
        [
          "NSDomain": "NSCocoaErrorDomain", "NSCode": 260,
          "NSUserInfo": .dictionary([
            "NSFilePath": "/tmp/x", "NSLocalizedDescription": "No \"file\".",
          ]),
        ]), "NSError NSCocoaErrorDomain 260: \"No \\\"file\\\".\"",
      members: ["NSUserInfo: NSDictionary (2)"]),
    ClassLayout(
      .object("NSError", ["NSDomain": "D", "NSCode": -1, "NSUserInfo": .null]), "NSError D -1"),
    ClassLayout(
      .object(
        "NSException",
        ["NS.name": "NSRangeException", "NS.reason": "index 5", "NS.userinfo": .null]),
      "NSException NSRangeException: \"index 5\""),
    ClassLayout(
      .object(
        "NSSortDescriptor",
        ["NSKey": "name", "NSAscending": false, "NSSelector": "localizedCompare:"]),
      "NSSortDescriptor name descending by localizedCompare:"),
    ClassLayout(
      .object("NSSortDescriptor", ["NSKey": .null, "NSAscending": true]),
      "NSSortDescriptor itself ascending"),
    ClassLayout(
      .object(
        "NSProgress", ["NSProgressCompletedUnitCount": 3, "NSProgressTotalUnitCount": 10]),
      "NSProgress 3 of 10"),
    ClassLayout(
      .object("NSMapTable", ["NS.count": 2, "$0": "a", "$1": "b"]), "NSMapTable 2 entries",
      members: ["$0: \"a\"", "$1: \"b\""]),
    ClassLayout(.object("NSHashTable", ["NS.count": 1]), "NSHashTable 1 entry"),
    ClassLayout(
      .object("NSHashTable", ["NS.objects": .array(["a", "b", "c"])]), "NSHashTable 3 entries"),
    ClassLayout(
      .object("NSURL", ["NS.base": .null, "NS.relative": "https://example.com/"]),
      "NSURL \"https://example.com/\""),
    ClassLayout(
      .object("NSUserActivity", ["NS.activityType": "com.example.read", "NS.title": "Page"]),
      "NSUserActivity com.example.read \"Page\""),
    ClassLayout(
      .object("NSHTTPCookie", ["Name": "n", "Value": "v", "Domain": "e.com", "Path": "/"]),
      "NSHTTPCookie n=v for e.com/"),
    ClassLayout(
      .object("NSMutableURLRequest", ["$0": 1, "$1": .object("NSURL", ["NS.relative": "a:b"])]),
      "NSMutableURLRequest a:b"),
    ClassLayout(
      .object(
        "NSURLComponents",
        ["NS.scheme": "https", "NS.host": "h", "NS.port": 81, "NS.path": "/p", "NS.query": "q"]),
      "NSURLComponents https://h:81/p?q"),
    ClassLayout(
      .object(
        "NSIndexSet",
        [
          "NSRangeCount": 2,
          "NSRangeData": .object(
            "NSMutableData", ["NS.data": .data([1, 1, 0xAC, 2, 2])]),
        ]),
      "NSIndexSet 1, 300–301"),
    ClassLayout(
      .object(
        "NSValue",
        [
          "NS.special": 4, "NS.rangeval.location": .stored(.integer(1)),
          "NS.rangeval.length": .stored(.integer(2)),
        ]), "NSValue range {1, 2}"),
    ClassLayout(
      .object("NSValue", ["NS.special": 2, "NS.sizeval": "{1.5, 2}"]), "NSValue size {1.5, 2}"),
    ClassLayout(
      .object(
        "NSConcreteValue",
        [
          "$0": "[3i]",
          "$1": .object(
            "_NSKeyedCoderOldStyleArray",
            ["NS.count": 3, "NS.size": 4, "NS.type": 105, "$0": 1, "$1": 2, "$2": 3]),
        ]), "NSConcreteValue [3i] {1, 2, 3}"),
    ClassLayout(
      .object("NSValue", ["value": 90_000, "timescale": 600, "flags": 1, "epoch": 0]),
      "NSValue time 90000/600 = 150 s", members: ["value: 90000", "timescale: 600", "flags: 1"]),
    ClassLayout(
      .object(
        "NSMeasurement",
        ["NS.value": 2.0, "NS.unit": .object("NSUnitLength", ["NS.symbol": "m"])]),
      "NSMeasurement 2 m"),
    ClassLayout(
      .object(
        "NSPersonNameComponents",
        [
          "NS.nameComponentsPrivate": .object(
            "_NSPersonNameComponentsData", ["NS.givenName": "Ada", "NS.familyName": "L"])
        ]), "NSPersonNameComponents Ada L"),
    ClassLayout(
      .object(
        "NSAttributedString",
        [
          "NSString": "ab", "NSAttributes": .array([.dictionary([:]), .dictionary(["k": "v"])]),
          "NSAttributeInfo": .data([1, 0, 1, 1]),
        ]), "NSAttributedString \"ab\" 2 runs"),
    ClassLayout(
      .object("NSCharacterSet", ["NSBuiltinID": 4]), "NSCharacterSet decimal digit characters"),
    // Not what the class writes: its fields as they are.
    ClassLayout(.object("NSColor", ["NSColorSpace": 99]), "NSColor", members: ["NSColorSpace: 99"]),
  ]

  @Test(arguments: layouts)
  func isShownAsWhatItMeans(_ layout: ClassLayout) throws { try layout.check() }

  @Test(arguments: ["NS.object.01", "NS.object.+1"])
  func elementsThatAreNumberedTwiceAreAllShown(_ key: String) throws {
    let sample = ArchivedSample.instance(
      ["NSArray", "NSObject"], [("NS.object.0", "a"), ("NS.object.1", "b"), (key, "c")])
    let tree = try ShownTree(sample)
    #expect(tree.members == ["NS.object.0: \"a\"", "NS.object.1: \"b\"", "\(key): \"c\""])
  }

  @Test func unknownClassesShowAllTheirKeys() throws {
    let contact = ArchivedSample.object(
      "CNContact",
      [
        "givenName": "Ada", "NS.x": 1, "$$escaped": true, "emails": .array(["a@b"]),
        "nested": .table([("inner", 2)]), "nil": .null, "self": .root,
      ])
    let tree = try ShownTree(contact)
    #expect(tree.meaning.hasPrefix("CNContact"))
    let names = tree.members.compactMap { $0.components(separatedBy: ": ").first }
    #expect(names == ["givenName", "NS.x", "$escaped", "emails", "nested", "nil", "self"])
    #expect(tree.member("nil") == "null")
    #expect(tree.member("self")?.hasPrefix("→ #") == true)
  }

  @Test func subclassesShowTheirAncestorsMeaningAndTheirOwnKeys() throws {
    let range = ArchivedSample.instance(
      ["MyError", "NSError", "NSObject"],
      [("NSDomain", "D"), ("NSCode", 3), ("retries", 5)])
    let tree = try ShownTree(range)
    #expect(tree.meaning == "MyError D 3")
    #expect(tree.member("retries") == "5")
  }
}
