// The inputs on which options have a visible effect.

import Foundation
import TestSupport

/// Makes the files of a bench.
enum PairInputs {
  /// Command lines that make journals and plans of the inputs, and the file that their output becomes.
  static let commands: [(output: String?, words: [String])] =
    [
      (nil, ["migrate", "--to=v2", "--in-place", "--journal=@/failed.journal", "-r", "@/failed"]),
      (
        nil,
        [
          "rename-class", "--set-archiver=X", "--in-place", "--journal=@/renamed.journal", "-r",
          "@/renamed",
        ]
      ),
      ("plan", ["migrate", "--to=v2", "--plan", "--format=json", "-r", "@/planned"]),
      (
        nil,
        ["migrate", "--to=v2", "--in-place", "--journal=@/undone.journal", "-r", "@/undone"]
      ),
      (nil, ["convert", "--to=xml1", "--in-place", "--no-journal", "@/undone/b"]),
      (
        nil,
        [
          "convert", "--to=xml1", "--in-place", "--journal=@/converted.journal", "-r",
          "@/converted",
        ]
      ),
    ]
    + [
      ("families", "F", "v1"), ("families", "F", "v7"), ("families", "G", "v1"),
      ("elsewhere", "F", "v1"),
    ].map { folder, family, version in
      (
        nil,
        [
          "schema", "infer", "--family=\(family)", "--version=\(version)",
          "--output-dir=@/\(folder)", "@/inferred/a.json",
        ]
      )
    }

  /// Of these there are copies that are sealed with a key that is not the user's.
  static let foreign = [
    "failed.journal", "renamed.journal", "undone.journal", "converted.journal", "plan",
  ]

  /// A schema with a format, that refers to one in another folder.
  private static let checked = """
    {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://a.test/checked.json",
     "x-archive": {"envelope": "json"}, "type": "object", "required": ["name"], "properties":
     {"name": {"type": "string", "format": "date"}, "x": {"$ref": "https://a.test/other.json"}}}
    """
  /// A version of a family; the second allows more than the first.
  private static func wide(_ envelope: String, _ rest: String) -> String {
    """
    {"$schema": "https://json-schema.org/draft/2020-12/schema", \(rest)
     "x-archive": {"envelope": "\(envelope)"}, "type": "object"}
    """
  }

  /// An archive of which nothing leads to some objects.
  private static let orphan = archive(
    "<string>a</string><string>b</string><string>c</string>", root: 1)
  /// An archive of which nothing leads to a list with a list.
  private static let stray = archive(
    """
    <string>a</string><dict><key>NS.objects</key><array>\(reference(3))</array>
    <key>$class</key>\(reference(4))</dict><dict><key>NS.objects</key><array>\(reference(1))</array>
    <key>$class</key>\(reference(4))</dict>
    <dict><key>$classname</key><string>NSArray</string><key>$classes</key>
    <array><string>NSArray</string><string>NSObject</string></array></dict>
    """, root: 1)

  /// An archive with two references that lead nowhere.
  private static let faults = archive(
    "<array>\((17..<23).map(reference).joined())</array>", root: 1)

  /// An archive of a list that contains one dictionary twice, which has a text and a list.
  private static let shared = archive(
    """
    <dict><key>NS.objects</key><array>\(reference(2))\(reference(2))</array>
    <key>$class</key>\(reference(8))</dict>
    <dict><key>NS.keys</key><array>\(reference(3))\(reference(4))</array>
    <key>NS.objects</key><array>\(reference(5))\(reference(6))</array>
    <key>$class</key>\(reference(7))</dict>
    <string>k</string><string>list</string><string>v</string>
    <dict><key>NS.objects</key><array/><key>$class</key>\(reference(8))</dict>
    <dict><key>$classname</key><string>NSDictionary</string><key>$classes</key>
    <array><string>NSDictionary</string><string>NSObject</string></array></dict>
    <dict><key>$classname</key><string>NSArray</string><key>$classes</key>
    <array><string>NSArray</string><string>NSObject</string></array></dict>
    """, root: 1)

