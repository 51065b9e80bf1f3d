// Differences between graphs, judged by a program that applies JSON Patches, and by values that are equal or known to
// differ.

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

@Suite struct DifferenceTests {
  private static func graph(_ text: String) throws -> ObjectGraph {
    try ArchiveReader().read(ByteStorage(copying: Array(text.utf8)))
  }

  private static func graph(of name: String) throws -> ObjectGraph {
    let data = try Data(contentsOf: TestArchives.root.appendingPathComponent(name))
    return try ArchiveReader().read(ByteStorage(copying: Array(data)))
  }

  /// The differences, a line each: a sign and the paths.
  private static func differences(
    _ old: ObjectGraph, _ new: ObjectGraph, _ options: DifferenceOptions = DifferenceOptions()
  ) throws -> [String] {
    var lines: [String] = []
    try Difference.report(between: old, and: new, options: options) {
      (difference) throws(ArchiveError) in
      let paths = [difference.oldPath, difference.newPath].compactMap { $0?.description }
      let unique = paths.count == 2 && paths[0] == paths[1] ? [paths[0]] : paths
      lines.append("\(difference.kind.rawValue) \(unique.joined(separator: " "))")
    }
    return lines
  }

  @Test(arguments: [
    ("[1,2,3]", "[1,2,3]", []), ("[1,2,3]", "[1,3]", ["removed $[1]"]),
    ("[1,2,3]", "[1,2,9,3]", ["added $[2]"]), ("[1,2,3]", "[3,1,2]", ["moved $[2] $[0]"]),
    ("[1,2,3]", "[1,5,3]", ["changed $[1]"]),
    ("[1,2]", "[\"1\",2]", ["removed $[0]", "added $[0]"]),
    (#"{"a":1,"b":2}"#, #"{"b":2,"a":1.0}"#, []), (#"{"a":true}"#, #"{"a":1}"#, ["changed $.a"]),
    (#"{"a":null}"#, "{}", ["removed $.a"]),
    ("[[1,2,3,4],0]", "[0,[1,2,3,5]]", ["removed $[0]", "added $[1]"]),
    (
      #"[{"id":1,"x":1},{"id":2,"x":2}]"#, #"[{"id":7,"y":0},{"id":2,"x":3}]"#,
      ["removed $[0].x", "added $[0].y", "changed $[0].id", "changed $[1].x"]
    ),
    (#"{"a":[]}"#, #"{"a":{}}"#, ["changed $.a"]), ("1", "2", ["changed $"]),
    ("[1,1,1]", "[1,1]", ["removed $[2]"]),
    ("{\"\u{E9}\":1}", "{\"e\u{301}\":1}", ["removed $.\u{E9}", "added $['e\u{301}']"]),
  ])
  func tellsWhatDiffers(_ old: String, _ new: String, _ expected: [String]) throws {
    let found = try Self.differences(Self.graph(old), Self.graph(new))
    #expect(Set(found) == Set(expected) && found.count == expected.count, "\(found)")
  }

  @Test func optionsLeaveOut() throws {
    var options = DifferenceOptions()
    let old = try Self.graph(#"{"t":1,"list":[{"id":1,"x":1.0},{"id":2,"x":5},{"id":3,"x":9}]}"#)
    let new = try Self.graph(#"{"t":2,"list":[{"id":3,"x":9},{"id":1,"x":1.25},{"id":4,"x":5}]}"#)
    options.ignored = [try JSONPath(parsing: "$.t")]
    options.key = try ValuePath(parsing: "id")
    let found = try Self.differences(old, new, options)
    #expect(
      found == [
        "removed $.list[1]", "added $.list[2]", "moved $.list[0] $.list[1]",
        "changed $.list[0].x $.list[1].x",
      ], "\(found)")
    options.tolerance = 0.25
    options.ignored.append(try JSONPath(parsing: "$.list[?@.id == 2 || @.id == 4]"))
    #expect(try Self.differences(old, new, options) == ["moved $.list[0] $.list[1]"])
    options.ignored.append(try JSONPath(parsing: "$"))
    #expect(try Self.differences(old, new, options) == [])
  }

  @Test(arguments: [
    ("Movie/v1", "Movie/v2"), ("Movie/v1", "Movie/v0-mirror-class"),
    ("WeatherFeed/v1-1-city", "WeatherFeed/v1-mutable"),
    ("WeatherFeed/v1-50-cities", "WeatherFeed/v2-50-cities"),
    ("WeatherFeed/v1-1-city", "WeatherFeed/v1-1-city-xml"),
    ("WeatherFeed/plist-1-city.plist", "WeatherFeed/json-1-city.json"),
    ("TypedStreams/foundation", "TypedStreams/foundation-big-endian"),
    ("Graphs/cycle", "Graphs/cycle"),
    ("Graphs/array-cycle", "Graphs/array-cycle"),
    ("TypedStreams/cycle", "TypedStreams/cycle-big-endian"),
  ])
  func envelopesAndEncodingsDoNotMatter(_ old: String, _ new: String) throws {
    #expect(try Self.differences(Self.graph(of: old), Self.graph(of: new)) == [])
  }

  @Test func classesMatterWhereBothHaveSome() throws {
    func graph(_ name: String) throws -> ObjectGraph {
      try Self.graph(
        String(decoding: ArchivedSample.object(name, ["a": 1]).archive, as: UTF8.self))
    }
    #expect(try Self.differences(graph("Thing"), graph("Other")) == ["class $"])
    #expect(try Self.differences(graph("Thing"), Self.graph(#"{"a": 1}"#)) == [])
    #expect(try Self.differences(graph("Thing"), Self.graph(#"{"a": 2}"#)) == ["changed $.a"])
  }

  /// Two objects that refer to each other, and one that refers to itself: the values that can be reached differ.
  @Test func cyclesAreCompared() throws {
    func graph(_ end: ArchivedSample) throws -> ObjectGraph {
      let sample = ArchivedSample.object(
        "Node", ["next": .object("Node", ["next": end, "name": "b"]), "name": "a"])
      return try Self.graph(String(decoding: sample.archive, as: UTF8.self))
    }
    #expect(try Self.differences(graph(.root), graph(.root)) == [])
    #expect(try Self.differences(graph(.root), graph(.null)) == ["changed $.next.next"])
    // The reference back leads to the other object.
    #expect(try Self.differences(graph(.root), graph(.owner)) == ["changed $.next.next"])
  }

  /// A ring of objects, one of which is shared by two lists: how each change is reported.
  @Test(arguments: [
    ("abc", "abc", []),
    ("abc", "axbc", ["added $.all[1]", "added $.again[1]", "changed $.all[0].next"]),
    ("abcd", "abd", ["removed $.all[2]", "removed $.again[2]", "changed $.all[1].next"]),
    ("abcd", "abce", ["changed $.all[3].name"]),
    (
      "abcd", "bacd",
      [
        "moved $.all[0] $.all[1]", "moved $.again[0] $.again[1]",
        "changed $.all[1].next $.all[0].next", "changed $.all[0].next $.all[1].next",
        "changed $.all[3].next",
      ]
    ),
  ])
  func objectsInCyclesAreComparedOnce(_ old: String, _ new: String, _ expected: [String]) throws {
    let found = try Self.differences(Self.ring(old), Self.ring(new))
    #expect(Set(found) == Set(expected) && found.count == expected.count, "\(found)")
  }

  /// An object for each character, each of which refers to the next one; two lists have all of them.
  private static func ring(_ names: String) throws -> ObjectGraph {
    var objects = ["<string>$null</string>"]
    func add(_ members: String) -> Int {
      objects.append("<dict>\(members)</dict>")
      return objects.count - 1
    }
    func reference(_ number: Int) -> String {
      "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
    }
    func addClass(_ name: String) -> String {
      let number = add(
        "<key>$classname</key><string>\(name)</string><key>$classes</key>"
          + "<array><string>\(name)</string><string>NSObject</string></array>")
      return "<key>$class</key>\(reference(number))"
    }
    let (node, list) = (addClass("Node"), addClass("NSArray"))
    let first = objects.count
    for (position, name) in names.enumerated() {
      let next = reference(first + (position + 1) % names.count)
      _ = add(
        "\(node)<key>name</key><string>\(name)</string><key>size</key><integer>5</integer>"
          + "<key>next</key>\(next)")
    }
    let all = (0..<names.count).map { reference(first + $0) }.joined()
    let lists = ["all", "again"].map { name in
      "<key>\(name)</key>\(reference(add("\(list)<key>NS.objects</key><array>\(all)</array>")))"
    }
    let root = add(node + lists.joined())
    return try graph(
      "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>"
        + "<key>$version</key><integer>100000</integer>"
        + "<key>$archiver</key><string>NSKeyedArchiver</string>"
        + "<key>$top</key><dict><key>root</key>\(reference(root))</dict>"
        + "<key>$objects</key><array>\(objects.joined())</array></dict></plist>")
  }

  // MARK: Shared objects

  /// What an object refers to, by number, and its scalars.
  private typealias Members = [(name: String, value: String)]

  /// A keyed archive of objects: a value `#2` refers to object 2, `#2,3` to a list of objects 2 and 3, others are integers.
  private static func graph(_ objects: [Members], class name: String = "Thing") throws
    -> ObjectGraph
  {
    var table = ["<string>$null</string>"]
    func reference(_ number: Int) -> String {
      "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
    }
    for name in [name, "NSArray"] {
      table.append(
        "<dict><key>$classname</key><string>\(name)</string><key>$classes</key>"
          + "<array><string>\(name)</string><string>NSObject</string></array></dict>")
    }
    let first = table.count
    var lists: [String] = []
    for members in objects {
      var text = "<key>$class</key>\(reference(1))"
      for (name, value) in members {
        let targets = value.dropFirst().split(separator: ",").compactMap { Int($0) }
        text += "<key>\(name)</key>"
        if !value.hasPrefix("#") {
          text += "<integer>\(value)</integer>"
        } else if targets.count == 1, !value.hasSuffix(",") {
          text += reference(first + targets[0])
        } else {
          text += reference(first + objects.count + lists.count)
          lists.append(
            "<dict><key>$class</key>\(reference(2))<key>NS.objects</key><array>"
              + targets.map { reference(first + $0) }.joined() + "</array></dict>")
        }
      }
      table.append("<dict>\(text)</dict>")
    }
    return try graph(
      "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>"
        + "<key>$version</key><integer>100000</integer>"
        + "<key>$archiver</key><string>NSKeyedArchiver</string>"
        + "<key>$top</key><dict><key>root</key>\(reference(first))</dict>"
        + "<key>$objects</key><array>\((table + lists).joined())</array></dict></plist>")
  }

  /// Two graphs, what differs by value, and what differs besides in storage.
  @Test(
    arguments: [
      // An element whose only scalar changes is the same one.
      (
        [[("x", "#1"), ("y", "#1"), ("items", "#2,")], [("n", "1")], [("size", "1")]],
        [[("x", "#1"), ("y", "#1"), ("items", "#2,")], [("n", "1")], [("size", "2")]],
        ["changed $.items[0].size"], []
      ),
      // One object or two equal ones, and a cycle that is longer than it need be.
      (
        [[("a", "#1"), ("b", "#1")], [("v", "1")]],
        [[("a", "#1"), ("b", "#2")], [("v", "1")], [("v", "1")]], [], ["sharing $.b"]
      ),
      ([[("next", "#0")]], [[("next", "#1")], [("next", "#1")]], [], ["sharing $.next"]),
      // The object is two, and something else has changed.
      (
        [[("a", "#1"), ("b", "#1"), ("n", "1")], [("up", "#0"), ("v", "1")]],
        [
          [("a", "#1"), ("b", "#2"), ("n", "2")], [("up", "#0"), ("v", "1")],
          [("up", "#0"), ("v", "1")],
        ],
        ["changed $.n"], ["sharing $.b"]
      ),
      // A changed object is told at its shortest path, wherever it was met.
      (
        [[("a", "#1"), ("z", "#3")], [("a", "#2")], [("a", "#3")], [("v", "1"), ("up", "#0")]],
        [[("a", "#1"), ("z", "#3")], [("a", "#2")], [("a", "#3")], [("v", "2"), ("up", "#0")]],
        ["changed $.z.v"], []
      ),
    ]
      as [(
        [[(name: String, value: String)]], [[(name: String, value: String)]], [String], [String]
      )])
  func sharedObjectsAreComparedByValueOrStorage(
    _ old: [[(name: String, value: String)]], _ new: [[(name: String, value: String)]],
    _ expected: [String], _ stored: [String]
  ) throws {
    let graphs = (try Self.graph(old), try Self.graph(new))
    #expect(try Self.differences(graphs.0, graphs.1).sorted() == expected.sorted())
    var options = DifferenceOptions()
    options.isExact = true
    let found = try Self.differences(graphs.0, graphs.1, options)
    #expect(found.sorted() == (expected + stored).sorted())
  }

  /// How often each object is written in a patch of a chain in which each object refers to the next one twice.
  @Test func patchesDoNotUnrollSharedObjects() throws {
    func graph(_ end: String) throws -> ObjectGraph {
      try Self.graph((0..<40).map { [("l", "#\($0 + 1)"), ("r", "#\($0 + 1)")] } + [[("v", end)]])
    }
    let graphs = (try graph("1"), try graph("2"))
    var patch = OutputBuffer(descriptor: nil)
    #expect(try PatchWriter.write(from: graphs.0, to: graphs.1, to: &patch) == 1)
    #expect(patch.bytes.count < 10_000)
    #expect(
      try Self.differences(graphs.0, graphs.1) == [
        "changed $" + String(repeating: ".l", count: 40) + ".v"
      ])
  }

  /// Objects that refer to one another deeper than values may be nested.
  @Test func longChainsAreCompared() throws {
    func graph(_ end: String) throws -> ObjectGraph {
      try Self.graph((0..<12_000).map { [("n", "#\($0 + 1)")] } + [[("v", end)]])
    }
    let graphs = (try graph("1"), try graph("2"))
    #expect(try Self.differences(graphs.0, graphs.0) == [])
    #expect(try Self.differences(graphs.0, graphs.1).count == 1)
  }

  /// Lists in which sharing multiplies, and a list of two sequences that simple sums of powers confuse.
  @Test func hostileValuesAreCompared() throws {
    var list = "[0]"
    for _ in 0..<9 { list = "[\(list),\(list),\(list),\(list)]" }
    let graph = try Self.graph(list)
    #expect(try Self.differences(graph, graph) == [])
    let bits = (0..<4096).map { $0.nonzeroBitCount & 1 }
    let (one, two) = (bits.map { "\($0)" }, bits.map { "\(1 - $0)" })
    let texts = (one.joined(separator: ","), two.joined(separator: ","))
    #expect(
      try !Self.differences(Self.graph("[\(texts.0)]"), Self.graph("[\(texts.1)]")).isEmpty)
  }

  // MARK: Patches

  /// Values that were changed at random, and the patch that makes one of the other, applied by another program.
  @Test func patchesMakeTheNewValue() throws {
    var numbers = SeededNumbers(seed: 7)
    var lines: [String] = []
    for seed in 0..<400 {
      var maker = SampleMaker(seed: UInt64(seed))
      let old = maker.value(depth: 4)
      var new = old
      for _ in 0...numbers.below(4) { new = Self.changed(new, &numbers, &maker) }
      lines.append(try Self.line(old, new))
    }
    let judge = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/json_patch.py")
    let python = try #require(Program.find("python3"))
    let result = try Program.run(
      at: python, [judge.path], input: Data(lines.joined().utf8))
    let answers = result.text.split(separator: "\n")
    #expect(answers.count == lines.count, "\(result.errors)")
    for (line, answer) in zip(lines, answers) where answer != "same" {
      Issue.record("\(answer.prefix(200)): \(line.prefix(500))")
    }
  }

  /// Patches of random values are applied to their archives, and nothing differs then.
  @Test(arguments: [nil, ConversionTarget.keyedArchive, .xml, .json])
  func patchedArchivesAreTheNewOnes(_ target: ConversionTarget?) throws {
    var numbers = SeededNumbers(seed: 11)
    for seed in 0..<60 {
      var maker = SampleMaker(seed: UInt64(1000 + seed))
      maker.hasDatesAndData = target?.rawValue != "json"
      let old = SampleValue.array([maker.value(depth: 3)])
      var new = old
      for _ in 0...numbers.below(4) { new = Self.changed(new, &numbers, &maker) }
      let archives = try [old, new].map { try Self.archive($0, target) }
      let graphs = try archives.map { try ArchiveReader().read($0) }
      var patch = OutputBuffer(descriptor: nil)
      try PatchWriter.write(from: graphs[0], to: graphs[1], to: &patch)
      let edits = try DocumentEdit.readPatch(ByteStorage(copying: Array(patch.bytes.bytes)))
      var document = EditedDocument(archives[0], sharing: .copied)
      try document.apply(edits)
      let result = try ArchiveReader().read(document.storage)
      let found = try Self.differences(result, graphs[1])
      #expect(found.isEmpty, "seed \(seed): \(found.prefix(3))")
    }
  }

  private static func archive(
    _ value: SampleValue, _ target: ConversionTarget?
  ) throws -> ByteStorage {
    let binary = ByteStorage(copying: BinaryWriter.write(value.document).array)
    guard let target else { return binary }
    var converted = OutputBuffer(descriptor: nil)
    _ = try Conversion(to: target).run(binary, name: "test", to: &converted)
    return ByteStorage(copying: Array(converted.bytes.bytes))
  }

  private static func line(_ old: SampleValue, _ new: SampleValue) throws -> String {
    let graphs = [old, new].map { value in
      let graph = ObjectGraph()
      _ = graph.add(value.document)
      return graph
    }
    var texts: [String] = []
    for graph in graphs {
      var output = OutputBuffer(descriptor: nil)
      let options = JSONWriter.Options(isTyped: true, isCompact: true)
      try JSONWriter.write(graph.root, of: graph, options: options, to: &output)
      texts.append(String(decoding: output.bytes.bytes, as: UTF8.self))
    }
    var patch = OutputBuffer(descriptor: nil)
    try PatchWriter.write(from: graphs[0], to: graphs[1], to: &patch)
    texts.append(String(decoding: patch.bytes.bytes, as: UTF8.self))
    let joined = #"{"old":\#(texts[0]),"new":\#(texts[1]),"patch":\#(texts[2])}"#
    return joined.replacingOccurrences(of: "\n", with: "") + "\n"
  }

  /// The value with something added, removed, moved or replaced somewhere.
  private static func changed(
    _ value: SampleValue, _ numbers: inout SeededNumbers, _ maker: inout SampleMaker
  ) -> SampleValue {
    switch value {
    case .array(var elements) where !elements.isEmpty:
      let index = numbers.below(elements.count)
      switch numbers.below(5) {
      case 0: elements.remove(at: index)
      case 1: elements.insert(maker.value(depth: 2), at: index)
      case 2: elements.append(elements.remove(at: index))
      case 3: elements.insert(elements.remove(at: index), at: numbers.below(elements.count + 1))
      default: elements[index] = changed(elements[index], &numbers, &maker)
      }
      return .array(elements)
    case .dictionary(var pairs) where !pairs.isEmpty:
      let index = numbers.below(pairs.count)
      switch numbers.below(4) {
      case 0: pairs.remove(at: index)
      case 1 where !pairs.contains { $0.0 == "new" }: pairs.append(("new", maker.value(depth: 2)))
      default: pairs[index].1 = changed(pairs[index].1, &numbers, &maker)
      }
      return .dictionary(pairs)
    default: return maker.value(depth: 2)
    }
  }
}
