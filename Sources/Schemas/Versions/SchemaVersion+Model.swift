// The model of a version in an archive: in JSON, what JSONDecoder would make of it.

import KeyedArchives
import ObjectGraph

extension SchemaVersion {
  /// A model as this version reads it: dates and data in JSON are such from then on.
  ///
  /// - Parameter model: a model whose envelope was taken off.
  public func model(_ model: UnwrappedModel, in graph: ObjectGraph) -> UnwrappedModel {
    guard model.envelope == .json, envelope == .json, schema.isRespelled else { return model }
    return model.replacingRoot(
      JSONDecodedModel.root(
        of: model.root, in: graph, shape: schema, coding: schema.jsonCoding))
  }

  /// The names that the members of a model in JSON have to this version.
  func memberNames(_ names: Set<String>) -> Set<String> {
    guard envelope == .json, schema.jsonCoding.hasSnakeCaseKeys else { return names }
    return Set(
      names.map { name in
        let camel = JSONCoding.camelCase(name)
        return schema.members.contains(camel) ? camel : name
      })
  }
}
