// Objects of frameworks taken apart into what is shown of them, or into Codable's form, and made again with the fields that
// they had.

import Foundation
import TestSupport
import Testing

@Suite struct StoredFormTests {
  /// An object in an archive.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sample: ArchivedSample
    /// Why there is no way forward or back; nil if there is.
    var refusal: String?

    init(_ name: String, _ sample: ArchivedSample, refusal: String? = nil) {
      testDescription = name
      self.sample = sample
      self.refusal = refusal
    }
  }

  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private static func location(
    _ more: KeyValuePairs<String, ArchivedSample> = [:]
  ) -> ArchivedSample {
    let key = "kCLLocationCodingKey"
    return .instance(
      ["CLLocation", "NSObject"],
      [
        (key + "CoordinateLatitude", 47.4), (key + "CoordinateLongitude", 8.5),
        (key + "Altitude", 4.0), (key + "HorizontalAccuracy", 5.0),
        (key + "VerticalAccuracy", -1.0), (key + "Timestamp", 600_000_000.5),
      ] + more.map { (key + $0.key, $0.value) })
  }

  private static func uiColor(_ red: Double, _ alpha: Double, _ text: String) -> ArchivedSample {
    .object(
      "UIColor",
      [
        "UIColorComponentCount": 4, "UIRed": .inline(.real(red)), "UIGreen": 0.25, "UIBlue": 1.0,
        "UIAlpha": .inline(.real(alpha)), "NSRGB": .data(text), "NSColorSpace": 2,
      ])
  }

  private static func value(
    _ special: Int64, _ fields: KeyValuePairs<String, ArchivedSample>
  ) -> ArchivedSample {
    .instance(
      ["NSValue", "NSObject"],
      [("NS.special", .inline(.integer(special)))] + fields.map { ($0.key, $0.value) })
  }

  private static func boxed(_ number: Int64) -> ArchivedSample { .stored(.integer(number)) }

  private static func date(_ seconds: Double) -> ArchivedSample {
    .object("NSDate", ["NS.time": .inline(.real(seconds))])
  }

  /// Objects whose members a lens takes out of them and puts back.
  static let shown: [Case] = [
    Case("a location", location()),
    Case(
      "a location with fields that are not shown otherwise",
      location(["Type": 1, "Lifespan": -1.0, "MatchInfo": .null])),
    Case("a color", uiColor(0.5, 1, "0.5 0.25 1")),
    Case("a color that is not opaque", uiColor(1, 0.75, "1 0.25 1 0.75")),
    Case(
      "a system color in gray",
      .object(
        "UIColor",
        [
          "UISystemColorName": "darkGrayColor", "UIColorComponentCount": 2, "UIWhite": 0.5,
          "UIAlpha": 1.0, "NSWhite": .data("0.5"), "NSColorSpace": 4,
        ])),
    Case(
      "a color of another subclass",
      .instance(
        ["UIDeviceRGBColor", "UIColor", "NSObject"],
        [
          ("UIColorComponentCount", 4), ("UIRed", 1.0), ("UIGreen", 1.0), ("UIBlue", 1.0),
          ("UIAlpha", 1.0), ("NSRGB", .data("1 1 1")), ("NSColorSpace", 2),
        ])),
    Case(
      "a device color of AppKit",
      .object("NSColor", ["NSColorSpace": 2, "NSRGB": .data("0.196078436 0.5 1\0")])),
    Case(
      "a calibrated color",
      .object("NSColor", ["NSColorSpace": 1, "NSRGB": .data("1 0 0 0.25\0")])),
    Case("a gray", .object("NSColor", ["NSColorSpace": 3, "NSWhite": .data("0.5\0")])),
    Case(
      "a printer's color", .object("NSColor", ["NSColorSpace": 5, "NSCMYK": .data("1 0.5 0 0\0")])),
    Case(
      "a color in a catalog",
      .object(
        "NSColor", ["NSColorSpace": 6, "NSCatalogName": "System", "NSColorName": "labelColor"])),
    Case(
      "a color in a space of its own",
      .object(
        "NSColor",
        [
          "NSColorSpace": 1, "NSRGB": .data("1 0 0"), "NSComponents": .data("1 0 0 1"),
          "NSCustomColorSpace": .object("NSColorSpace", ["NSID": 7]),
        ]), refusal: "NSColorSpace has no Codable form"),
    Case(
      "a path of indexes",
      .object(
        "NSIndexPath", ["NSIndexPathLength": 2, "NSIndexPathData": .stored(.data([1, 0x80, 1]))])),
    Case(
      "a path of one index",
      .object("NSIndexPath", ["NSIndexPathLength": 1, "NSIndexPathValue": 7])),
    Case(
      "text without attributes",
      .object("NSAttributedString", ["NSString": "plain", "NSAttributes": .dictionary([:])])),
    Case(
      "text with attributes",
      .object("NSAttributedString", ["NSString": "red", "NSAttributes": .dictionary(["k": "v"])]),
      refusal: "no way from this form to NSAttributedString: its attributes"),
    Case(
      "an item of a query",
      .object("NSURLQueryItem", ["NS.name": "n", "NS.value": .null])),
  ]

  private func schema(_ name: String) throws -> [String: Any] {
    try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: bench.url(name))) as? [String: Any])
  }

  private func write(_ object: [String: Any], to name: String) throws {
    try bench.write(JSONSerialization.data(withJSONObject: object), to: name)
  }

  /// What an archive stores, with no difference between single and double precision.
  private func stored(_ name: String) throws -> NSDictionary {
    let dump = try bench.run("dump", "--typed", "--compact", name)
    try #require(dump.status == 0, "\(dump.errors)")
    func plain(_ value: Any) -> Any {
      if let list = value as? [Any] { return list.map(plain) }
      guard let members = value as? [String: Any] else { return value }
      if members.count == 1, let number = members["$float"] ?? members["$real"] { return number }
      if let inner = members["$value"], members["$id"] != nil { return plain(inner) }
      return members.mapValues(plain)
    }
    let tree = try JSONSerialization.jsonObject(with: Data(dump.text.utf8))
    return try #require(plain(tree) as? NSDictionary)
  }

  /// Infers the first version of a family from an archive whose field `v` is the object.
  private func inferred(_ sample: ArchivedSample) throws -> [String: Any] {
    try bench.write(ArchivedSample.object("M", ["v": sample]).archive, to: "old")
    let result = try bench.run("schema", "infer", "old", "-o", "v1.json")
    try #require(result.status == 0, "\(result.errors)")
    var first = try schema("v1.json")
    first["$id"] = nil
    return first
  }

  private func family(_ first: [String: Any], _ second: [String: Any], _ lens: [Any]) throws {
    try bench.write(#"{"family": "F", "versions": ["v1", "v2"]}"#, to: "S/F/family.json")
    try write(first, to: "S/F/v1.schema.json")
    try write(second, to: "S/F/v2.schema.json")
    try write(["lens": lens], to: "S/F/v1-v2.lens.json")
  }

  private func migrate(_ source: String, _ output: String, to version: String) throws
    -> ProgramResult
  {
    let other = version == "v1" ? "v2" : "v1"
    return try bench.run(
      "migrate", "--schemas", "S", "--schema", "F", "--from", other, "--to", version,
      "--allow-loss", source, "-o", output, "-f")
  }

  /// Migrates there and back, and compares what is stored.
  private func checkReturn(_ item: Case) throws {
    let there = try migrate("old", "new", to: "v2")
    let back = there.status == 0 ? try migrate("new", "again", to: "v1") : there
    if let refusal = item.refusal {
      #expect(back.status == 1)
      #expect(back.errors.contains(refusal) && back.errors.contains("at $."), "\(back.errors)")
      return
    }
    try #require(back.status == 0, "\(back.errors)")
    #expect(try stored("again") == stored("old"))
  }

  @Test(arguments: shown)
  func comesBackFromItsMembers(_ item: Case) throws {
    let first = try inferred(item.sample)
    let definitions = try #require(first["$defs"] as? [String: [String: Any]])
    let names = ((first["properties"] as? [String: [String: Any]])?["v"]?["$ref"] as? String)?
      .split(separator: "/").last
    let name = String(try #require(names))
    let object = try #require(definitions[name])
    let members = try #require(object["properties"] as? [String: [String: Any]])
    let order = members.keys.sorted()
    let check: [String: Any] = [
      "x-archive": ["envelope": "json"], "type": "object", "properties": members,
      "required": order, "additionalProperties": false, "$defs": definitions,
    ]
    let lens = order.enumerated().map { position, name -> [String: Any] in
      var hoist: [String: Any] = ["host": "v", "name": name]
      if position == order.count - 1 { hoist["prune"] = true }
      return ["hoist": hoist]
    }
    try family(first, check, lens)
    try checkReturn(item)
    let result = try bench.run("schema", "check", "S")
    #expect(!result.errors.contains("x-storage"), "\(result.errors)")
  }

  /// Objects that go to Codable's form and JSON and back as they are.
  static let codable: [Case] = [
    Case("a point", value(1, ["NS.pointval": "{1, 2.5}"])),
    Case("a size", value(2, ["NS.sizeval": "{1, 2.5}"])),
    Case("a rectangle", value(3, ["NS.rectval": "{{1, 2}, {3, 4}}"])),
    Case(
      "a range", value(4, ["NS.rangeval.location": boxed(3), "NS.rangeval.length": boxed(5)])),
    Case(
      "a name",
      .object(
        "NSPersonNameComponents",
        [
          "NS.nameComponentsPrivate": .object(
            "_NSPersonNameComponentsData",
            [
              "NS.givenName": "A", "NS.familyName": .null, "NS.middleName": .null,
              "NS.namePrefix": "Dr", "NS.nameSuffix": .null, "NS.nickname": .null,
              "NS.phoneticRepresentation": .null,
            ])
        ])),
    Case(
      "a name on Linux",
      .object(
        "NSPersonNameComponents",
        [
          "NS.givenName": "A", "NS.familyName": .null, "NS.middleName": .null,
          "NS.namePrefix": "Dr", "NS.nameSuffix": .null, "NS.nickname": .null,
        ])),
    Case(
      "ranges of indexes on Linux",
      .object(
        "NSIndexSet", ["NSRangeCount": 2, "NSRangeData": .stored(.data([1, 2, 0xAC, 2, 2]))])),
    Case("a language", .object("NSLocale", ["NS.identifier": "de_CH"])),
    Case(
      "an address with a base",
      .object(
        "NSURL",
        [
          "NS.base": .object("NSURL", ["NS.base": .null, "NS.relative": "http://h/a/"]),
          "NS.relative": "b",
        ])),
    Case(
      "insets",
      value(
        12,
        [
          "NS.edgeval.top": 1.0, "NS.edgeval.left": 2.0, "NS.edgeval.bottom": 3.0,
          "NS.edgeval.right": 4.5,
        ]),
      refusal: "NSValue has no Codable form"),
    Case("a location", location(), refusal: "CLLocation has no Codable form"),
    Case(
      "keys that are numbers",
      .instance(
        ["NSDictionary", "NSObject"],
        [
          ("NS.keys", .list([boxed(1), boxed(-2)])), ("NS.objects", .list(["one", "two"])),
        ])),
    Case(
      "keys that are reals",
      .instance(
        ["NSMutableDictionary", "NSDictionary", "NSObject"],
        [("NS.keys", .list([.stored(.real(1.5))])), ("NS.objects", .list(["one"]))])),
    Case(
      "keys that are UUIDs",
      .instance(
        ["NSDictionary", "NSObject"],
        [
          (
            "NS.keys",
            .list([.object("NSUUID", ["NS.uuidbytes": .data([UInt8](repeating: 0x31, count: 16))])])
          ), ("NS.objects", .list(["one"])),
        ])),
    Case(
      "keys that are addresses",
      .instance(
        ["NSDictionary", "NSObject"],
        [
          ("NS.keys", .list([.object("NSURL", ["NS.base": .null, "NS.relative": "a:b"])])),
          ("NS.objects", .list(["one"])),
        ])),
    Case(
      "keys of several classes",
      .instance(
        ["NSDictionary", "NSObject"],
        [("NS.keys", .list([boxed(1), "1"])), ("NS.objects", .list(["one", "two"]))]),
      refusal: "keys of several types"),
  ]

  @Test(arguments: codable, ["codable", "json", "dictionariable"])
  func comesBackFromCodable(_ item: Case, _ envelope: String) throws {
    var item = item
    if envelope == "dictionariable" { item.refusal = nil }
    let url: [String: Any] = [
      "type": "object", "properties": ["relative": [:] as [String: Any], "base": [:]],
    ]
    try family(
      try inferred(item.sample),
      [
        "x-archive": ["envelope": envelope], "type": "object",
        "properties": [
          "v": item.testDescription.hasPrefix("an address") && envelope == "json" ? url : [:]
        ],
      ], [])
    try checkReturn(item)
  }

  // MARK: Other fields than those of the class

  static let commands: [(arguments: [String], message: String)] = [
    (
      [
        "set", "--in-place", "old", "$.v",
        #"{"$object": {"class": "CLLocation", "classes": ["CLLocation", "NSObject"], "fields": {"latitude": 1.5}}}"#,
      ], "no way from this form to CLLocation"
    ),
    (
      [
        "insert", "--in-place", "old", "$.w",
        ##"{"$object": {"class": "UIColor", "classes": ["UIColor", "NSObject"], "fields": {"hex": "#FF8000"}}}"##,
      ], "no way from this form to UIColor"
    ),
    (
      ["convert", "--to", "keyed-archive", "typed.json", "-o", "-"],
      "no way from this form to NSIndexPath"
    ),
  ]

  @Test(arguments: commands)
  func membersThatAreShownAreNoFields(_ arguments: [String], _ message: String) throws {
    try bench.write(ArchivedSample.object("M", ["v": "x"]).archive, to: "old")
    try bench.write(
      #"{"$object": {"class": "NSIndexPath", "classes": ["NSIndexPath", "NSObject"], "fields": {"indexes": [1]}}}"#,
      to: "typed.json")
    let result = try bench.run(arguments)
    #expect(result.status != 0)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  static let answers: [(schema: String, json: String, made: String?, message: String)] = [
    (
      #"{"type": "object", "x-class": "UIColor", "additionalProperties": true}"#,
      ##"{"v": {"hex": "#FF8000", "alpha": 0.5}}"##, "UIColor (4) #FF8000 RGB, alpha 0.5", ""
    ),
    (
      #"{"type": "object", "x-class": "CLLocation", "additionalProperties": true}"#,
      #"{"v": {"latitude": 1, "longitude": 2.5}}"#, "CLLocation (2) 1.0, 2.5", ""
    ),
    (
      #"{"type": "object", "x-class": "CLLocation"}"#, #"{"v": {"latitude": 1}}"#, nil,
      "no way from this form to CLLocation: its member 'longitude' is missing (at $.v)"
    ),
    (
      #"{"type": "object", "x-class": "NSCountedSet"}"#, #"{"v": {"elements": []}}"#, nil,
      "no way from this form to NSCountedSet"
    ),
    (
      #"{"type": "object", "x-class": "NSArray"}"#, #"{"v": {"a": 1}}"#, nil,
      "no way from this form to NSArray (at $.v)"
    ),
    (
      #"{"type": "object", "x-key-class": "NSNumber"}"#, #"{"v": {"one": 1}}"#, nil,
      "the key is not of the class NSNumber, which 'x-key-class' requires (at $.v.one)"
    ),
  ]

  @Test(arguments: answers, ["nscoding", "dictionariable"])
  func anAnswerBecomesObjects(
    _ answer: (schema: String, json: String, made: String?, message: String), _ envelope: String
  ) throws {
    try bench.write(#"{"family": "F", "versions": ["v1"]}"#, to: "S/F/family.json")
    try bench.write(
      #"{"x-archive": {"envelope": "\#(envelope)"}, "type": "object", "properties": {"v": \#(answer.schema)}}"#,
      to: "S/F/v1.schema.json")
    try bench.write(answer.json, to: "answer.json")
    let name = envelope == "nscoding" ? ["--class", "M"] : []
    let result = try bench.run(
      ["create", "--schemas", "S", "--schema", "F@v1"] + name + ["answer.json", "-o", "made"])
    guard let made = answer.made else {
      #expect(result.status == 1)
      #expect(result.errors.contains(answer.message), "\(result.errors)")
      return
    }
    try #require(result.status == 0, "\(result.errors)")
    let dump = try bench.run("dump", "made")
    #expect(dump.text.contains(made), "\(dump.text)")
  }

  /// What is shown of objects of a class in JSON, and what they store.
  static let made: [(name: String, shown: String, sample: ArchivedSample)] = [
    ("NSValue", #"{"x": 1, "y": 0.1}"#, value(1, ["NS.pointval": "{1, 0.10000000000000001}"])),
    ("NSValue", #"{"width": 320, "height": 44}"#, value(2, ["NS.sizeval": "{320, 44}"])),
    (
      "NSValue", #"{"x": 1, "y": 2, "width": 3.5, "height": 4}"#,
      value(3, ["NS.rectval": "{{1, 2}, {3.5, 4}}"])
    ),
    (
      "NSValue", #"{"location": 3, "length": 5}"#,
      value(4, ["NS.rangeval.location": boxed(3), "NS.rangeval.length": boxed(5)])
    ),
    (
      "NSValue", #"{"top": 1, "left": 2, "bottom": 3, "right": 4.5}"#,
      value(
        12,
        [
          "NS.edgeval.top": 1.0, "NS.edgeval.left": 2.0, "NS.edgeval.bottom": 3.0,
          "NS.edgeval.right": 4.5,
        ])
    ),
    (
      "NSDateInterval", #"{"start": "2001-01-01T00:01:40Z", "duration": 50}"#,
      .object(
        "NSDateInterval",
        ["NS.startDate": date(100), "NS.endDate": date(150), "NS.duration": 50.0])
    ),
    (
      "NSIndexSet",
      #"{"ranges": [{"location": 1, "length": 2}, {"location": 300, "length": 2}]}"#,
      .object(
        "NSIndexSet",
        [
          "NSRangeCount": 2,
          "NSRangeData": .instance(
            ["NSMutableData", "NSData", "NSObject"], [("NS.data", .data([1, 2, 0xAC, 2, 2]))]),
        ])
    ),
    ("NSIndexSet", #"{"ranges": []}"#, .object("NSIndexSet", ["NSRangeCount": 0])),
  ]

  @Test(arguments: made)
  func isMadeOfWhatIsShown(
    _ item: (name: String, shown: String, sample: ArchivedSample)
  ) throws {
    try bench.write(#"{"family": "F", "versions": ["v1"]}"#, to: "S/F/family.json")
    try bench.write(
      #"{"x-archive": {"envelope": "nscoding"}, "properties": {"v": {"x-class": "\#(item.name)", "properties": {"start": {"x-plist-type": "date"}}}}}"#,
      to: "S/F/v1.schema.json")
    try bench.write(#"{"v": \#(item.shown)}"#, to: "answer.json")
    try bench.write(ArchivedSample.object("M", ["v": item.sample]).archive, to: "wanted")
    let result = try bench.run(
      "create", "--schemas", "S", "--schema", "F@v1", "--class", "M", "answer.json", "-o", "made")
    try #require(result.status == 0, "\(result.errors)")
    #expect(try stored("made") == stored("wanted"))
  }

  @Test func keysOfAnotherClassAreFound() throws {
    try bench.write(#"{"family": "F", "versions": ["v1"]}"#, to: "S/F/family.json")
    try bench.write(
      #"{"x-archive": {"envelope": "nscoding"}, "type": "object", "properties": {"v": {"type": "object", "x-key-class": "NSUUID"}}}"#,
      to: "S/F/v1.schema.json")
    try bench.write(
      ArchivedSample.object("M", ["v": .dictionary(["a": "b"])]).archive, to: "old")
    let result = try bench.run("validate", "--schemas", "S", "--schema", "F@v1", "old")
    #expect(result.status == 1)
    #expect(
      result.errors.contains("expected keys of class NSUUID")
        || result.text.contains("keys of class NSUUID"), "\(result.text) \(result.errors)")
  }
}
