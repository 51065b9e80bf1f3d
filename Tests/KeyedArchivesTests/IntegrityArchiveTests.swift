// Integrity checks of whole files: valid ones have no fault, broken ones have exactly the faults they were made with.

import ArchiveBasics
import ArchiveGraph
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct IntegrityArchiveTests {
  private func faults(_ url: URL) throws -> [Diagnostic] {
    IntegrityCheck().run(ByteStorage(copying: Array(try Data(contentsOf: url))))
  }

  @Test(arguments: TestArchives.all.filter(\.decodable))
  func findsNothingInASoundArchive(_ entry: ManifestEntry) throws {
    #expect(try faults(entry.url) == [])
  }

  /// The faults that `make_broken.py` makes, and where they stand in the bytes.
  @Test(arguments: [
    ("v2-broken-inner", [Lint.badTrailer], "$['$objects'][1]⟨binary property list⟩"),
    ("truncated", [.badTrailer], nil), ("bad-trailer", [.badTrailer], nil),
    ("bad-offset", [.badOffset], "$"), ("missing-top", [.missingTop], "$"),
    ("dangling-uid", [.danglingUID], "$['$objects'][1]['NS.objects'][1]"),
    ("missing-objects", [.missingObjects], "$"),
    ("class-not-a-record", [.classNotARecord], "$['$objects'][1]"),
    ("keys-objects-mismatch", [.keysObjectsCount], "$['$objects'][1]"),
    ("empty", [.unreadable], nil), ("not-an-archive", [.unreadable], nil),
    ("circular-container.plist", [.circularContainer], "$[0]"),
    ("bplist-count-overflow.plist", [.badCount], "$"),
    ("xml-truncated.plist", [.unreadable], nil), ("xml-entity-bomb.plist", [.unreadable], nil),
  ])
  func findsWhatABrokenArchiveWasMadeWith(
    _ name: String, _ lints: [Lint], _ path: String?
  ) throws {
    let url = TestArchives.root.appendingPathComponent("Broken/\(name)")
    let found = try faults(url)
    #expect(found.map(\.lint) == lints)
    #expect(found.first?.path?.description == path)
    // One fault reads the same whether reading or a check finds it.
    guard name != "v2-broken-inner" else { return }
    do {
      _ = try readGraph(Data(contentsOf: url))
      Issue.record("\(name) was read")
    } catch {
      #expect(found.first?.message == (error as? ArchiveError)?.message)
      if lints != [.missingTop], lints != [.missingObjects] {
        #expect(found.first?.offset == (error as? ArchiveError)?.offset)
      }
    }
  }

  @Test func everyArchiveThatCannotBeDecodedIsInTheTable() {
    #expect(TestArchives.all.filter { !$0.decodable }.count == 15)
  }

  @Test(
    arguments: ["keyed", "plist", "typedstream"].flatMap { Corpus.files($0) })
  func agreesWithTheReader(_ file: String) throws {
    let data = try Data(contentsOf: try #require(Corpus.file(file)))
    let storage = ByteStorage(copying: Array(data))
    let found = IntegrityCheck().run(storage)
    _ = IntegrityCheck(lints: Set(Lint.allCases)).run(storage)
    do throws(ArchiveError) {
      let graph = try ArchiveReader().read(storage)
      let nested = graph.contentFaults(from: graph.root)
      #expect(found.isEmpty == nested.isEmpty, "\(found)")
    } catch {
      #expect(!found.isEmpty)
    }
  }

  private static let typedStreams: [String] = {
    let folder = TestArchives.root.appendingPathComponent("TypedStreams").path
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }()

  @Test(arguments: typedStreams)
  func findsNothingInATypedStream(_ name: String) throws {
    #expect(try faults(TestArchives.root.appendingPathComponent("TypedStreams/\(name)")) == [])
  }
}
