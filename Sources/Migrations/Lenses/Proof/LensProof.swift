// Proves one direction of a lens: the result for every value of one version fits the other.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas

/// Proves one direction of a lens.
package struct LensProof {
  /// An obstacle to a proof.
  package struct Problem: Sendable {
    /// The fault, as a sentence.
    package let message: String
    /// The path in the model: `$.cities[*].name`; for an inapplicable operation before it, otherwise after the lens.
    package let path: GraphPath
    /// The responsible operation; nil for the whole lens.
    package let operation: LensOperation?
    /// A result that does not fit, if one was easy to find.
    package let counterexample: JSONTree?
    /// Whether the fault is certain; otherwise it only could not be excluded.
    package let isRefuted: Bool
    /// Whether the operation itself cannot be applied to values of the version.
    package let isInapplicable: Bool
  }

  /// The lens.
  package let lens: Lens
  /// The direction.
  package let direction: LensDirection
  /// The version of the original values.
  package let source: SchemaVersion
  /// The version of the results.
  package let target: SchemaVersion
  /// Whether `format` is treated as an assertion.
  package let assertsFormats: Bool

  /// Specifies the proof.
  package init(
    _ lens: Lens, _ direction: LensDirection, from source: SchemaVersion, to target: SchemaVersion,
    assertsFormats: Bool = false
  ) {
    self.lens = lens
    self.direction = direction
    self.source = source
    self.target = target
    self.assertsFormats = assertsFormats
  }

  /// The schema of a lens's results for values that fit another schema.
  ///
  /// Every value that fits, and that no operation refuses, has a result that fits this schema; other results may fit it
  /// too.
  package static func schema(
    of lens: Lens, _ direction: LensDirection, appliedTo schema: JSONTree
  ) -> JSONTree {
    let document = SchemaDocument(schema, .inner)
    var run = SchemaTransformer(document, direction, named: lens.named)
    let result = run.apply(lens, to: root(of: document), at: [])
    return SchemaCopying.tree(of: result, from: document, definitions: run.definitions)
  }

  private static func root(of document: SchemaDocument) -> LensSchema {
    document.place(at: "").map { .source($0) } ?? .anything
  }

  /// The obstacles; empty if the lens is proved.
  package func problems() -> [Problem] {
    let document = SchemaDocument(source.tree, .inner)
    var run = SchemaTransformer(document, direction, named: lens.named, in: target.envelope)
    let schema = run.apply(lens, to: Self.root(of: document), at: [])
    guard run.faults.isEmpty else { return run.faults.map(Self.problem) }
    var result = lists() + rootLists()
    var options = SchemaContainment.Options(
      assertsFormat: assertsFormats, comparesArchives: false)
    // Another envelope gives objects the classes of its own schema, or none.
    options.comparesStructure =
      source.envelope == target.envelope
      && (target.envelope == .nscoding || target.envelope == .dictionariable)
    let written = written(schema, from: document, run)
    let proof = SchemaContainment.proof(that: written, isWithin: target.tree, options: options)
    let blame = OperationAttribution(run.touches)
    var witnesses = LensWitnesses(self)
    for obstacle in proof.obstacles {
      let witness = obstacle.counterexample.flatMap { witnesses.witness(for: $0) }
      // The schemas allow more than the actual results: only an actual result is a refutation.
      let isRefuted = obstacle.isRefuted && (witness != nil || lens.isIdentity)
      result.append(
        Problem(
          message: obstacle.reason, path: obstacle.path,
          operation: blame.operation(at: obstacle.path), counterexample: witness,
          isRefuted: isRefuted, isInapplicable: false))
    }
    return result
  }

  /// The schema of values written in the target's envelope.
  private func written(
    _ schema: LensSchema, from document: SchemaDocument, _ run: SchemaTransformer
  ) -> JSONTree {
    guard var image = EnvelopeEffect(target, from: source.envelope, run.expansion) else {
      return SchemaCopying.tree(of: schema, from: document, definitions: run.definitions)
    }
    let written = image.image(schema)
    return SchemaCopying.tree(
      of: written, from: document, definitions: run.definitions + image.definitions)
  }

  /// Checks that a list of models remains a list of models.
  private func lists() -> [Problem] {
    guard source.allowsList, !target.allowsList else { return [] }
    return [
      Problem(
        message: "it may be a list of models, but one model is allowed", path: GraphPath(),
        operation: nil, counterexample: nil, isRefuted: true, isInapplicable: false)
    ]
  }

  /// Reports a root list: it is read as a list of models, so no lens can create or accept one.
  private func rootLists() -> [Problem] {
    lens.operations(direction).compactMap { operation in
      let message: String
      switch operation.kind.resolved(for: direction) {
      case .wrap(name: nil), .split(name: nil, _), .ungroup(.elements(name: nil, _)),
        .ungroup(.alternating(name: nil, _)):
        message = "it becomes a list at the root, which is read as a list of models"
      case .head(name: nil), .join(name: nil, _), .group(.elements(name: nil, _)),
        .group(.alternating(name: nil, _)):
        message = "a list at the root is read as a list of models"
      default: return nil
      }
      return Problem(
        message: message, path: GraphPath(), operation: operation, counterexample: nil,
        isRefuted: true,
        isInapplicable: true)
    }
  }

  private static func problem(_ fault: SchemaTransformer.Fault) -> Problem {
    Problem(
      message: fault.message, path: GraphPath(fault.path), operation: fault.operation,
      counterexample: nil, isRefuted: fault.isRefuted, isInapplicable: true)
  }
}

