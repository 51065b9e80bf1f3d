// Each lint, on an archive with the problem, and on one that is close to it.

import ArchiveBasics
import ArchiveGraph
import Foundation
import KeyedArchives
import TestSupport
import Testing

/// An input, and whether a lint finds something in it.
struct LintCase: Sendable, CustomTestStringConvertible {
  let lint: Lint
  let name: String
  let bytes: [UInt8]
  /// The paths of the findings.
  let paths: [String]
  var allowed: Set<String>?

  init(
    _ lint: Lint, _ name: String, _ bytes: [UInt8], _ paths: [String] = [],
    allowed: Set<String>? = nil
  ) {
    (self.lint, self.name, self.bytes, self.paths) = (lint, name, bytes, paths)
    self.allowed = allowed
  }

  var testDescription: String { "\(lint.rawValue): \(name)" }
}

@Suite struct IntegrityLintTests {
  private typealias Sample = IntegritySample

  /// An archive of one object of a class, with fields.
  private static func one(
    _ fields: String, _ names: String = "App.Thing", _ more: [String] = []
  ) -> [UInt8] {
    Sample.archive([Sample.object(2, fields), Sample.record(names)] + more)
  }

  private static func text(_ text: String) -> String { "<string>\(text)</string>" }

  private static func field(_ key: String, _ value: String) -> String {
    "<key>\(key)</key>\(value)"
  }

  private static func dictionary(_ keys: String, _ objects: String) -> String {
    field("NS.keys", "<array>\(keys)</array>") + field("NS.objects", "<array>\(objects)</array>")
  }

  static let parts: [LintCase] = [
    LintCase(
      .missingArchiver, "none", Sample.archive([text("a")], archiver: ""), ["$"]),
    LintCase(
      .missingArchiver, "an integer",
      Sample.archive([text("a")], archiver: field("$archiver", "<integer>1</integer>")),
      ["$['$archiver']"]),
    LintCase(
      .missingArchiver, "a dictionary of its own",
      Sample.plist("<dict><key>$objects</key><string>x</string></dict>")),
    LintCase(
      .missingTop, "an array", Sample.archive([text("a")], top: field("$top", "<array/>")),
      ["$['$top']"]),
    LintCase(.missingTop, "none", Sample.archive([text("a")], top: ""), ["$"]),
    LintCase(.missingTop, "one", Sample.archive([text("a")])),
    LintCase(
      .missingObjects, "a string",
      Sample.plist(
        "<dict><key>$archiver</key><string>A</string><key>$top</key><dict/><key>$objects</key><string>x</string></dict>"
      ), ["$['$objects']"]),
    LintCase(
      .danglingUID, "in three places",
      one(field("a", "#9") + field("b", "<array>#0#9</array>") + field("c", "#3")),
      ["$['$objects'][1].a", "$['$objects'][1].b[1]", "$['$objects'][1].c"]),
    LintCase(
      .danglingUID, "in $top",
      Sample.archive([], top: "<key>$top</key><dict><key>x</key>#4</dict>"),
      ["$['$top'].x"]),
    LintCase(.danglingUID, "the last object", one(field("a", "#2"))),
  ]

