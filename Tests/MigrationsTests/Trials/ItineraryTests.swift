// The worked example: each sample from plistlib becomes the sample of the next version.

import ArchiveBasics
import ArchiveGraph
import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import ArchiveMigrations

@Suite struct ItineraryTests {
  private static let folder = TestArchives.root.appendingPathComponent("Families/Itinerary").path

  private static func family() throws -> SchemaFamily {
    try FamilyFolder(path: folder, library: SchemaLibrary()).read()
  }

  private static func sample(_ version: String) throws -> ObjectGraph {
    let path = folder + "/samples/\(version)/two-cities"
    return try ArchiveReader().read(ByteStorage.open(path: path))
  }

  @Test func everyLensHolds() throws {
    let family = try FamilyCheck(folder: Self.folder, library: SchemaLibrary()).run()
    let result = try LensCheck(family, folder: Self.folder, tries: 300).run()
    #expect(result.lensCount == 4)
    #expect(result.findings.isEmpty, "\(result.findings.map(\.error.message))")
  }

  @Test func itHasEveryOperation() throws {
    let lenses = try FamilyLenses(of: Self.family())
    func words(_ lens: Lens) -> [String] {
      lens.operations.flatMap { [$0.word] + ($0.inner.map(words) ?? []) }
    }
    #expect(
      Set(lenses.files.flatMap { words($0.lens) }) == [
        "rename", "add", "remove", "hoist", "plunge", "wrap", "head", "in", "map", "convert",
      ])
  }

  /// The steps whose samples differ in nothing that the lens loses.
  @Test(arguments: [
    ("v1", "v2"), ("v2", "v1"), ("v3", "v4"), ("v4", "v5"),
  ])
  func aSampleBecomesTheOtherSample(_ from: String, _ to: String) throws {
    let family = try Self.family()
    let steps = try #require(try FamilyLenses(of: family).path(from: from, to: to))
    let graph = try Self.sample(from)
    let model = try #require(graph.unwrapModel())
    let result = try LensInterpreter.apply(steps, to: model.root, of: graph)
    let target = try #require(family.version(to))
    let envelope = try #require(target.envelope)
    let bytes = try EnvelopeWriter.wrap(
      result.root, of: graph, in: envelope, shape: target.schema)
    let written = try ArchiveReader().read(ByteStorage(copying: Array(bytes.bytes)))
    #expect(try target.validate(written).isEmpty)
    let other = try Self.sample(to)
    let (left, right) = (
      try #require(written.unwrapModel()), try #require(other.unwrapModel())
    )
    #expect(written.foundationObject(left.root) == other.foundationObject(right.root))
  }
}
