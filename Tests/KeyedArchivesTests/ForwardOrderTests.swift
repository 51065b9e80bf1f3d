// What the numbers of an archive's objects show about cycles, with the walk through all references as the judge.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct ForwardOrderTests {
  private func graph(
    _ archive: Data, _ limits: Limits = Limits()
  ) throws(ArchiveError) -> ObjectGraph {
    try ArchiveReader(limits: limits).read(ByteStorage(copying: Array(archive)))
  }

  private func binary(_ sample: ArchivedSample) throws -> Data {
    let list = try PropertyListSerialization.propertyList(from: sample.archive, format: nil)
    return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
  }

  /// Archives, and whether the order of their objects shows that there are no cycles.
  static let samples: [(name: String, sample: ArchivedSample, isShown: Bool)] = [
    ("a scalar", "text", true),
    ("scalars in place", .array([1, 2.5, true]), true),
    ("objects in objects", .array([.dictionary(["a": .array(["b", "c"])]), .array([])]), true),
    ("the application's objects", .object("Movie", ["title": "x", "part": .object("Part")]), true),
    ("a string that is shared", .array(["x", .array([.uid(2)])]), true),
    ("a list in place", .object("Movie", ["parts": .list(["a", .object("Part")])]), true),
    ("a table in place", .object("Movie", ["parts": .table([("a", .object("Part"))])]), true),
    ("nil", .array([.null]), true),
    ("an object twice in a list", .array([.object("Movie"), .uid(2)]), true),
    ("an object that is met again", .array([.object("Movie"), .array([.uid(2)])]), false),
    ("an array that is met again", .array([.array(["x"]), .array([.uid(2)])]), false),
    ("itself", .array([.root]), false),
    ("itself around two corners", .array([.dictionary(["outer": .root])]), false),
    ("itself in a list in place", .object("Movie", ["parts": .list([.root])]), false),
    ("a list in a list", .object("Movie", ["parts": .list([.list([.root])])]), false),
    ("data", .array([.stored(.data([1]))]), false),
    ("data in place", .object("Movie", ["bytes": .data([1])]), false),
    ("data in a list in place", .object("Movie", ["parts": .list([.data([1])])]), false),
  ]

  @Test(arguments: samples)
  func onlyWhatLeadsForwardIsShown(
    _ row: (name: String, sample: ArchivedSample, isShown: Bool)
  ) throws {
    let graph = try graph(binary(row.sample))
    #expect(graph.hasForwardOrder(below: graph.root) == row.isShown, "\(row.name)")
    let walk = try SharingAnalysis(of: graph.root, in: graph)
    if row.isShown { #expect(!walk.hasCycles) }
  }

  @Test(arguments: TestArchives.all.filter(\.decodable))
  func whatIsShownAWalkFinds(_ entry: ManifestEntry) throws {
    let graph = try graph(Data(contentsOf: entry.url))
    guard graph.hasForwardOrder(below: graph.root) else { return }
    #expect(try !SharingAnalysis(of: graph.root, in: graph).hasCycles)
  }

  /// Foundation's own numbers lead forward.
  @Test func archivesOfFoundationAreShown() throws {
    let feed = (0..<20).map { ["name": "city \($0)", "list": [$0, 1.5, "x"]] as [String: Any] }
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: feed, requiringSecureCoding: false)
    let graph = try graph(archive)
    #expect(graph.hasForwardOrder(below: graph.root))
  }

  /// An object may have a list in itself, so that each counts as two levels, and so does the record of its class.
  @Test(arguments: [(levels: 3, isShown: true), (4, false)])
  func whatMayBeTooDeepIsNotShown(_ row: (levels: Int, isShown: Bool)) throws {
    let nested = (1..<row.levels).reduce(ArchivedSample.array([])) { inner, _ in .array([inner]) }
    let graph = try graph(binary(nested), Limits(depth: 8))
    #expect(graph.hasForwardOrder(below: graph.root) == row.isShown)
  }

  /// Archives beyond the processor's caches, whose values are looked up before they are written.
  enum Large: String, CaseIterable {
    case dictionaries, objects, sharedTexts

    var root: ArchivedSample {
      let text = String(repeating: "text ", count: 240)
      return .array(
        (0..<4_000).map { number -> ArchivedSample in
          let name = ArchivedSample.stored(.string("\(text)\(number)"))
          switch self {
          case .dictionaries:
            return .dictionary(["a": name, "b": .array([1, "x"]), "c": .dictionary(["d": "y"])])
          case .objects:
            return .object("Movie", ["title": name, "part": .object("Part", ["n": 1, "s": "z"])])
          case .sharedTexts: return .array([.uid(3), name, .uid(3), "1", "2", "3", "4", "5"])
          }
        })
    }
  }

  @Test(arguments: Large.allCases)
  func largeArchivesAreWrittenAsWalkedOnes(_ example: Large) throws {
    let archive = try binary(example.root)
    var walked = Limits(threads: 1)
    walked.largeInputs = .all
    let graph = try graph(archive)
    #expect(graph.hasForwardOrder(below: graph.root))
    #expect(graph.documents[0].table.count > 1 << 15 && graph.documents[0].table.isBeyondCaches)
    #expect(try json(archive, Limits()) == json(archive, walked))
  }

  private func json(_ archive: Data, _ limits: Limits) throws(ArchiveError) -> [UInt8] {
    let graph = try graph(archive, limits)
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(graph.root, of: graph, options: JSONWriter.Options(), to: &output)
    try output.finish()
    return Array(output.bytes.bytes)
  }
}