  static let classes: [LintCase] = [
    LintCase(
      .classNotARecord, "a text and an object",
      Sample.archive([Sample.object(2), text("x"), Sample.object(1)]),
      ["$['$objects'][1]", "$['$objects'][3]"]),
    LintCase(.classNotARecord, "a record", one("")),
    LintCase(
      .badClassRecord, "each part",
      Sample.archive([
        Sample.object(2),
        "<dict>\(field("$classname", "<integer>1</integer>"))\(field("$classes", "<array/>"))</dict>",
        "<dict>\(field("$classname", text("A")))\(field("$classes", text("A")))</dict>",
        "<dict>\(field("$classname", text("A")))\(field("$classes", "<array><string>B</string></array>"))</dict>",
        "<dict>\(field("$classname", text("A")))\(field("$classes", "<array><string>A</string><true/></array>"))</dict>",
        "<dict>\(field("$classes", "<array><string>A</string></array>"))</dict>",
      ]),
      [
        "$['$objects'][2]", "$['$objects'][3]", "$['$objects'][4]", "$['$objects'][5]",
        "$['$objects'][6]",
      ]),
    LintCase(.badClassRecord, "a chain", one("")),
    LintCase(
      .unusedClass, "one", one("", "A", [Sample.record("B")]), ["$['$objects'][3]"]),
    LintCase(.unusedClass, "none", one("")),
    LintCase(
      .duplicateClass, "two",
      Sample.archive([
        Sample.object(2, field("a", "#3")), Sample.record("A"), Sample.object(4),
        Sample.record("A"),
      ]), ["$['$objects'][4]"]),
    LintCase(
      .duplicateClass, "two classes",
      Sample.archive([
        Sample.object(2, field("a", "#3")), Sample.record("A"), Sample.object(4),
        Sample.record("B"),
      ])),
    LintCase(
      .deprecatedClass, "an old date", one("", "NSCalendarDate"), ["$['$objects'][2]"]),
    LintCase(.deprecatedClass, "a date", one("", "NSDate")),
    LintCase(
      .deprecatedClass, "a record without objects", one("", "A", [Sample.record("NSMatrix")])),
  ]

  static let allowed: [LintCase] = [
    LintCase(
      .classNotAllowed, "another", one("", "App.Thing"), ["$['$objects'][2]"],
      allowed: ["NSArray", "NSObject"]),
    LintCase(.classNotAllowed, "a pattern", one("", "App.Thing"), allowed: ["App.*"]),
    LintCase(
      .classNotAllowed, "a mangled name", one("", "_TtCV3App5Movie10MovieClass"),
      allowed: ["*.MovieClass"]),
    LintCase(.classNotAllowed, "a mutable twin", one("", "NSMutableArray"), allowed: ["NSArray"]),
    LintCase(.classNotAllowed, "an ancestor of no object", one("", "A"), allowed: ["A"]),
    LintCase(
      .classNotAllowed, "no object", one("", "A", [Sample.record("B")]), allowed: ["A"]),
    LintCase(.classNotAllowed, "no list", one("", "A")),
  ]

  static let fields: [LintCase] = [
    LintCase(
      .keysObjectsCount, "two dictionaries",
      one(
        dictionary("#3#3", "#1"), "NSDictionary",
        [text("a"), Sample.object(2, dictionary("", "#3"))]
      ), ["$['$objects'][1]", "$['$objects'][4]"]),
    LintCase(
      .keysObjectsCount, "as many", one(dictionary("#3", "#3"), "NSDictionary", [text("a")])),
    LintCase(
      .keysObjectsCount, "another class", one(dictionary("#3#3", "#1"), "A", [text("a")])),
    LintCase(
      .wrongField, "a list that is none", one(field("NS.objects", text("x")), "NSArray"),
      ["$['$objects'][1]['NS.objects']"]),
    LintCase(
      .wrongField, "a time that is none", one(field("NS.time", text("x")), "NSDate"),
      ["$['$objects'][1]['NS.time']"]),
    LintCase(
      .wrongField, "an identifier of 3 bytes",
      one(field("NS.uuidbytes", "<data>AAAA</data>"), "NSUUID"),
      ["$['$objects'][1]['NS.uuidbytes']"]),
    LintCase(.wrongField, "nil", one(field("NS.string", "#0"), "NSMutableString")),
    LintCase(.wrongField, "an app's class", one(field("NS.time", text("x")), "A")),
    LintCase(
      .duplicateKey, "equal texts",
      one(dictionary("#3#4", "#3#3"), "NSDictionary", [text("a"), text("a")]), ["$['$objects'][1]"]),
    LintCase(
      .duplicateKey, "other texts",
      one(dictionary("#3#4", "#3#3"), "NSDictionary", [text("a"), text("b")])),
    LintCase(
      .reservedKeyPrefix, "three",
      one(field("NS.x", "<true/>") + field("UIColor", "<true/>") + field("$x", "<true/>")),
      ["$['$objects'][1]['NS.x']", "$['$objects'][1].UIColor", "$['$objects'][1]['$x']"]),
    LintCase(
      .reservedKeyPrefix, "none",
      one(
        ["NSFW", "UID", "UIDs", "$0", "$$x", "name"].map { field($0, "<true/>") }.joined())),
    LintCase(.reservedKeyPrefix, "a framework's", one(field("NSFoo", "<true/>"), "NSThing")),
  ]

