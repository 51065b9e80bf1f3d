// One direction of a lens, proved: what becomes of every value of one version fits the other.

import KeyedArchives
import PropertyLists
import Schemas

/// Proves one direction of a lens.
public struct LensProof {
  /// What stands in the way of a proof.
  public struct Problem: Sendable {
    /// What is not as it should be, in a sentence.
    public let message: String
    /// The place in the model: `$.cities[*].name`; before the operation if that cannot be applied, else after the lens.
    public let path: String
    /// The operation that is to blame; nil for the whole lens.
    public let operation: LensOperation?
    /// What a value becomes that does not fit, where one was easy to find.
    public let counterexample: JSONTree?
    /// Whether it is known to be so; otherwise it could not be proved that it is not.
    public let isRefuted: Bool
    /// Whether the operation itself cannot be applied to values of the version.
    public let isInapplicable: Bool
  }

  /// The lens.
  public let lens: Lens
  /// The direction.
  public let direction: LensDirection
  /// The version that values are of.
  public let source: SchemaVersion
  /// The version that they are to become.
  public let target: SchemaVersion
  /// Whether `format` is taken for an assertion.
  public let assertsFormats: Bool

  /// Names what is to be proved.
  public init(
    _ lens: Lens, _ direction: LensDirection, from source: SchemaVersion, to target: SchemaVersion,
    assertsFormats: Bool = false
  ) {
    self.lens = lens
    self.direction = direction
    self.source = source
    self.target = target
    self.assertsFormats = assertsFormats
  }

  /// The schema of what the lens makes of values that fit another.
  ///
  /// Every value that fits, and that no operation refuses, is taken to a value that fits the result; so may others be.
  public static func schema(
    of lens: Lens, _ direction: LensDirection, appliedTo schema: JSONTree
  ) -> JSONTree {
    let document = SchemaDocument(schema, .inner)
    var run = SchemaLens(document, direction, named: lens.named)
    let result = run.apply(lens, to: root(of: document), at: [])
    return SchemaCopying.tree(of: result, from: document, definitions: run.definitions)
  }

  private static func root(of document: SchemaDocument) -> LensSchema {
    document.place(at: "").map { .source($0) } ?? .anything
  }

  /// What stands in the way; nothing if the lens is proved.
  public func problems() -> [Problem] {
    let document = SchemaDocument(source.tree, .inner)
    var run = SchemaLens(document, direction, named: lens.named)
    let schema = run.apply(lens, to: Self.root(of: document), at: [])
    guard run.faults.isEmpty else { return run.faults.map(Self.problem) }
    var result = lists() + rootLists()
    var options = SchemaContainment.Options(
      assertsFormat: assertsFormats, comparesArchives: false)
    // Another envelope gives objects the classes of its own schema, or has none.
    options.comparesStructure =
      source.envelope == target.envelope
      && (target.envelope == .nscoding || target.envelope == .dictionariable)
    let written = written(schema, from: document, run)
    let proof = SchemaContainment.proof(that: written, isWithin: target.tree, options: options)
    let blame = LensBlame(run.touches)
    var witnesses = LensWitnesses(self)
    for obstacle in proof.obstacles {
      let witness = obstacle.counterexample.flatMap { witnesses.witness(for: $0) }
      // The schemas allow more than what values become: only a value that does become so refutes.
      let isRefuted = obstacle.isRefuted && (witness != nil || lens.isIdentity)
      result.append(
        Problem(
          message: obstacle.reason, path: obstacle.path,
          operation: blame.operation(at: obstacle.path), counterexample: witness,
          isRefuted: isRefuted, isInapplicable: false))
    }
    return result
  }

  /// The schema of what is written in the target's envelope.
  private func written(
    _ schema: LensSchema, from document: SchemaDocument, _ run: SchemaLens
  ) -> JSONTree {
    guard var image = EnvelopeImage(target, from: source.envelope, run.expansion) else {
      return SchemaCopying.tree(of: schema, from: document, definitions: run.definitions)
    }
    let written = image.image(schema)
    return SchemaCopying.tree(
      of: written, from: document, definitions: run.definitions + image.definitions)
  }

  /// A list of models becomes a list of models.
  private func lists() -> [Problem] {
    guard source.allowsList, !target.allowsList else { return [] }
    return [
      Problem(
        message: "it may be a list of models, where one model is allowed", path: "$",
        operation: nil, counterexample: nil, isRefuted: true, isInapplicable: false)
    ]
  }

  /// A list at the root is read as a list of models, so that no lens can give one or take one.
  private func rootLists() -> [Problem] {
    lens.operations(direction).compactMap { operation in
      let message: String
      switch operation.kind.looked(direction) {
      case .wrap(name: nil), .split(name: nil, _), .ungroup(.elements(name: nil, _)):
        message = "it becomes a list at the root, which is read as a list of models"
      case .head(name: nil), .join(name: nil, _), .group(.elements(name: nil, _)):
        message = "a list at the root is read as a list of models"
      default: return nil
      }
      return Problem(
        message: message, path: "$", operation: operation, counterexample: nil, isRefuted: true,
        isInapplicable: true)
    }
  }

  private static func problem(_ fault: SchemaLens.Fault) -> Problem {
    Problem(
      message: fault.message, path: "$" + fault.path.joined(), operation: fault.operation,
      counterexample: nil, isRefuted: !fault.message.hasPrefix("cannot be proved"),
      isInapplicable: true)
  }
}
