// Archives whose containers refer to none before them are taken for free of cycles without a walk.

import Basics
import Foundation
import KeyedArchives
import ObjectGraph
import PropertyLists
import TestSupport
import Testing

@Suite struct ForwardReferenceTests {
  private func graph(_ root: Any, limits: Limits = Limits()) throws -> ObjectGraph {
    let data: Data
    if let sample = root as? ArchivedSample {
      // Foundation archives no array that holds itself.
      let list = try PropertyListSerialization.propertyList(from: sample.archive, format: nil)
      data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    } else {
      data = try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)
    }
    return try ArchiveReader(limits: limits).read(ByteStorage(copying: Array(data)))
  }

  private func json(_ graph: ObjectGraph) throws(ArchiveError) -> String {
    var output = OutputBuffer(descriptor: nil, limit: 1 << 20)
    try JSONWriter.write(
      graph.root, of: graph, options: JSONWriter.Options(isCompact: true), to: &output)
    return String(decoding: output.bytes.bytes, as: UTF8.self)
  }

  /// Archives that Foundation writes, and whether one pass shows that nothing holds itself.
  enum Case: String, CaseIterable {
    case nested, repeatedTexts, manyOfAClass, dates, sharedBefore
    case sharedAfter, itself, aroundTwoCorners, data, derived

    var root: Any {
      switch self {
      case .nested: return ["a": [1, ["b": [2.5, "c"]], "d"] as [Any], "e": ["f": [Any]()]]
      case .repeatedTexts: return ["x", ["x", "y"], ["x": "y", "y": "x"]] as [Any]
      case .manyOfAClass: return (0..<20).map { ["n": $0, "list": [$0, $0]] as [String: Any] }
      case .dates:
        return [Date(timeIntervalSince1970: 1), [Date(timeIntervalSince1970: 2)]] as [Any]
      case .sharedBefore:
        let shared = NSArray(array: [1])
        return NSArray(array: [NSArray(array: [shared]), shared])
      case .sharedAfter:
        let shared = NSArray(array: [1])
        return NSArray(array: [shared, NSArray(array: [shared])])
      case .itself: return ArchivedSample.array([.root])
      case .aroundTwoCorners:
        return ArchivedSample.array([.null, .dictionary([.stored(.string("outer")): .root])])
      case .data: return ["bytes": Data([1, 2, 3])]
      case .derived: return [DateInterval(start: Date(timeIntervalSince1970: 1), duration: 2)]
      }
    }

    var isShown: Bool {
      switch self {
      case .nested, .repeatedTexts, .manyOfAClass, .dates, .sharedBefore: true
      case .sharedAfter, .itself, .aroundTwoCorners, .data, .derived: false
      }
    }

    var hasCycles: Bool { self == .itself || self == .aroundTwoCorners }
  }

  @Test(arguments: Case.allCases)
  func onePassShowsWhatTheWalkFinds(_ example: Case) throws {
    let graph = try graph(example.root)
    #expect(graph.hasOnlyForwardReferences() == example.isShown)
    #expect(try SharingAnalysis(of: graph.root, in: graph).hasCycles == example.hasCycles)
    #expect(try json(graph).contains("$ref") == example.hasCycles)
  }

  @Test(arguments: TestArchives.all.filter(\.decodable))
  func noArchiveThatPassesHasCycles(_ entry: ManifestEntry) throws {
    let graph = try readGraph(try Data(contentsOf: entry.url))
    guard graph.hasOnlyForwardReferences() else { return }
    #expect(try !SharingAnalysis(of: graph.root, in: graph).hasCycles)
  }

  @Test(arguments: [3, 40])
  func whatMayBeTooDeepIsWalked(depth: Int) throws {
    let nested = (0..<10).reduce("x" as Any) { inner, _ in [inner] }
    let graph = try graph(nested, limits: Limits(depth: depth))
    #expect(graph.hasOnlyForwardReferences() == (depth > 30))
    guard depth < 10 else { return #expect(try json(graph).contains("x")) }
    let error = #expect(throws: ArchiveError.self) { try json(graph) }
    #expect(error?.code == .limit)
  }
}
