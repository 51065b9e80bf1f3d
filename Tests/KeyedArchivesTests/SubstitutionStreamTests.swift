// Typedstreams with renamed classes, and random archives renamed in both directions.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import FileTransactions
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct SubstitutionStreamTests {
  static let streams = [
    "attributed-string", "colors", "cycle", "foundation", "geometry", "references",
    "several-groups", "unknown-class", "wide-integers", "unknown-class-version-3",
  ]

  private static func stream(_ name: String) throws -> Data {
    try Data(contentsOf: TestArchives.root.appendingPathComponent("TypedStreams/\(name)"))
  }

  @Test(arguments: streams, ["", "-big-endian"])
  func streamsComeBackByteForByte(_ name: String, _ order: String) throws {
    if name.hasSuffix("version-3"), !order.isEmpty { return }
    let old = try Self.stream(name + order)
    let new = try #require(try Substituted.bytes(old, classes: ["NS*=XY*"]))
    let (before, after) = (try readGraph(old), try readGraph(new))
    #expect(after.classes.allSatisfy { !$0.name.hasPrefix("NS") })
    #expect(before.documents[0].table.count > 0)
    #expect(try Substituted.bytes(new, classes: ["XY*=NS*"]) == old)
  }

  @Test func aStreamHasNoKeysToRename() throws {
    let error = #expect(throws: ArchiveError.self) {
      _ = try Substituted.bytes(try Self.stream("unknown-class"), keys: ["AppThing.a=b"])
    }
    #expect(error?.code == .unsupported)
  }

  @Test func droppedObjectsLeaveTheArraysOfStreams() throws {
    let old = try Self.stream("foundation")
    let outcome = try Substituted.outcome(old, drop: ["NSNumber", "NSURL"])
    let graph = try readGraph(Data(try #require(outcome.storage).bytes))
    let before = try readGraph(old)
    let elements = try #require(before.foundationObject(before.root) as? NSArray)
    let left = try #require(graph.foundationObject(graph.root) as? NSArray)
    #expect(left.count < elements.count)
    #expect(!left.contains { $0 is NSNumber })
    #expect(left.contains("plain"))
    #expect(throws: ArchiveError.self) { _ = try Substituted.bytes(old, drop: ["NS*Array"]) }
  }

  @Test func anArchiveInTheDataOfAStreamIsRenamed() throws {
    let inner = ArchivedSample.object("A", ["name": "A"]).archive
    let keyed = ArchivedSample.array([.stored(.data(Array(inner))), "A"]).archive
    var output = OutputBuffer(descriptor: nil)
    _ = try Conversion(to: .typedStream).run(
      ByteStorage(copying: Array(keyed)), name: "", to: &output)
    let outcome = try Substituted.outcome(Data(output.bytes.array), classes: ["A=Longer"])
    #expect(outcome.counts.map(\.objects) == [1])
    let graph = try readGraph(Data(try #require(outcome.storage).bytes))
    guard case .array(let elements) = graph.value(of: graph.root) else {
      Issue.record("the root is no array")
      return
    }
    let content = try #require(graph.content(of: graph.node(elements, 0)))
    #expect(graph.classIndex(of: content).map { graph.classes[$0].name } == "Longer")
    // And the stream in the data of a keyed archive.
    let outer = ArchivedSample.object(
      "NSMutableDictionary", ["x": .data(Array(try Self.stream("unknown-class")))]
    ).archive
    let twice = try Substituted.outcome(outer, classes: ["AppThing=App.Thing"])
    #expect(twice.counts.map(\.records) == [1])
  }

  // MARK: Random archives

  /// A value of the kinds that objects hold; texts are often the names of classes.
  private static func value(_ random: inout SeededNumbers, _ depth: Int) -> ArchivedSample {
    let name = ["A", "B", "App.C", "_TtC3App1D"][random.below(4)]
    switch random.below(depth > 0 ? 10 : 6) {
    case 0: return .stored(.string(name))
    case 1: return .inline(.integer(Int64(random.below(100_000)) - 50))
    case 2: return .inline(.real(Double(random.below(1000)) / 8))
    case 3: return .inline(.string(name))
    case 4: return [.null, .root, .owner][random.below(3)]
    case 5: return .data(Array(name.utf8))
    case 6: return .array((0..<random.below(5)).map { _ in value(&random, depth - 1) })
    case 7:
      let inner = ArchivedSample.object(name, ["v": value(&random, 0)]).archive
      return .data(Array(inner))
    default:
      let fields = (0..<random.below(5)).map { ("k\($0)", value(&random, depth - 1)) }
      return .instance([name, "NSObject"], fields)
    }
  }

  @Test(arguments: 0..<10)
  func randomArchivesComeBack(_ batch: Int) throws {
    for number in 0..<6 {
      var random = SeededNumbers(seed: UInt64(batch * 6 + number))
      let root = ArchivedSample.instance(
        ["A", "NSObject"], (0..<4).map { ("f\($0)", Self.value(&random, 4)) })
      for old in [root.archive, try Substituted.binary(root.archive)] {
        let there = ["A=New.A", "App.*=NewApp.*", "B=C"]
        let back = ["New.A=A", "NewApp.*=App.*", "C=B"]
        let new = try #require(try Substituted.bytes(old, classes: there))
        let same = try #require(try Substituted.bytes(new, classes: back))
        #expect(
          try Substituted.stored(same) == Substituted.stored(old), "seed \(batch * 6 + number)")
        try expectPlistlibAgrees(old, new)
      }
    }
  }

  /// Python's plistlib reads both and finds no other difference than the names in class records.
  private func expectPlistlibAgrees(_ old: Data, _ new: Data) throws {
    let python = try #require(Program.find("python3"))
    let folder = try TemporaryFolder()
    try old.write(to: folder.file("old"))
    try new.write(to: folder.file("new"))
    let script = """
      import plistlib, sys
      names = {"A": "New.A", "B": "C", "App.C": "NewApp.C", "_TtC3App1D": "_TtC6NewApp1D"}
      def load(data):
          return plistlib.loads(data)
      def renamed(value):
          if isinstance(value, bytes) and (value[:6] == b"bplist" or value[:6] == b"<plist"):
              return renamed(load(value))
          if isinstance(value, list): return [renamed(v) for v in value]
          if not isinstance(value, dict): return value
          if "$classname" in value:
              value = dict(value)
              value["$classname"] = names.get(value["$classname"], value["$classname"])
              value["$classes"] = [names.get(v, v) for v in value["$classes"]]
              return value
          return {k: renamed(v) for k, v in value.items()}
      def opened(value):
          if isinstance(value, bytes) and (value[:6] == b"bplist" or value[:5] == b"<?xml"):
              return opened(load(value))
          if isinstance(value, list): return [opened(v) for v in value]
          if isinstance(value, dict): return {k: opened(v) for k, v in value.items()}
          return value
      old, new = (load(open(path, "rb").read()) for path in sys.argv[1:3])
      same = renamed(old) == opened(new)
      print("same" if same else "different")
      """
    let result = try Program.run(
      at: python, ["-c", script, folder.file("old").path, folder.file("new").path])
    #expect(result.text == "same\n", "\(result.errors)")
  }
}
