// JSON of archives whose order of objects shows that nothing holds itself is that of archives that were walked.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct JSONCycleTests {
  private func archive(of root: Any) throws -> Data {
    // Foundation archives no array that holds itself.
    guard let sample = root as? ArchivedSample else {
      return try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)
    }
    let list = try PropertyListSerialization.propertyList(from: sample.archive, format: nil)
    return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
  }

  private func read(_ archive: Data, _ limits: Limits) throws(ArchiveError) -> ObjectGraph {
    try ArchiveReader(limits: limits).read(ByteStorage(copying: Array(archive)))
  }

  /// The JSON of an archive and what was lost, or why there is none.
  private func outcome(
    _ archive: Data, _ limits: Limits, _ isCompact: Bool, before: String = ""
  ) -> String {
    do throws(ArchiveError) {
      let graph = try read(archive, limits)
      var output = OutputBuffer(descriptor: nil, limit: limits.outputBytes)
      output.bytes.append(before)
      try JSONWriter.write(
        graph.root, of: graph, options: JSONWriter.Options(isCompact: isCompact), to: &output)
      try output.finish()
      return String(decoding: output.bytes.bytes, as: UTF8.self) + "\(graph.losses.map(\.code))"
    } catch {
      return before + "\(error.code)"
    }
  }

  /// Limits by which every graph is walked before it is written.
  private func walked(_ limits: Limits) -> Limits {
    var limits = limits
    limits.largeInputs = .all
    return limits
  }

  /// Archives that need a walk, and archives that need none.
  enum Case: String, CaseIterable {
    case nested, repeatedTexts, manyOfAClass, dates, sharedBefore, sharedAfter
    case itself, aroundTwoCorners, data, archiveInData, derived, odd, long, multiplied

    var root: Any {
      switch self {
      case .nested: ["a": [1, ["b": [2.5, "c"]], "d"] as [Any], "e": ["f": [Any]()]]
      case .repeatedTexts: ["x", ["x", "y"], ["x": "y", "y": "x"]] as [Any]
      case .manyOfAClass: (0..<20).map { ["n": $0, "list": [$0, $0]] as [String: Any] }
      case .dates: [Date(timeIntervalSince1970: 1), [Date(timeIntervalSince1970: 2)]] as [Any]
      case .sharedBefore:
        { (shared: NSArray) in NSArray(array: [NSArray(array: [shared]), shared]) }([1])
      case .sharedAfter:
        { (shared: NSArray) in NSArray(array: [shared, NSArray(array: [shared])]) }([1])
      case .itself: ArchivedSample.array([.root])
      case .aroundTwoCorners:
        ArchivedSample.array([.null, .dictionary([.stored(.string("outer")): .root])])
      case .data: ["bytes": Data([1, 2, 3])]
      case .archiveInData:
        (try? NSKeyedArchiver.archivedData(withRootObject: ["x"], requiringSecureCoding: false))
          .map { ["first": $0, "second": [$0]] as [String: Any] } ?? [:]
      case .derived: [DateInterval(start: Date(timeIntervalSince1970: 1), duration: 2)]
      case .odd: NSDictionary(object: "x", forKey: NSArray(array: [1, NSArray(array: [2])]))
      case .long: (0..<400).map { String(repeating: "\($0) ", count: 1_000) }
      case .multiplied:
        (0..<12).reduce(NSArray(array: ["x"])) { last, _ in NSArray(array: [last, last]) }
      }
    }

    var hasCycles: Bool { self == .itself || self == .aroundTwoCorners }
  }

  @Test(arguments: Case.allCases, [true, false])
  func theTextIsThatOfAWalkedGraph(_ example: Case, isCompact: Bool) throws {
    let archive = try archive(of: example.root)
    let text = outcome(archive, Limits(), isCompact, before: "[")
    #expect(text == outcome(archive, walked(Limits()), isCompact, before: "["))
    #expect(text.contains("$ref") == example.hasCycles)
    #expect(text.hasPrefix("[") && text.hasSuffix("\n[]"))
  }

  @Test(arguments: TestArchives.all.filter(\.decodable))
  func everyArchiveIsWrittenAsIfItWereWalked(_ entry: ManifestEntry) throws {
    let archive = try Data(contentsOf: entry.url)
    #expect(outcome(archive, Limits(), false) == outcome(archive, walked(Limits()), false))
  }

  /// Bounds, without a walk and with one.
  @Test(arguments: [
    Limits(depth: 3), Limits(depth: 11), Limits(depth: 12), Limits(depth: 24), Limits(depth: 40),
    Limits(expandedNodes: 5), Limits(expandedNodes: 40), Limits(outputBytes: 20),
    Limits(outputBytes: 200),
  ])
  func boundsHoldAsForAWalkedGraph(_ limits: Limits) throws {
    let nested = (0..<10).reduce("x" as Any) { inner, _ in [inner] }
    let archive = try archive(of: nested)
    let text = outcome(archive, limits, true)
    #expect(text == outcome(archive, walked(limits), true))
    #expect(text.contains("x") == (limits.depth > 10 && limits.outputBytes > 20 && text != "limit"))
  }

  /// An archive of a movie that is itself the key of one of its fields.
  private static let keyedByItself =
    "YnBsaXN0MDDUAQIDBAUGCR1ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHNYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2"
    + "ZXLRBwhUcm9vdIABpQoLFBUWVSRudWxs1AwNFg8QERITWGRpcmVjdG9yW3JlbGVhc2VZZWFyVG5hbWVWJGNsYXNz"
    + "gAMRB9mAAoAEVkF2YXRhcl1KYW1lcyBDYW1lcm9u0hcYGRxYJGNsYXNzZXNaJGNsYXNzbmFtZaIIG18QD0RlbW8u"
    + "TW92aWVDbGFzc1hOU09iamVjdF8QD0RlbW8uTW92aWVDbGFzcxIAAYagCBEbICkyREdMTlRaY2x4fYSGiYuNlKKn"
    + "sLu+0NnrAAAAAAAAAQEAAAAAAAAAHgAAAAAAAAAAAAAAAAAAAPA="

  /// A key that is no string is shown by its number: only a walk sees where it leads.
  @Test func keysThatAreObjectsAreWalked() throws {
    let archive = try #require(Data(base64Encoded: Self.keyedByItself))
    let text = outcome(archive, Limits(), true)
    #expect(text == outcome(archive, walked(Limits()), true))
    #expect(text.contains(#""$id":"#))
  }
}
