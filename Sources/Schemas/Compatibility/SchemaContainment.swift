// Proves that every value that fits one schema fits another; a positive answer is never wrong.
//
// Source: JSON Schema 2020-12, Core and Validation. `x-plist-type` refines the type; data and dates are strings, and
// UIDs objects, to all other keywords. Values are finite trees.

import Basics
import PropertyLists

/// Proofs that one schema contains another.
public enum SchemaContainment {
  /// How schemas are interpreted.
  public struct Options: Sendable {
    /// Whether `format` is treated as an assertion; JSON Schema leaves this open, so true is the careful choice.
    public var assertsFormat: Bool
    /// Whether `x-archive` of the documents' roots is compared.
    public var comparesArchives: Bool
    /// Whether the classes and the storage of an archive's objects are compared.
    public var comparesStructure = true
    /// How many steps a proof may take; beyond that, nothing is proved.
    public var stepLimit: Int

    /// Makes options.
    public init(
      assertsFormat: Bool = true, comparesArchives: Bool = true, stepLimit: Int = 10_000
    ) {
      self.assertsFormat = assertsFormat
      self.comparesArchives = comparesArchives
      self.stepLimit = stepLimit
    }
  }

  /// An obstacle to a proof.
  package struct Obstacle: Sendable {
    /// The keyword of the outer schema that is not known to hold.
    package let keyword: String
    /// The location in the inner schema, a JSON Pointer.
    package let innerPointer: String
    /// The location of the keyword in the outer schema, a JSON Pointer.
    package let outerPointer: String
    /// The path in the model: `$.topCityWeathers[*].Temperature`.
    package let path: GraphPath
    /// What is not known to hold, as a sentence.
    package let reason: String
    /// Whether a value at the path is known to fit the inner schema there but not the outer.
    package internal(set) var isRefuted: Bool
    /// A whole value that fits the inner schema but not the outer, if one was easy to find.
    package internal(set) var counterexample: JSONTree?
    /// How many levels deep the path is, so that a value is wrapped once per level.
    var levels = 0
  }

  /// The result of a proof.
  package enum Result: Sendable {
    /// Every value that fits the inner schema fits the outer.
    case proved
    /// It is false, or cannot be proved; at least one obstacle.
    case open([Obstacle])

    /// Whether every value that fits the inner schema fits the outer.
    package var isProved: Bool { if case .proved = self { true } else { false } }

    /// The obstacles; empty if there are none.
    package var obstacles: [Obstacle] {
      if case .open(let obstacles) = self { obstacles } else { [] }
    }
  }

  /// Proves that every value that fits one schema fits another.
  ///
  /// - Parameters:
  ///   - inner: the document with the schema whose values are to be contained.
  ///   - innerPointer: the JSON Pointer of that schema; empty for the document itself.
  ///   - outer: the document with the schema that is to contain them.
  ///   - outerPointer: the JSON Pointer of that schema.
  ///   - options: how schemas are interpreted.
  package static func proof(
    that inner: JSONTree, at innerPointer: String = "", isWithin outer: JSONTree,
    at outerPointer: String = "", options: Options = Options()
  ) -> Result {
    let documents = SchemaDocuments(inner: inner, outer: outer, options: options)
    guard let inner = documents.inner.place(at: innerPointer) else {
      return .open([missing(innerPointer, "inner", innerPointer, outerPointer)])
    }
    guard let outer = documents.outer.place(at: outerPointer) else {
      return .open([missing(outerPointer, "outer", innerPointer, outerPointer)])
    }
    var prover = ContainmentProver(documents)
    let obstacles = prover.obstacles(
      Conjunction([inner]), within: outer, ProofLocation(path: GraphPath(), levels: 0))
    return obstacles.isEmpty ? .proved : .open(obstacles)
  }

  private static func missing(
    _ pointer: String, _ which: String, _ inner: String, _ outer: String
  ) -> Obstacle {
    Obstacle(
      keyword: "$ref", innerPointer: inner, outerPointer: outer, path: GraphPath(),
      reason: "the \(which) schema has no location '\(pointer)'", isRefuted: false,
      counterexample: nil
    )
  }
}

// MARK: - Whether one value may fit two schemas: proved for all values of one, or shown by a generated value

/// Values that two schemas have in common.
package enum SchemaOverlap {
  /// The largest number of generated values.
  private static let valueLimit = 64

  /// Values that are known to fit both schemas; empty if none was easy to find.
  ///
  /// An empty result does not mean that the schemas have no value in common.
  package static func values(of one: JSONTree, and other: JSONTree) -> [JSONTree] {
    let documents = SchemaDocuments(
      inner: one, outer: other, options: SchemaContainment.Options(comparesArchives: false))
    guard let inner = documents.inner.place(at: ""), let outer = documents.outer.place(at: "")
    else {
      return []
    }
    var maker = ValueMaker(documents)
    return Array(
      maker.values(fitting: Conjunction([inner, outer]), against: nil).prefix(valueLimit))
  }
}

// MARK: - The terms of schema registries for the effect of a new version on readers and values of the old one
//
// Source: Apache Avro 1.11 specification, "Schema Resolution"; Confluent Schema Registry documentation, "Schema
// Evolution and Compatibility".

/// How compatible two versions of a schema are.
public enum Compatibility: String, Sendable, CaseIterable {
  /// Backward and forward.
  case full
  /// Readers with the new schema can read every value written under the old one.
  case backward
  /// Readers with the old schema can read every value written under the new one.
  case forward
  /// Neither.
  case none

  /// Names a compatibility by the directions that hold.
  public init(isBackward: Bool, isForward: Bool) {
    switch (isBackward, isForward) {
    case (true, true): self = .full
    case (true, false): self = .backward
    case (false, true): self = .forward
    case (false, false): self = .none
    }
  }
}