// MARK: - Finding the operation that is responsible for a value that does not fit

/// Finds the last operation that changed a location.
struct OperationAttribution {
  private let touches: [(operation: LensOperation, steps: [GraphPath.Step])]

  init(_ touches: [SchemaTransformer.Edit]) {
    self.touches = touches.map { ($0.operation, $0.path) }
  }

  /// The last operation that wrote a location or its container; otherwise one inside it; nil if none did.
  fileprivate func operation(at path: GraphPath) -> LensOperation? {
    let around = touches.last { Self.begins(path.steps, with: $0.steps) }
    let inside = touches.last { Self.begins($0.steps, with: path.steps) }
    return (around ?? inside)?.operation
  }

  private static func begins(_ steps: [GraphPath.Step], with start: [GraphPath.Step]) -> Bool {
    start.count <= steps.count && zip(start, steps).allSatisfy(matches)
  }

  /// Whether two steps may lead to the same part; a star matches any.
  private static func matches(_ left: GraphPath.Step, _ right: GraphPath.Step) -> Bool {
    switch (left, right) {
    case (.anyMember, .key), (.key, .anyMember), (.anyElement, .index), (.index, .anyElement): true
    default: left == right
    }
  }
}

// MARK: - Confirming the counterexample of a proof: a value of the source version with that result

/// Looks for values whose results do not fit.
struct LensWitnesses {
  /// The limit on the values to try; beyond it, nothing can be concluded.
  private static let limit = 200

  private let proof: LensProof
  private var tried = 0

  init(_ proof: LensProof) { self.proof = proof }

  /// A result that does not fit the target, for a value that fits the source and is found by inverting a guess.
  ///
  /// Nil if none was found.
  /// none was found.
  fileprivate mutating func witness(for guess: JSONTree) -> JSONTree? {
    tried += 1
    guard tried <= Self.limit else { return nil }
    do throws(ArchiveError) {
      let graph = guess.makeGraph()
      let envelopes = (source: proof.source.envelope, target: proof.target.envelope)
      let file = LensFile(
        source: "", target: "", lens: proof.lens,
        envelopes: proof.direction == .forward
          ? envelopes : (source: envelopes.target, target: envelopes.source))
      let step = LensStep(file: file, direction: proof.direction)
      let source = try LensInterpreter.apply([step.reversed], to: graph.root, of: graph).root
      guard try proof.source.validate(source, in: graph, family: nil).isEmpty else { return nil }
      let made = try LensInterpreter.apply([step], to: source, of: graph).root
      return try misfit(made, of: graph)
    } catch {
      return nil
    }
  }

  /// The value as written in the target's envelope; nil if it fits.
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