  /// An archive whose class has a name that a spreadsheet would run.
  private static let formula = archive(
    """
    <dict><key>a</key>\(reference(0))<key>$class</key>\(reference(2))</dict>
    <dict><key>$classname</key><string>=1+1</string><key>$classes</key>
    <array><string>=1+1</string></array></dict>
    """, root: 1)

  /// Dates, before and after a day that others have in another zone, and a text that a spreadsheet would run.
  private static let dates = """
    <plist><dict><key>a</key><date>2009-12-31T23:30:00Z</date><key>b</key><string>=1+1</string>
    <key>c</key><date>2010-01-01T23:30:00Z</date><key>d</key><dict><key>a</key>
    <date>2019-01-01T00:00:00Z</date></dict></dict></plist>
    """

  private static func archive(_ objects: String, root: Int) -> String {
    """
    <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string>
    <key>$version</key><integer>100000</integer><key>$top</key><dict><key>root</key>
    \(reference(root))</dict><key>$objects</key><array><string>$null</string>\(objects)</array>
    </dict></plist>
    """
  }

  private static func reference(_ number: Int) -> String {
    "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
  }

  /// Records of archives, a line each, with two archives in a different order.
  static func records(_ files: [String: Data]) -> String {
    let names = [
      "in/movie", "in/b-current", "in/wrong", "in/b-wrong", "in/broken", "in/five.json", "in/old",
      "in/trip",
      "in/errors.json", "in/format.json", "in/b-orphan", "in/twice.plist", "in/b-old", "in/b-spare",
      "in/blob", "in/blob-nested", "in/stream", "in/escape.plist", "in/x.png", "in/tags.json",
      "in/lint", "in/old", "in/attributed", "graphs/nib",
    ]
    return names.indices.map { number in
      let texts = [names[number], names[names.count - 1 - number]].map { name in
        (files[name] ?? Data()).base64EncodedString()
      }
      return #"{"id":\#(number),"data":"\#(texts[0])","archive":"\#(texts[1])"}"# + "\n"
    }.joined()
  }

  /// The files by their names.
  ///
  /// - Parameter folder: where they will be, for the lists that name them.
  /// A schema that leaves classes and storage open.
  /// A version whose lens refuses some texts, and is wrong about numbers.
  private static func tried(_ text: String, _ number: String) -> Data {
    Data(
      #"{"x-archive":{"envelope":"plist"},"type":"object","required":["d"],"properties":{"d":\#(text),"n":\#(number)},"additionalProperties":false}"#
        .utf8)
  }

