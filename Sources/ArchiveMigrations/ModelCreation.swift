// Creates an archive from a service's JSON answer.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import KeyedArchives

/// Creates archives of a version from JSON.
package struct ModelCreation {
  /// The version to create.
  package let version: SchemaVersion
  /// Its family.
  package let family: SchemaFamily
  /// The text of the member with the time when the answer was fetched.
  package let stamp: String
  /// The class of the root object if the envelope is `nscoding`.
  package let className: String?

  /// Makes a creation.
  package init(
    version: SchemaVersion, family: SchemaFamily, stamp: String, className: String? = nil
  ) {
    self.version = version
    self.family = family
    self.stamp = stamp
    self.className = className
  }

  /// The result for an answer.
  package enum Outcome: ~Copyable {
    /// The archive's bytes.
    case made(ByteBuffer)
    /// The violations of the version's schema.
    case refused([Diagnostic])
  }

  /// Creates an archive.
  ///
  /// Members of the answer that the model does not have are left out.
  ///
  /// - Parameter storage: the answer: a model, or the plain list that the family's model contains.
  /// - Throws: `ArchiveError` if the answer cannot be read.
  package func run(_ storage: ByteStorage) throws(ArchiveError) -> Outcome {
    let stored = try ArchiveReader().read(storage)
    let answer = try untagged(stored)
    if let violation = errorPayload(answer) { return .refused([located(violation, in: stored)]) }
    let model = try modelGraph(answer)
    let violations = try version.validate(model.root, in: model, family: family)
    guard violations.isEmpty else {
      return .refused(violations.map { located($0, in: stored) })
    }
    return .made(
      try version.archive(
        of: model.root, in: model, className: className ?? version.newRootClass))
  }

  /// The answer; typed JSON is decoded to the values that it represents.
  private func untagged(_ graph: ObjectGraph) throws(ArchiveError) -> ObjectGraph {
    guard graph.documents[0].encoding == .json, graph.documents[0].archive == nil else {
      return graph
    }
    return try graph.untagged()
  }

  /// A violation of the model with the offset of its value in the answer, or of the innermost one around it.
  private func located(_ violation: Diagnostic, in stored: ObjectGraph) -> Diagnostic {
    var violation = violation
    var path = violation.path ?? GraphPath()
    if case .array = stored.value(of: stored.root), !path.steps.isEmpty {
      // The list is a member of the model.
      path.steps.removeFirst()
    }
    violation.offset = stored.fileOffset(near: path)
    return violation
  }

  /// What becomes of null: services also write it for members that are absent.
  private var nulls: CodableCopy.Nulls {
    version.envelope?.hasNull == true ? .keptWhereAllowed : .keptInLists
  }

  /// The answer as a model, with the dates and data that the version's schema specifies for texts.
  ///
  /// A plain list becomes the member that the family names for it.
  private func modelGraph(_ answer: ObjectGraph) throws(ArchiveError) -> ObjectGraph {
    var root = answer.root
    if let creation = family.creation, case .array = answer.value(of: root) {
      root = answer.add(
        .members([(creation.stamp, .string(stamp)), (creation.list, .node(root))]), near: root)
    }
    let (schema, envelope) = (version.schema, version.envelope)
    let read = JSONDecodedModel.root(
      of: root, in: answer, shape: schema,
      coding: envelope == .json
        ? schema.jsonCoding : JSONCoding(dates: .iso8601, readsFractions: true),
      hasClasses: envelope?.isOfObjects == true)
    let graph = ObjectGraph(limits: answer.limits)
    _ = graph.add(
      try CodableCopy.copy(read, of: answer, shape: schema, unknown: .drop, nulls: nulls))
    if root != answer.root, case .dictionary(let pairs) = graph.value(of: graph.root),
      pairs.count < 2
    {
      throw ArchiveError(
        .unrepresentable, "the schema lacks a member that the family names for lists",
        path: GraphPath())
    }
    return graph
  }

  private func errorPayload(_ answer: ObjectGraph) -> Diagnostic? {
    guard case .dictionary = answer.value(of: answer.root) else { return nil }
    return (try? version.validate(answer.root, in: answer, family: family))?
      .first { $0.rule == "error-payload" }
  }
}
