// `x-archived`: a schema for the model of the archive that a data value holds.

import Basics
import KeyedArchives
import PropertyLists

/// What a data value must hold.
final class ArchivedRule {
  /// The envelope and what else holds for the archive.
  let archive: ArchiveRule
  /// The schema of the model.
  let model: Edge
  /// The schema of a list of models, where the root may be one.
  let list: Edge?
  /// What the schema calls the archive: `Influence@v1`; empty for one that has no name.
  let name: String

  init(archive: ArchiveRule, model: Edge, list: Edge?, name: String) {
    self.archive = archive
    self.model = model
    self.list = list
    self.name = name
  }
}

extension SchemaCompiler {
  /// Takes the schema of an archive in data.
  mutating func applyArchived(
    _ place: SchemaLocation, to node: inout SchemaNode
  ) throws(ArchiveError) {
    let target = try archiveSchema(place)
    let archive = try ArchiveRule(target.tree["x-archive"], isNeeded: true)
    if archive.envelope == .json {
      throw problem("'x-archived' leads to a schema of JSON, which is no archive", place)
    }
    let model = try edge(to: place, "/x-archived")
    var list: Edge?
    if archive.allowsList { list = Edge(place: addList(of: model, like: place), pointer: "") }
    node.applicators.append(
      .archived(
        ArchivedRule(
          archive: archive, model: model, list: list,
          name: SchemaLibrary.label(place.tree["$ref"]?.string ?? "") ?? "")))
  }

  /// The schema that tells the envelope: the one of the keyword, or the one that it refers to.
  private func archiveSchema(_ start: SchemaLocation) throws(ArchiveError) -> SchemaLocation {
    var location = start
    for _ in 0..<64 {
      guard location.tree.members != nil else { break }
      if location.tree["x-archive"] != nil { return location }
      guard let reference = location.tree["$ref"]?.string else { break }
      location = try resolve(reference, location).location
    }
    throw problem(
      "'x-archived' takes a schema with 'x-archive', or a reference to one such as {\"$ref\": \"NAME@VERSION\"}",
      start)
  }
}