  private static func openSchema(_ rule: String) -> Data {
    Data(
      #"""
      {"x-archive":\#(rule),"type":"object","required":["opening","closing"],"properties":{
       "opening":{"properties":{"turns":{"type":"integer"}}},"closing":{"type":"object"}}}
      """#.utf8)
  }

  static func make(in folder: String) throws -> [String: Data] {
    let listed = [
      "movie", "blob", "b-twice.plist", "wrong", "b-errors.json", "b-old", "five.json",
      "b-tags.json", "blob-cut", "stream", "trip", "b-z.gz",
      "x.png", "b-x.png", "b-faults", "b-spare", "tags.json", "b-orphan",
    ].map {
      "\(folder)/in/\($0)"
    }
    let archive = { (path: String) in
      try Data(contentsOf: TestArchives.root.appendingPathComponent(path))
    }
    let twice = Data(
      "<plist version=\"1.0\"><dict><key>a</key><true/><key>a</key><false/></dict></plist>".utf8)
    let list = { (value: Any) in
      try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
    }
    let trip = try archive("Families/Itinerary/samples/v3/two-cities")
    // Valid by its schema, with a key twice.
    var twofold = try PropertyListSerialization.data(
      fromPropertyList: PropertyListSerialization.propertyList(from: trip, format: nil),
      format: .xml, options: 0)
    twofold.insert(
      contentsOf: "<key>title</key><string>x</string>".utf8,
      at: twofold.range(of: Data("<dict>".utf8))?.upperBound ?? 0)
    let errors = Data(#"{"name":1,"director":2,"x":3}"#.utf8)
    let nested = try list(["inner": try archive("Movie/v1"), "deep": ["a": ["b": 1]]])
    let models =
      (10..<30).map { "\(folder)/inferred/b\($0).json" }
      + ["\(folder)/inferred/b-two.json"]
    // A movie as v2 has it, and an object that nothing leads to.
    let movie = try list(["name": "a", "director": "b", "releaseYear": 1]).base64EncodedString()
    let spare = Self.archive("<data>\(movie)</data><string>spare</string>", root: 1)
    let examples = (10..<30).map { number in
      ("inferred/b\(number).json", #"{"day":"2020-01-\#(number)","k":"\#(number % 2)","n":1}"#)
    }
    var files: [String: Data] = [
      "dates/dates.plist": Data(dates.utf8), "dates/sub/z.plist": Data(dates.utf8),
      "in/shared": Data(shared.utf8), "formula/a": Data(formula.utf8),
      "formula/nothing": Data("nothing".utf8), "formula/sub/b": Data(formula.utf8),
      "in/cast": try NSKeyedArchiver.archivedData(
        withRootObject: ["name": "a", "director": "b", "releaseYear": 1, "cast": ["c"]],
        requiringSecureCoding: false),
      "in/edits": Data(#"{"op":"set","path":"name","value":"e"}"#.utf8),
      "in/patch": Data(#"[{"op":"replace","path":"/name","value":"x"}]"#.utf8),
      "in/bad-patch": Data(#"[{"op":"replace","path":"/releaseYear","value":"x"}]"#.utf8),
      "in/shared-patch": Data(#"[{"op":"replace","path":"/0/k","value":"w"}]"#.utf8),
      "in/failing-patch": Data(#"[{"op":"remove","path":"/a/b"}]"#.utf8),
      "graphs/nib": try archive("Nibs/view.nib"),
      "in/movie": try archive("Movie/v1"), "in/sub/current": try archive("Movie/v2"),
      "in/broken": try archive("Broken/truncated"),
      "in/wrong": try archive("Broken/movie-year-string"),
      "in/b-wrong": try archive("Broken/wrong-types-v2"),
      "in/attributed": try archive("TypedStreams/attributed-string"),
      "in/b-attributed": try archive("TypedStreams/attributed-string"),
      "list-attributed": Data("\(folder)/in/attributed".utf8),
      "in/twofold-trip": twofold,
      "in/lint": try archive("Graphs/conditional"), "in/b-lint": try archive("Graphs/conditional"),
      "in/stream": try archive("TypedStreams/foundation"), "in/b-trip": trip, "in/trip": trip,
      "in/backup": twice,
      "in/escape.plist": Data("<plist><string>\u{1B}</string></plist>".utf8),
      "in/b-escape.plist": Data("<plist><string>\u{1B}</string></plist>".utf8),
      "in/twice.plist": twice, "in/b-twice.plist": twice, "in/five.json": Data("{a: 1,}".utf8),
      "in/b-five.json": Data("{a: 1,}".utf8), "in/errors.json": errors, "in/b-errors.json": errors,
      "diff/old/a-five.json": Data("{a: 1,}".utf8), "diff/new/a-five.json": Data("{a: 2,}".utf8),
      "diff/old/broken": try archive("Broken/truncated"),
      "diff/new/broken": try archive("Movie/v1"),
      "diff/old/movie": try archive("Movie/v1"), "diff/new/movie": try archive("Actor/v1"),
      // Numbers that are equal and of different types.
      "diff/old/number.json": Data("{\"a\":[1]}".utf8),
      "diff/new/number.json": Data("{\"a\":[1.0]}".utf8),
      "diff/old/b.json": Data(#"{"a":[1]}"#.utf8), "diff/new/b.json": Data(#"{"a":2}"#.utf8),
      "merge/base.json": Data(#"{"l":[{"a":1,"x":1}],"c":1}"#.utf8),
      "merge/ours.json": Data(#"{"l":[{"a":2,"x":1}],"c":2}"#.utf8),
      "merge/theirs.json": Data(#"{"l":[{"a":1,"x":5}],"c":3}"#.utf8),
      "diff/old/rows.json": Data(#"[{"a":1,"x":1.5},{"a":2,"x":{"a":2}}]"#.utf8),
      "diff/new/rows.json": Data(#"[{"a":2,"x":{"a":3}},{"a":1,"x":2}]"#.utf8),
      "in/format.json": Data(#"{"name":"x","zzz":1,"q":1}"#.utf8),
      "in/b-format.json": Data(#"{"name":"x","zzz":1,"q":1}"#.utf8),
      "in/b-tags.json": Data(#"{"a":{"$date":"2020-01-01T00:00:00Z"}}"#.utf8),
      "in/five-tags.json": Data(#"{a:{"$date":"2020-01-01T00:00:00Z"}}"#.utf8),
      "in/tags.json": Data(#"{"a":{"$date":"2020-01-01T00:00:00Z"}}"#.utf8),
      "list": Data(listed.joined(separator: "\n").utf8),
      "list0": Data(listed.joined(separator: "\0").utf8),
      "in/sub/b-movie": try archive("Movie/v1"), "in/sub/b-five.json": Data("{a: 1,}".utf8),
      "in/sub/b-blob": try list(["blob": try archive("Movie/v1")]),
      "in/sub/b-x.png": Data([0x89, 0x50]), "in/sub/x.png": Data([0x89, 0x50]),
      "in/b-z.gz": compressed(try archive("Movie/v1")), "in/b-orphan": Data(orphan.utf8),
      "in/b-x.png": Data([0x89, 0x50]), "in/b-faults": Data(faults.utf8),
      "in/stray": Data(stray.utf8), "in/b-stray": Data(stray.utf8),
      "taken/movie": Data("taken".utf8), "taken/b-current": Data("taken".utf8),
      "taken/blob": Data("taken".utf8), "taken/tags.json": Data("taken".utf8),
      "narrow.json": Data(#"{"required":["zzz"]}"#.utf8), "wide.json": Data("{}".utf8),
      "titled.json": Data(#"{"title":"wide"}"#.utf8),
      "wrapped.json": Data(#"{"title":"other","x-archive":{"envelope":"json"}}"#.utf8),
      "wide/Wide/family.json": Data(#"{"family":"Wide","versions":["v1","v2","v3"]}"#.utf8),
      "wide/Wide/v1.schema.json": Data(wide("json", #""required":["a"],"#).utf8),
      "wide/Wide/v2.schema.json": Data(wide("json", #""title":"wide","#).utf8),
      "wide/Wide/v3.schema.json": Data(wide("plist", #""title":"wide","#).utf8),
      "taken/b-movie": Data("taken".utf8), "taken/current": Data("taken".utf8),
      "checked/Checked/family.json": Data(#"{"family":"Checked","versions":["v1"]}"#.utf8),
      "checked/Checked/v1.schema.json": Data(checked.utf8),
      "checked/Checked/samples/v1/s": Data(#"{"name":"soon"}"#.utf8),
      "tried/Tried/family.json": Data(#"{"family":"Tried","versions":["v1","v2"]}"#.utf8),
      "tried/Tried/v1.schema.json": tried(#"{"type":"string"}"#, #"{"type":"integer"}"#),
      "tried/Tried/v2.schema.json": tried(
        #"{"type":"string","x-plist-type":"date"}"#, #"{"type":"integer","maximum":5}"#),
      "tried/Tried/v1-v2.lens.json": Data(
        #"{"lens":[{"convert":{"name":"d","sourceType":"string","destinationType":"date","format":"iso8601"}}]}"#
          .utf8),
      "sampled/001.plist": Data("taken".utf8),
      "in/x.png": Data([0x89, 0x50]), "in/z.gz": compressed(try archive("Movie/v1")),
      "in/b-spare": Data(spare.utf8), "in/sub/b-old": try archive("Movie/v0-mirror-class"),
      "in/old": try archive("Movie/v0-nested-class"),
      "in/b-old": try archive("Movie/v0-mirror-class"), "in/b-current": try archive("Movie/v2"),
      "in/feed.json": try archive("WeatherFeed/topcities.json"),
      "in/model.json": Data(#"{"name":"a","director":"b","releaseYear":1}"#.utf8),
      "failed/movie": try archive("Movie/v1"), "failed/broken": try archive("Broken/truncated"),
      "renamed/movie": try archive("Movie/v1"), "renamed/broken": try archive("Broken/truncated"),
      "converted/movie": try archive("Movie/v1"),
      "converted/broken": try archive("Broken/truncated"),
      "planned/movie": try archive("Movie/v1"), "planned/wrong": try archive("Movie/v2"),
      "undone/a": try archive("Movie/v1"), "undone/b": try archive("Movie/v1"),
      "five/b-five.json": Data("{day: '2020-01-01', k: 'y', n: 4,}".utf8),
      "inferred/a.json": Data(#"{"day":"2020-01-01","k":"0","n":1}"#.utf8),
      "inferred/b.json": Data(#"{"day":"2020-01-02","k":"0","n":2}"#.utf8),
      "inferred/c.json": Data(#"{"day":"2020-01-03","k":"1","n":3}"#.utf8),
      "models": Data(models.joined(separator: "\n").utf8),
      "models0": Data(models.joined(separator: "\0").utf8),
      "modelfolder0": Data("\(folder)/inferred\0\(folder)/inferred/a.json".utf8),
      "five/other.json": Data("{day: '2020-01-01', k: '0', n: 4,}".utf8),
      "models5": Data((models + ["\(folder)/five/b-five.json"]).joined(separator: "\0").utf8),
      "folders0": Data("\(folder)/in/sub\0\(folder)/in/movie".utf8),
      "inferred/b-two.json": Data(#"{"day":"2020-01-05","k":"0","n":9,"b":1}"#.utf8),
      "noted.json": Data(#"{"title":"noted","required":["zzz"]}"#.utf8),
      "old": Data("old".utf8), "classes": Data("NSDictionary\n".utf8),
      "any.schema.json": Data(
        #"{"required":["zzz"],"anyOf":[{"type":"string"},{"required":["q"]}],"properties":{"x":{"$ref":"https://a.test/other.json"},"name":{"format":"date","type":"string","deprecated":true}}}"#
          .utf8),
      "ref.schema.json": Data(#"{"properties":{"x":{"$ref":"https://a.test/other.json"}}}"#.utf8),
      "schemas/Open/family.json": Data(#"{"family":"Open","versions":["v6","v7"]}"#.utf8),
      "schemas/Open/v6.schema.json": openSchema(#"{"envelope":"json"}"#),
      "schemas/Open/v7.schema.json": openSchema(
        #"{"envelope":"nscoding","classes":["App.Open"]}"#),
      "in/open": Data(#"{"opening":{"turns":1},"closing":{"note":"t"}}"#.utf8),
      "schemas/other.json": Data(#"{"$id":"https://a.test/other.json","type":"string"}"#.utf8),
    ]
    let blobs: [String: Data] = [
      "": try archive("Movie/v1"), "-cut": try archive("TypedStreams/foundation").prefix(130),
      "-twice": twice, "-nested": nested, "-wrong": try archive("Broken/movie-year-string"),
      "-broken": try archive("Broken/truncated"), "-lint": try archive("Graphs/conditional"),
      "-trip": trip, "-format": Data(#"{"name":"x","zzz":1,"q":1}"#.utf8),
      "-faults": Data(faults.utf8), "-orphan": Data(orphan.utf8),
      "-old": try archive("Movie/v0-mirror-class"),
      "-spare": Data(spare.utf8),
      "-tags": Data(#"{"a":{"$date":"2020-01-01T00:00:00Z"}}"#.utf8),
    ]
    for (name, data) in blobs {
      files["in/blob" + name] = try list(["blob": data, "s": "x", "deep": ["a": ["b": "c"]]])
    }
    let family = TestArchives.root.appendingPathComponent("Families/Itinerary")
    for name in try FileManager.default.subpathsOfDirectory(atPath: family.path)
    where name.hasSuffix(".json") && !name.contains("samples") {
      files["schemas/Itinerary/" + name] = try Data(contentsOf: family.appendingPathComponent(name))
    }
    for (name, text) in examples { files[name] = Data(text.utf8) }
    return files
  }

  /// Bytes as gzip keeps them, stored in one block (RFC 1951, 1952).
  static func compressed(_ data: Data) -> Data {
    var sum: UInt32 = ~0
    for byte in data {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
    }
    let little = { (number: UInt32, count: Int) in
      Data((0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) })
    }
    let length = UInt32(data.count)
    return Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1]) + little(length, 2) + little(~length, 2)
      + data + little(~sum, 4) + little(length, 4)
  }
}