  static let reach: [LintCase] = [
    LintCase(
      .ambiguousNull, "one", one(field("a", "#3"), "A", [text("$null")]), ["$['$objects'][3]"]),
    LintCase(.ambiguousNull, "none", one(field("a", "#0"), "A", [text("null")])),
    LintCase(
      .ambiguousNull, "two",
      one(field("a", "#3") + field("b", "#4"), "A", [text("$null"), text("$null")]),
      ["$['$objects'][3]"]),
    LintCase(
      .ambiguousNull, "of a nib",
      Sample.archive(
        [Sample.object(2, field("a", "#3")), Sample.record("NSIBObjectData"), text("$null")],
        top: "<key>$top</key><dict><key>IB.objectdata</key>#1</dict>")),
    LintCase(
      .wrongField, "a mutable string",
      one(
        field("NS.base", "#0") + field("NS.relative", "#3"), "NSURL",
        [
          Sample.object(4, field("NS.string", "<string>h</string>")),
          Sample.record("NSMutableString", "NSString"),
        ])),
    LintCase(
      .wrongField, "a list where a string is",
      one(
        field("NS.base", "#0") + field("NS.relative", "#3"), "NSURL",
        [
          Sample.object(4, field("NS.objects", "<array/>")), Sample.record("NSArray"),
        ]), ["$['$objects'][1]['NS.relative']"]),
    LintCase(
      .unreachableObject, "a loop beside the root",
      one("", "A", [Sample.object(2, field("a", "#4")), Sample.object(2, field("a", "#3"))]),
      ["$['$objects'][3]", "$['$objects'][4]"]),
    LintCase(.unreachableObject, "a chain", one(field("a", "<array>#3</array>"), "A", [text("x")])),
  ]

  private static func number(_ spelling: String) -> [UInt8] {
    Sample.plist("<dict><key>n</key>\(spelling)</dict>")
  }

  static let numbers: [LintCase] = [
    LintCase(
      .wideInteger, "2^63", number("<integer>9223372036854775808</integer>"), ["$.n"]),
    LintCase(.wideInteger, "2^63 - 1", number("<integer>9223372036854775807</integer>")),
    LintCase(
      .impreciseInteger, "2^53 + 1", number("<integer>9007199254740993</integer>"), ["$.n"]),
    LintCase(.impreciseInteger, "NSNotFound", number("<integer>9223372036854775807</integer>")),
    LintCase(.impreciseInteger, "2^53", number("<integer>9007199254740992</integer>")),
    LintCase(.impreciseInteger, "2^60", number("<integer>1152921504606846976</integer>")),
    LintCase(.nonfiniteReal, "nan", number("<real>nan</real>"), ["$.n"]),
    LintCase(.nonfiniteReal, "a large one", number("<real>1e308</real>")),
    LintCase(
      .singleReal, "0.1", HandmadeList(objects: [[0x22, 0x3D, 0xCC, 0xCC, 0xCD]]).bytes, ["$"]),
    LintCase(.singleReal, "0.5", HandmadeList(objects: [[0x22, 0x3F, 0, 0, 0]]).bytes),
    LintCase(
      .wideInteger, "128 bits",
      HandmadeList(objects: [[0x14] + [UInt8](repeating: 1, count: 16)]).bytes, ["$"]),
  ]

