// Archives of so many values that their objects are known by their numbers: what is found is what a small archive with the
// same objects gives, which Foundation judges elsewhere.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct LargeArchiveTests {
  /// The same archive, small and large.
  private struct Pair {
    let small: ObjectGraph
    let large: ObjectGraph

    init(_ archive: Data) throws {
      small = try readGraph(archive)
      large = try readGraph(enlarged(archive))
      #expect(small.objects(of: 0).count == large.objects(of: 0).count)
      #expect(large.documents[0].table.count > 1 << 20)
    }

    /// What something makes of both, or the error that ends it.
    func both<Result>(_ run: (ObjectGraph) throws -> Result) -> (Outcome<Result>, Outcome<Result>) {
      (Outcome { try run(small) }, Outcome { try run(large) })
    }
  }

  private enum Outcome<Result> {
    case result(Result)
    case error(String)

    init(_ run: () throws -> Result) {
      do {
        self = .result(try run())
      } catch let error as ArchiveError {
        // Where the values are stored is not the same.
        self = .error("\(error.code) \(error.message) \(error.path.map { "\($0)" } ?? "")")
      } catch {
        self = .error("\(error)")
      }
    }

    var description: String {
      switch self {
      case .result(let result): "\(result)"
      case .error(let message): message
      }
    }
  }

  private static func copy(_ graph: ObjectGraph, _ shape: any TypeHints) throws -> Data {
    let document = try CodableCopy.copy(graph.root, of: graph, shape: shape)
    let written = BinaryWriter.write(document)
    return Data(written.bytes)
  }

  private static let archives = [
    "WeatherFeed/v1-50-cities", "WeatherFeed/v1-error-in-feed", "Movie/v0-mirror-class-nil",
    "Graphs/value-classes", "Graphs/shared-references", "Broken/wrong-types-v1",
  ]

  @Test(arguments: archives)
  func theProjectsArchivesAreTheSame(_ path: String) throws {
    let url = TestArchives.root.appendingPathComponent(path)
    let pair = try Pair(Data(contentsOf: url))
    let reports = try SchemaCatalog(folders: []).versions.map { version in
      let (small, large) = pair.both { graph in
        try version.examine(graph.unwrapModel(), in: graph).violations.map {
          "\($0.rule) \($0.message) \($0.path as Any)"
        }
      }
      #expect(small.description == large.description, "\(version.label)")
      let copies = pair.both { try Self.copy($0, version.schema).base64EncodedString() }
      #expect(copies.0.description == copies.1.description, "\(version.label)")
      return small.description
    }
    #expect(Set(reports).count > 1)
  }

  /// Values that many places share, at places of several types, between others; nil and what looks like it.
  private static func random(_ numbers: inout SeededNumbers) -> ArchivedSample {
    func pick(_ values: [ArchivedSample]) -> ArchivedSample {
      values[Int(numbers.next() % UInt64(values.count))]
    }
    // The first objects: strings, numbers, data and dates that all may refer to.
    let first: [ArchivedSample] = [
      "shared", "$nul1", .stored(.integer(1)), .stored(.integer(0)), .stored(.real(1)),
      .stored(.real(2.5)), .stored(.data([1, 2])), .stored(.date(10)), .stored(.boolean(true)),
      .stored(.string("ä shared text of many characters")),
    ]
    let shared = (0..<UInt64(first.count)).map { ArchivedSample.uid($0 + 2) }
    let rows = (0..<80).map { row -> ArchivedSample in
      let own = ArchivedSample.stored(.string("own \(row)"))
      return .dictionary([
        "name": pick(shared + [own]), "value": pick(shared + [3, 4.5, own]),
        "flag": pick([true, false, .null] + shared),
        "list": .array((0..<5).map { _ in pick(shared) }),
        "inner": .dictionary(["a": pick(shared), "b": pick(shared + [.null])]),
      ])
    }
    return .array(first + rows)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func randomArchivesAreCopiedAndComparedAlike(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let pair = try Pair(Self.binary(Self.random(&numbers)))
    let (small, large) = (
      try Self.copy(pair.small, NoHints()), try Self.copy(pair.large, NoHints())
    )
    #expect(small == large)
    var differing = 0
    for _ in 0..<12 {
      let target = try readGraph(Self.changed(large, &numbers))
      // It knows the text that represents nil.
      let root = try #require(target.unwrapModel()).root
      let paths = pair.both { graph in
        ModelComparison.firstDifference(graph.root, of: graph, root, of: target)
          .map { "\($0)" } ?? "equal"
      }
      #expect(paths.0.description == paths.1.description)
      if paths.0.description != "equal" { differing += 1 }
    }
    #expect(differing > 3 && differing < 12)
  }

  /// A property list with one text changed where it is, or with none: its members keep their order.
  private static func changed(_ list: Data, _ numbers: inout SeededNumbers) throws -> Data {
    var list = list
    let places = list.indices.dropLast(4).filter { list[$0..<$0 + 4].elementsEqual("own ".utf8) }
    try #require(places.count > 5)
    let place = Int(numbers.next() % UInt64(places.count * 2))
    if place < places.count { list[places[place]] = UInt8(ascii: "x") }
    return list
  }

  /// Types of which nil is none.
  private static let schema = """
    {"type": "array", "items": {"type": ["object", "string", "number", "boolean"], "properties": {
      "flag": {"type": ["boolean", "string", "number"]}, "list": {"items": {"type": "string"}},
      "inner": {"additionalProperties": {"type": ["string", "number", "boolean"]}}}}}
    """

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func randomArchivesAreValidatedAlike(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let pair = try Pair(Self.binary(Self.random(&numbers)))
    let version = try SchemaVersion(
      family: "", name: "test", tree: JSONTree(json: Array(Self.schema.utf8)), uri: "test:")
    let reports = pair.both { graph in
      try version.examine(graph.unwrapModel(), in: graph).violations.map {
        "\($0.rule) \($0.message) \($0.path as Any)"
      }
    }
    #expect(reports.0.description == reports.1.description)
    #expect(reports.0.description.contains("null"))
  }

  private static func binary(_ sample: ArchivedSample) throws -> Data {
    let list = try PropertyListSerialization.propertyList(from: sample.archive, format: nil)
    return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
  }
}
