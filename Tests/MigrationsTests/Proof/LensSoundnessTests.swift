// Whether the proof is ever wrong: random schemas, lenses and values; the values are passed through the lens itself.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas
import Testing

@testable import Migrations

@Suite struct LensSoundnessTests {
  private static func version(
    _ name: String, _ schema: JSONTree, _ envelope: String
  ) throws -> SchemaVersion {
    let archive = ("x-archive", JSONTree.members([("envelope", .string(envelope))]))
    let members = schema.members ?? [("allOf", .list([schema]))]
    return try SchemaVersion(
      family: "Test", name: name, tree: .members(members + [archive]), uri: "urn:test:\(name)")
  }

  private static func lens(_ operations: JSONTree) throws -> Lens {
    try LensReader.read(.members([("lens", operations)]))
  }

  /// What a lens makes of a value; nil if an operation refuses it.
  private static func apply(
    _ lens: Lens, _ direction: LensDirection, to value: JSONTree
  ) -> (root: Node, graph: ObjectGraph)? {
    let graph = value.makeGraph()
    let file = LensFile(source: "v1", target: "v2", lens: lens)
    let step = LensStep(file: file, direction: direction)
    guard let result = try? LensInterpreter.apply([step], to: graph.root, of: graph) else {
      return nil
    }
    return (result.root, graph)
  }

  @Test(arguments: [1, 2, 3] as [UInt64], [LensDirection.forward, .backward])
  func whatTheLensMakesFitsTheSchemaThatItMakes(seed: UInt64, direction: LensDirection) throws {
    var random = RandomLenses(seed: seed)
    let values = (0..<80).map { _ in random.value() }
    var applied = 0
    var refusals = 0
    for _ in 0..<50 {
      let schema = random.document()
      let operations = random.lens()
      let lens = try Self.lens(operations)
      let source = try Self.version("v1", schema, "plist")
      let made = LensProof.schema(of: lens, direction, appliedTo: schema)
      let target = try Self.version("v2", made, "plist")
      for value in values {
        let before = value.makeGraph()
        guard try source.validate(before.root, in: before).isEmpty else { continue }
        guard let result = Self.apply(lens, direction, to: value) else { continue }
        applied += 1
        if try !target.validate(result.root, in: result.graph).isEmpty {
          refusals += 1
          Issue.record(
            "seed \(seed): \(value.line) of \(schema.line) by \(operations.line), not \(made.line)")
          if refusals > 0 { return }
        }
      }
    }
    print("seed \(seed), \(direction): \(applied) values were taken through lenses")
    #expect(applied > 40)
  }

  @Test(arguments: [11, 12] as [UInt64], ["codable", "plist", "json", "dictionariable"])
  func whatIsProvedFitsWhenItIsWritten(seed: UInt64, envelope: String) throws {
    var random = RandomLenses(seed: seed)
    let values = (0..<80).map { _ in random.value() }
    var proofs = 0
    var written = 0
    for round in 0..<50 {
      let schema = random.document()
      let lens = try Self.lens(round % 2 == 0 ? .list([]) : random.lens())
      let source = try Self.version("v1", schema, "dictionariable")
      let made = LensProof.schema(of: lens, .forward, appliedTo: schema)
      let target = try Self.version("v2", random.retyped(made), envelope)
      guard LensProof(lens, .forward, from: source, to: target).problems().isEmpty else { continue }
      proofs += 1
      for value in values {
        let before = value.makeGraph()
        guard try source.validate(before.root, in: before).isEmpty,
          let result = Self.apply(lens, .forward, to: value),
          let envelope = target.envelope
        else { continue }
        let bytes = try EnvelopeWriter.wrap(
          result.root, of: result.graph, in: envelope, shape: target.schema)
        let graph = try ArchiveReader().read(ByteStorage(copying: Array(bytes.bytes)))
        written += 1
        let violations = try target.validate(graph)
        if let first = violations.first {
          Issue.record("seed \(seed): \(value.line): \(first.message) at \(first.path)")
          return
        }
      }
    }
    print("seed \(seed), \(envelope): \(proofs) proofs, \(written) values were written")
    #expect(proofs > 3 && written > 5)
  }
}