  static let others: [LintCase] = [
    LintCase(
      .oddity, "a version",
      Sample.plist(
        "<dict><key>$archiver</key><string>A</string><key>$version</key><integer>7</integer><key>$top</key><dict/><key>$objects</key><array><string>$null</string></array></dict>"
      ), [""]),
    LintCase(.oddity, "none", one("")),
    LintCase(
      .duplicateKey, "a text",
      Sample.plist("<dict><key>a</key><true/><key>a</key><false/></dict>"), [""]),
    LintCase(
      .duplicateKey, "two stored strings",
      HandmadeList(objects: [[0xD2, 1, 2, 1, 2], HandmadeList.text("k"), HandmadeList.text("k")])
        .bytes, ["$"]),
    LintCase(
      .nonTextKey, "an integer",
      HandmadeList(objects: [[0xD1, 1, 2], [0x10, 5], HandmadeList.text("v")]).bytes, ["$"]),
    LintCase(
      .nonTextKey, "a string of digits",
      HandmadeList(objects: [[0xD1, 1, 2], HandmadeList.text("5"), HandmadeList.text("v")]).bytes),
    LintCase(.mediumDate, "of a plain model", stamp("2019-04-06"), ["$.fetchedAt"]),
    LintCase(.mediumDate, "of a plain model, sound", stamp("Apr 6, 2019 at 12:50:00 PM")),
    LintCase(
      .mediumDate, "of a field", one(field("fetchedAt", "#3"), "A", [text("now")]),
      ["$['$objects'][1].fetchedAt"]),
    LintCase(
      .mediumDate, "of an archived dictionary",
      one(dictionary("#3", "#4"), "NSDictionary", [text("fetchedAt"), text("6 Apr 2019")]),
      ["$['$objects'][1]['NS.objects'][0]"]),
    LintCase(
      .mediumDate, "a date",
      Sample.plist(
        "<dict><key>fetchedAt</key><date>2019-04-06T12:50:00Z</date></dict>")),
  ]

  private static func stamp(_ text: String) -> [UInt8] {
    Sample.plist("<dict><key>fetchedAt</key><string>\(text)</string></dict>")
  }

  @Test(
    arguments: parts + classes + allowed + fields + reach + numbers + others)
  func isFoundWhereItIs(_ sample: LintCase) {
    let found = Sample.findings(sample.bytes, allowed: sample.allowed)
    let own = found.filter { $0.lint == sample.lint }
    #expect(own.map { $0.path?.description ?? "" }.sorted() == sample.paths.sorted(), "\(found)")
    for finding in own {
      #expect(!finding.message.hasSuffix("."))
      // Only a part that is missing has no bytes, and a warning about a whole archive.
      #expect(finding.offset != nil || finding.lint == .missingTop || finding.lint == .oddity)
    }
    if !sample.paths.isEmpty {
      #expect(Sample.findings(sample.bytes, [sample.lint], allowed: sample.allowed) == own)
    }
  }

  @Test(arguments: Lint.allCases)
  func isExplained(_ lint: Lint) {
    #expect(!lint.explanation.isEmpty && !lint.explanation.hasSuffix("."))
    #expect(lint.rawValue.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
    #expect(Lint.faults.contains(lint) != lint.isAdvisory)
  }

  @Test(arguments: [
    ("Apr 6, 2019 at 12:50:00 PM", true), ("Apr 6, 2019, 12:50:00 PM", true),
    ("Apr 6, 2019 at 12:50:00\u{202F}PM", true), ("Apr 6, 2019 at 1:05:09\u{A0}AM", true),
    ("Feb 29, 2020 at 1:00:00 AM", true), ("Feb 29, 2019 at 1:00:00 AM", false),
    ("Apr 31, 2019 at 12:50:00 PM", false), ("Apr 6, 2019 at 13:50:00 PM", false),
    ("Apr 6, 2019 at 0:50:00 AM", false), ("Apr 06, 2019 at 1:50:00 AM", false),
    ("Apr 6, 2019 at 12:50 PM", false), ("Apr 6, 2019 at 12:50:00 pm", false),
    ("Apr 6, 2019 at 12:50:00 PM ", false), ("06.04.2019, 12:50:00", false), ("", false),
    ("Apr", false), ("Apr 6, 2019 at 12:60:00 PM", false), ("avr. 6, 2019 at 1:00:00 AM", false),
  ])
  func mediumDatesAreReported(_ text: String, _ isSound: Bool) {
    let found = Sample.findings(Self.stamp(text), [.mediumDate])
    #expect(found.isEmpty == isSound)
  }
}
