// Edits to property lists of every encoding, to keyed archives and to archives in data values.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct DocumentEditTests {
  /// An edit as a line of `--edits`.
  private static func edited(
    _ data: Data, _ lines: String, sharing: SharedObjects = .refused
  ) throws -> Data {
    var document = EditedDocument(ByteStorage(copying: Array(data)), sharing: sharing)
    try document.apply(try DocumentEdit.readLines(ByteStorage(copying: Array(lines.utf8))))
    return Data(document.storage.bytes)
  }

  /// Typed JSON on one line.
  private static func typed(_ data: Data) throws -> String {
    let graph = try ArchiveReader().read(ByteStorage(copying: Array(data)))
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(
      graph.root, of: graph, options: .init(isTyped: true, isCompact: true), to: &output)
    return String(decoding: output.bytes.bytes.dropLast(), as: UTF8.self)
  }

  private static func plist(
    _ value: Any, _ format: PropertyListSerialization.PropertyListFormat
  ) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
  }

  /// What is edited, how, and what comes out: typed JSON.
  private static let rows: [(String, String, String)] = [
    ("{}", #"{"op":"set","path":"a","value":1}"#, #"{"a":1}"#),
    (#"{"a":1}"#, #"{"op":"set","path":"a","value":"b"}"#, #"{"a":"b"}"#),
    (#"{"a":[1,2]}"#, #"{"op":"set","path":"a.1","value":[]}"#, #"{"a":[1,[]]}"#),
    (#"{"a":[1,2]}"#, #"{"op":"insert","path":"/a/0","value":0}"#, #"{"a":[0,1,2]}"#),
    (#"{"a":[1,2]}"#, #"{"op":"insert","path":"/a/-","value":3}"#, #"{"a":[1,2,3]}"#),
    (#"{"a":[1,2]}"#, #"{"op":"append","path":":a","value":3}"#, #"{"a":[1,2,3]}"#),
    (#"{"a":[1,2]}"#, #"{"op":"remove","path":"$.a[0]"}"#, #"{"a":[2]}"#),
    (#"{"a":1,"b":2}"#, #"{"op":"remove","path":"a"}"#, #"{"b":2}"#),
    (#"{"a":1}"#, #"{"op":"rename-key","path":"a","key":"b c"}"#, #"{"b c":1}"#),
    (#"{"a":[1,2,3]}"#, #"{"op":"move","from":"/a/0","path":"/a/2"}"#, #"{"a":[2,3,1]}"#),
    (#"{"a":[1,2,3]}"#, #"{"op":"move","from":"/a/2","path":"/a/0"}"#, #"{"a":[3,1,2]}"#),
    (#"{"a":[[1],[2]]}"#, #"{"op":"move","from":"/a/1","path":"/a/0/-"}"#, #"{"a":[[1,[2]]]}"#),
    (#"{"a":{"b":1}}"#, #"{"op":"move","from":"/a/b","path":"/b"}"#, #"{"a":{},"b":1}"#),
    (#"{"a":{"b":1}}"#, #"{"op":"copy","from":"/a","path":"/a/c"}"#, #"{"a":{"b":1,"c":{"b":1}}}"#),
    ("[1]", #"{"op":"set","path":"","value":{"a":[]}}"#, #"{"a":[]}"#),
    ("[1]", #"{"op":"test","path":"/0","value":1.0}"#, "[1]"),
    (#"{"é":1}"#, #"{"op":"set","path":"/é","value":2}"#, #"{"é":2}"#),
    (#"{"a/b~":1}"#, #"{"op":"set","path":"/a~1b~0","value":2}"#, #"{"a/b~":2}"#),
    (#"{"":1}"#, #"{"op":"set","path":"/","value":2}"#, #"{"":2}"#),
    (
      "[1]",
      """
      {"op":"append","path":"","value":2}
      {"op":"remove","path":"/0"}
      {"op":"insert","path":"/0","value":"x"}
      """, #"["x",2]"#
    ),
  ]

  /// JSON is edited as it is, and so are property lists with the same values, and keyed archives.
  @Test(arguments: rows) func changesWhatWasAskedFor(
    _ document: String, _ edit: String, _ expected: String
  ) throws {
    let json = Data(document.utf8)
    let edited = try Self.typed(try Self.edited(json, edit))
    #expect(edited == expected)
    let wanted = try Self.object(expected)
    let value = try JSONSerialization.jsonObject(with: json)
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let result = try Self.edited(try Self.plist(value, format), edit)
      let text = try Self.typed(result)
      #expect(try Self.object(text) == wanted, "\(format) \(text)")
      var found = PropertyListSerialization.PropertyListFormat.openStep
      _ = try PropertyListSerialization.propertyList(from: result, options: [], format: &found)
      #expect(found == format)
    }
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: value, requiringSecureCoding: false)
    let result = try Self.edited(archive, edit)
    let opened = try NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [NSArray.self, NSDictionary.self, NSString.self, NSNumber.self], from: result)
    #expect(opened as? NSObject == wanted, "\(String(describing: opened))")
  }

  private static func object(_ json: String) throws -> NSObject? {
    try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSObject
  }

  @Test func keepsTypesOfNumbers() throws {
    let values: [String: Any] = ["real": 64.0, "date": Date(timeIntervalSinceReferenceDate: 0.5)]
    let data = try Self.plist(values, .binary)
    let result = try Self.edited(data, #"{"op":"set","path":"real","value":5}"#)
    let text = try Self.typed(result)
    #expect(text.contains(#""real":{"$real": 5.0}"#), "\(text)")
    let other = try Self.edited(data, #"{"op":"set","path":"real","value":{"$int":"5"}}"#)
    let integer = try Self.typed(other)
    #expect(integer.contains(#""real":5"#), "\(integer)")
  }

  // MARK: Keyed archives

  private static let objects = """
    {"$object":{"class":"App.Box","classes":["App.Box","NSObject"],"fields":{
      "count":1,"ratio":{"$real":0.5},"name":"x","number":{"$boxed":7},
      "text":{"$object":{"class":"NSMutableString","classes":["NSMutableString","NSString","NSObject"],
        "fields":{"NS.string":{"$inline":"m"}}}},
      "list":{"$object":{"class":"NSMutableArray","classes":["NSMutableArray","NSArray","NSObject"],
        "fields":{"NS.objects":{"$inline":["a",null]}}}},
      "one":{"$id":1,"$value":{"k":"v"}},"two":{"$ref":1},
      "set":{"$set":["p","q"]},"url":{"$object":{"class":"NSURL","classes":["NSURL","NSObject"],
        "fields":{"NS.base":null,"NS.relative":"http://a"}}}}}}
    """

  private static func archive() throws -> Data {
    var output = OutputBuffer(descriptor: nil)
    _ = try Conversion(to: .keyedArchive).run(
      ByteStorage(copying: Array(objects.utf8)), name: "objects", to: &output)
    return Data(output.bytes.bytes)
  }

  /// Edits to the archive above, and a part of the typed JSON of the result.
  @Test(arguments: [
    (#"{"op":"set","path":"count","value":5}"#, #""count":5"#),
    (#"{"op":"set","path":"ratio","value":2}"#, #""ratio":{"$real": 2.0}"#),
    (#"{"op":"set","path":"number","value":8}"#, #""number":{"$boxed": 8}"#),
    (#"{"op":"set","path":"number","value":{"$inline":8}}"#, #""number":8"#),
    (#"{"op":"set","path":"name","value":null}"#, #""name":null"#),
    (
      #"{"op":"set","path":"text","value":"n"}"#,
      #""class":"NSMutableString","classes":["NSMutableString","NSString","NSObject"],"fields":{"NS.string":{"$inline": "n"}}"#
    ),
    (
      #"{"op":"set","path":"list","value":["b"]}"#,
      #""class":"NSMutableArray","classes":["NSMutableArray","NSArray","NSObject"],"fields":{"NS.objects":{"$inline": ["b"]}}"#
    ),
    (#"{"op":"append","path":"list","value":{"c":1}}"#, #"{"c":1}]"#),
    (#"{"op":"set","path":"url","value":"http://b"}"#, #""NS.relative":"http://b""#),
    (#"{"op":"insert","path":"$['$new']","value":1}"#, #""$$new":1"#),
    (#"{"op":"append","path":"set","value":"r"}"#, #"{"$set":["p","q","r"]}"#),
    (
      #"{"op":"insert","path":"box","value":{"$object":{"class":"App.Box","fields":{}}}}"#,
      #""box":{"$object":{"class":"App.Box","classes":["App.Box","NSObject"],"fields":{}}}"#
    ),
    (#"{"op":"rename-key","path":"name","key":"title"}"#, #""title":"x""#),
    (#"{"op":"move","from":"/one","path":"/three"}"#, #""three":{"$"#),
  ]) func keepsClassesAndStorage(_ edit: String, _ part: String) throws {
    let result = try Self.typed(try Self.edited(try Self.archive(), edit))
    #expect(Self.dense(result).contains(Self.dense(part)), "\(result)")
  }

  private static func dense(_ json: String) -> String { json.replacing(" ", with: "") }

  /// Edits that are refused, and why; the file stays as it is.
  @Test(arguments: [
    (#"{"op":"set","path":"one.k","value":1}"#, "$.two refers to the same object"),
    (#"{"op":"remove","path":"two.k"}"#, "$.one refers to the same object"),
    (#"{"op":"set","path":"count","value":"a"}"#, "an integer is stored inline there"),
    (#"{"op":"set","path":"count","value":1.5}"#, "an integer is stored inline there"),
    (#"{"op":"set","path":"count","value":null}"#, "an integer is stored inline there"),
    (#"{"op":"set","path":"","value":{}}"#, "an object of class App.Box is there"),
    (#"{"op":"set","path":"nothing","value":1}"#, "has no field 'nothing'"),
    (#"{"op":"set","path":"set","value":["a"]}"#, "\"$set\""),
    (#"{"op":"append","path":"set","value":"p"}"#, "would equal another element"),
    (#"{"op":"set","path":"set.0","value":"q"}"#, "would equal another element"),
    (#"{"op":"insert","path":"name","value":1}"#, "there is a key 'name' already"),
    (#"{"op":"rename-key","path":"name","key":"count"}"#, "there is a key 'count' already"),
    (#"{"op":"rename-key","path":"list.0","key":"a"}"#, "an element has no key"),
    (#"{"op":"remove","path":"list.7"}"#, "there is no element 7"),
    (#"{"op":"insert","path":"list.9999999999999999999","value":1}"#, "no"),
    (#"{"op":"remove","path":"list.-1"}"#, "no"),
    (#"{"op":"remove","path":""}"#, "the root cannot be removed"),
    (#"{"op":"append","path":"name","value":1}"#, "is no list"),
    (#"{"op":"set","path":"name.x","value":1}"#, "no"),
    (#"{"op":"set","path":"name","value":{"$uid":1}}"#, "a UID is not a value"),
    (
      #"{"op":"set","path":"name","value":{"$object":{"class":"Gone","fields":{}}}}"#,
      "no object of class Gone"
    ),
    (#"{"op":"test","path":"name","value":"y"}"#, "the value is \"x\", not \"y\""),
    (#"{"op":"move","from":"/list","path":"/list/0"}"#, "cannot be moved into itself"),
    (#"{"op":"copy","from":"/nowhere","path":"/a"}"#, "there is no key 'nowhere'"),
  ]) func refusesWhatWouldNotBeSilent(_ edit: String, _ message: String) throws {
    let archive = try Self.archive()
    let error = try #require(throws: ArchiveError.self) { try Self.edited(archive, edit) }
    #expect(error.isRefusal, "\(error)")
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test func sharedObjectsChangeOnRequest() throws {
    let edit = #"{"op":"set","path":"one.k","value":"w"}"#
    let all = try Self.typed(try Self.edited(try Self.archive(), edit, sharing: .changed))
    #expect(all.contains(#""$value": {"k":"w"}"#) && all.contains(#""two":{"$ref""#), "\(all)")
    let one = try Self.typed(try Self.edited(try Self.archive(), edit, sharing: .copied))
    #expect(one.contains(#""one":{"k":"w"}"#) && one.contains(#""two":{"k":"v"}"#), "\(one)")
  }

  /// An archive of two lists that have one stored list of elements, as no archiver writes, with an object.
  private static func listsWithOneStorage() -> Data {
    var builder = GraphBuilder()
    let uids = (0..<8 as Range<UInt8>).map { number in
      [0x80, number].withByteView { builder.add(encoded: $0) }
    }
    let elements = list([uids[4]], &builder)
    let (array, box) = (record("NSArray", &builder), record("App.Box", &builder))
    let lists = (0..<2).map { _ in
      dictionary([("NS.objects", elements), ("$class", uids[6])], &builder)
    }
    let root = dictionary([("one", uids[2]), ("two", uids[3]), ("$class", uids[5])], &builder)
    let held = dictionary([("k", uids[7]), ("$class", uids[5])], &builder)
    let (null, value) = (builder.add("$null"), builder.add("v"))
    let objects = list([null, root, lists[0], lists[1], held, box, array, value], &builder)
    let (archiver, version) = (builder.add("NSKeyedArchiver"), builder.add(Int64(100_000)))
    let tops = dictionary([("root", uids[1])], &builder)
    let top = dictionary(
      [("$archiver", archiver), ("$version", version), ("$top", tops), ("$objects", objects)],
      &builder)
    let written = BinaryWriter.write(builder.finish(top: top))
    return Data(written.bytes)
  }

  private static func list(_ values: [UInt32], _ builder: inout GraphBuilder) -> UInt32 {
    builder.open()
    for value in values { builder.append(value) }
    return builder.close()
  }

  private static func dictionary(
    _ members: [(String, UInt32)], _ builder: inout GraphBuilder
  ) -> UInt32 {
    builder.open()
    for (key, value) in members {
      builder.append(builder.add(key))
      builder.append(value)
    }
    return builder.closeDictionary()
  }

  private static func record(_ name: String, _ builder: inout GraphBuilder) -> UInt32 {
    let names = [builder.add(name), builder.add("NSObject")]
    let chain = list(names, &builder)
    return dictionary([("$classname", names[0]), ("$classes", chain)], &builder)
  }

  @Test(arguments: ["one[0].k", "two[0].k", "one[0]"])
  func whatListsWithOneStorageHoldChangesForBothOnRequestAlone(_ path: String) throws {
    let archive = Self.listsWithOneStorage()
    let edit = #"{"op":"set","path":"$.\#(path)","value":"w"}"#
    for sharing in [SharedObjects.refused, .copied] {
      let error = try #require(throws: ArchiveError.self) {
        try Self.edited(archive, edit, sharing: sharing)
      }
      #expect(error.isRefusal && error.message.contains("shares the storage"), "\(error)")
    }
    guard path.hasSuffix("k") else { return }
    let all = try Self.typed(try Self.edited(archive, edit, sharing: .changed))
    #expect(all.contains(#""k":"w""#) && !all.contains(#""v""#), "\(all)")
  }

  @Test func unreachableObjectsStay() throws {
    let archive = try Self.archive()
    var values = try #require(
      PropertyListSerialization.propertyList(from: archive, format: nil) as? [String: Any])
    var objects = try #require(values["$objects"] as? [Any])
    objects.append("nobody refers to this")
    values["$objects"] = objects
    let data = try Self.plist(values, .binary)
    let result = try Self.edited(data, #"{"op":"remove","path":"list"}"#)
    #expect(result.range(of: Data("nobody refers to this".utf8)) != nil)
    #expect(result.range(of: Data("NSMutableArray".utf8)) == nil)
  }

  // MARK: Archives in data values

  @Test(arguments: [false, true]) func entersDataValues(_ isXML: Bool) throws {
    let inner = try NSKeyedArchiver.archivedData(
      withRootObject: ["list": ["a", "b"]], requiringSecureCoding: false)
    let middle = try NSKeyedArchiver.archivedData(
      withRootObject: ["data": inner, "x": 1], requiringSecureCoding: false)
    let outer = try Self.plist(["cache": middle, "other": middle], isXML ? .xml : .binary)
    let result = try Self.edited(
      outer, #"{"op":"append","path":"/cache/data/list","value":"c"}"#)
    let values = try #require(
      PropertyListSerialization.propertyList(from: result, format: nil) as? [String: Data])
    // Writers store equal data once: only the value at the path changes.
    #expect(values["other"] == middle)
    let cache = try #require(values["cache"])
    let first = try NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [NSDictionary.self, NSString.self, NSData.self, NSNumber.self], from: cache)
    let data = try #require((first as? [String: Any])?["data"] as? Data)
    let second = try NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [NSDictionary.self, NSString.self, NSArray.self], from: data)
    #expect(second as? NSObject == ["list": ["a", "b", "c"]] as NSDictionary)
  }

  @Test func compressedFilesStayCompressed() throws {
    let plain = Data(#"{"a":[1]}"#.utf8)
    let compressed = try Array(plain).withByteView { try GzipWriter.write($0) }
    let result = try Self.edited(
      Data(compressed.bytes), #"{"op":"set","path":"a.0","value":2}"#)
    #expect(result.starts(with: [0x1F, 0x8B]))
    #expect(try Self.typed(result) == #"{"a":[2]}"#)
    let list = try Array(Self.plist(["a": [1]], .xml)).withByteView { try GzipWriter.write($0) }
    let held = try Self.plist(["z": Data(list.bytes)], .binary)
    let other = try Self.edited(held, #"{"op":"remove","path":"/z/a/0"}"#)
    let values = try #require(
      PropertyListSerialization.propertyList(from: other, format: nil) as? [String: Data])
    let inner = try #require(values["z"])
    #expect(try Self.typed(inner) == #"{"a":[]}"#)
  }

  // MARK: Typedstreams

  @Test(arguments: ["foundation", "foundation-big-endian"])
  func typedstreamsKeepTheirLayout(_ name: String) throws {
    let data = try Data(
      contentsOf: TestArchives.root.appendingPathComponent("TypedStreams/\(name)"))
    let old = try Self.typed(data)
    let result = try Self.edited(
      data,
      """
      {"op":"set","path":"/0","value":"other"}
      {"op":"set","path":"/2","value":5}
      {"op":"append","path":"","value":"last"}
      """)
    #expect(result.prefix(20) == data.prefix(20))
    let new = try Self.typed(result)
    #expect(new.contains("\"other\"") && new.contains("\"last\""), "\(new)")
    let back = try Self.edited(
      result,
      """
      {"op":"remove","path":"/10"}
      {"op":"set","path":"/2","value":70000}
      {"op":"set","path":"/0","value":"plain"}
      """)
    #expect(Self.dense(try Self.typed(back)).count == Self.dense(old).count)
  }

  @Test(arguments: ["several-groups", "unknown-class"])
  func typedstreamsThatAreNotWrittenAreRefused(_ name: String) throws {
    let data = try Data(
      contentsOf: TestArchives.root.appendingPathComponent("TypedStreams/\(name)"))
    let error = try #require(throws: ArchiveError.self) {
      try Self.edited(data, #"{"op":"set","path":"$","value":"x"}"#)
    }
    #expect(error.isRefusal, "\(error)")
  }

  // MARK: What an encoding cannot represent

  @Test(arguments: [
    ("{ a = b; }", #"{"op":"set","path":"a","value":null}"#, false),
    ("{ a = b; }", #"{"op":"set","path":"a","value":"c"}"#, true),
    ("{ a = (b); }", #"{"op":"append","path":"a","value":{"$data":"AAE="}}"#, true),
    (#"{"a":1}"#, #"{"op":"set","path":"a","value":{"$date":"2020-01-01T00:00:00Z"}}"#, false),
    (#"{"a":1}"#, #"{"op":"set","path":"a","value":{"$real":2}}"#, true),
    (#"{"a":123456789012345678901234567890}"#, #"{"op":"set","path":"b","value":1}"#, false),
    ("<plist><dict/></plist>", #"{"op":"set","path":"a","value":null}"#, false),
    (
      "<plist><dict/></plist>",
      #"{"op":"set","path":"a","value":{"$date":"2020-01-01T00:00:00.5Z"}}"#, false
    ),
  ]) func encodingsRefuseWhatTheyLack(_ text: String, _ edit: String, _ isDone: Bool) throws {
    let data = Data(text.utf8)
    if isDone {
      _ = try Self.edited(data, edit)
    } else {
      let error = try #require(throws: ArchiveError.self) { try Self.edited(data, edit) }
      #expect(error.isRefusal, "\(error)")
    }
  }

  @Test func damagedCyclesAndDeepPathsEnd() throws {
    let cycle = try Data(
      contentsOf: TestArchives.root.appendingPathComponent("Graphs/array-cycle"))
    let path = String(repeating: "/1", count: 5_000)
    #expect(throws: ArchiveError.self) {
      try Self.edited(cycle, #"{"op":"set","path":"\#(path)/0","value":1}"#)
    }
    let deep = String(repeating: "[", count: 50_000) + String(repeating: "]", count: 50_000)
    #expect(throws: ArchiveError.self) {
      try Self.edited(Data("[]".utf8), #"{"op":"append","path":"","value":\#(deep)}"#)
    }
    _ = try Self.edited(cycle, #"{"op":"set","path":"/0","value":"second"}"#)
  }

  @Test func keysMayContainAnything() throws {
    let result = try Self.edited(
      try Self.archive(), #"{"op":"insert","path":"/a\u0000b","value":"c"}"#)
    #expect(try Self.typed(result).contains(#""a\u0000b":"c""#))
  }
}
