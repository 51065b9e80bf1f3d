// Whether what a proof takes for a counterexample can occur: a value of the source version that becomes it.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas

/// Looks for values that a lens takes to what does not fit.
struct LensWitnesses {
  /// More values are not tried; those that are not can be neither shown nor counted on.
  private static let limit = 200

  private let proof: LensProof
  private var tried = 0

  init(_ proof: LensProof) { self.proof = proof }

  /// What a value that fits the source becomes and that does not fit the target, found by the way back from a guess; nil if
  /// none was found.
  mutating func witness(for guess: JSONTree) -> JSONTree? {
    tried += 1
    guard tried <= Self.limit else { return nil }
    do throws(ArchiveError) {
      let graph = guess.makeGraph()
      let file = LensFile(source: "", target: "", lens: proof.lens)
      let step = LensStep(file: file, direction: proof.direction)
      let source = try LensRun.apply([step.reversed], to: graph.root, of: graph).root
      guard try proof.source.validate(source, in: graph, family: nil).isEmpty else { return nil }
      let made = try LensRun.apply([step], to: source, of: graph).root
      return try misfit(made, of: graph)
    } catch {
      return nil
    }
  }

  /// The value as it is written in the target's envelope; nil if it fits.
  private func misfit(_ root: Node, of graph: ObjectGraph) throws(ArchiveError) -> JSONTree? {
    let target = proof.target
    switch target.envelope ?? .plist {
    case .codable, .plist, .json:
      let bytes = try EnvelopeWriter.wrap(
        root, of: graph, in: target.envelope ?? .plist, shape: target.schema)
      let copy = try ArchiveReader().read(bytes.intoStorage())
      guard let model = UnwrappedModel(copy), try !target.validate(copy, family: nil).isEmpty else {
        return nil
      }
      return try Self.tree(model.root, of: copy)
    case .dictionariable, .nscoding, .sequential:
      guard try !target.validate(root, in: graph, family: nil).isEmpty else { return nil }
      return try Self.tree(root, of: graph)
    }
  }

  private static func tree(_ root: Node, of graph: ObjectGraph) throws(ArchiveError) -> JSONTree {
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(root, of: graph, options: .init(isCompact: true), to: &output)
    let bytes = output.takeBytes()
    defer { withExtendedLifetime(bytes) {} }
    return try JSONTree(json: Array(bytes.bytes))
  }
}
