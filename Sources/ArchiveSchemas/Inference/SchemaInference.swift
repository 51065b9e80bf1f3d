// Derives a schema from example archives; all of them fit it.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// Derives a schema from examples.
///
/// Each example is examined once and then discarded: the retained data is as large as the schema. The order of the
/// examples makes no difference.
package struct SchemaInference: Sendable {
  /// Which conclusions are drawn.
  package let options: Options
  /// How many examples there were.
  package private(set) var exampleCount = 0
  /// The top-level key of all examples; nil if the keys are the members of the model.
  private var topKey: String?
  /// The envelope of all examples; nil before the first.
  package private(set) var envelope: Envelope?

  private var tree: ObservationTree
  private var classNames: Set<ClassName> = []

  /// Makes an inference without examples.
  package init(options: Options = Options()) {
    self.options = options
    tree = ObservationTree(enumValues: options.enumValues)
  }

  /// Examines an example.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` for an archive without an envelope that a schema can name,
  ///   `mismatch` for another envelope than that of the earlier examples, `cycle` for a plain value that contains
  ///   itself, `limit` for a model that is too deep or has too many different locations. The example then has no
  ///   effect.
  package mutating func add(_ graph: ObjectGraph) throws(ArchiveError) {
    guard let model = graph.unwrapModel() else {
      throw ArchiveError(
        .unsupported,
        "the archive has no envelope that a schema can name: one top-level object is expected",
        offset: graph.fileOffset(of: graph.root), path: GraphPath())
    }
    try requireSame(model.envelope, topKey: model.topKey)
    var walk = ObservationWalk(graph, tree, options)
    try walk.run(model.root)
    tree = walk.tree
    envelope = model.envelope
    topKey = model.topKey
    if let name = model.className { classNames.insert(name) }
    exampleCount += 1
  }

  /// Adds the examples of another inference with the same options.
  ///
  /// - Throws: `ArchiveError` with code `mismatch` for examples of another envelope. They then have no effect.
  package mutating func merge(_ other: SchemaInference) throws(ArchiveError) {
    guard let found = other.envelope else { return }
    try requireSame(found, topKey: other.topKey)
    tree.merge(other.tree)
    envelope = found
    topKey = other.topKey
    classNames.formUnion(other.classNames)
    exampleCount += other.exampleCount
  }

  private func requireSame(_ found: Envelope, topKey key: String?) throws(ArchiveError) {
    if let envelope, envelope != found {
      throw ArchiveError(
        .mismatch,
        "the envelope is \(found.rawValue), that of the examples before is "
          + "\(envelope.rawValue); a schema has one", path: GraphPath())
    }
    if envelope != nil, topKey != key {
      throw ArchiveError(
        .mismatch, "the top-level key is not that of the examples before; a schema has one",
        path: GraphPath())
    }
  }

  /// The schema that all examples fit.
  ///
  /// - Parameters:
  ///   - family: the name of the family that the schema belongs to.
  ///   - version: the version's name: `v1`.
  ///   - title: a description of the model; nil for family and version.
  /// - Throws: `ArchiveError` if there was no example.
  package func schema(
    family: String, version: String, title: String? = nil
  ) throws(ArchiveError) -> JSONTree {
    guard let envelope else {
      throw ArchiveError(.unsupported, "a schema needs at least one example")
    }
    var emission = SchemaEmission(tree, options, family: family)
    let body = emission.body()
    let archive = ObservedArchives.archive(
      envelope, topKey: topKey, classNames: classNames, isList: emission.isList,
      foundations: tree.foundations)
    return .members(
      [
        ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        ("$id", .string("urn:archtool:\(family):\(version)")),
        ("title", .string(title ?? "\(family) \(version)")),
        ("x-archive", archive),
      ] + body)
  }
}

// MARK: - Which conclusions are drawn from examples, and how many examples each one needs

extension SchemaInference {
  /// Which conclusions are drawn from examples.
  package struct Options: Sendable {
    /// The formats that strings are usually tested for, the narrower before the wider.
    ///
    /// `hostname` is not included: most single words are valid host names.
    package static let usualFormats: [StringFormat] = [
      .dateTime, .date, .time, .uuid, .email, .ipv4, .ipv6, .uri,
    ]

    /// Whether objects may have members that no example has.
    package var isOpen = false
    /// Whether lengths, counts and numbers are limited to the observed range.
    package var hasRanges = false
    /// How many different strings an `enum` may have; 0 for no `enum` at all.
    package var enumValues = 8
    /// How often each string of an `enum` must have occurred.
    package var enumRepetitions = 3
    /// How many strings must have occurred at a location before an `enum` is derived.
    package var enumObservations = 20
    /// How many strings must have occurred at a location, all of one format, before the format is required.
    package var formatObservations = 3
    /// The formats that strings are tested for.
    package var formats: [StringFormat] = []
    /// How many different names the dictionaries at a location must have to be a map rather than a record.
    ///
    /// No name may occur in more than half of them, and all values must have one shape.
    package var mapNames = 16

    /// Makes the default options.
    package init() {}
  }
}
