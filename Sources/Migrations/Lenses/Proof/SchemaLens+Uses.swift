// Lenses that a file names, applied to schemas: within themselves as well, where schemas refer to themselves.

import PropertyLists
import Schemas

extension SchemaLens {
  /// A lens and the schema that it is applied to.
  struct Use: Hashable {
    let name: String
    let place: SchemaPlace
  }

  /// Deeper in themselves lenses are not followed.
  private static let useLimit = 30

  /// Applies a named lens; to the same schema again it gives the same.
  mutating func use(
    _ name: String, _ operation: LensOperation, to schema: LensSchema, at path: [String]
  ) -> LensSchema {
    guard let lens = named[name] else { return schema }
    guard depth < Self.useLimit else {
      fault("cannot be proved: the lens is used too deep in itself", path)
      return .anything
    }
    depth += 1
    defer { depth -= 1 }
    guard case .source(let place) = schema else {
      return apply(lens, to: schema, at: path, within: operation)
    }
    let use = Use(name: name, place: place)
    if let known = uses[use] { return .defined(known) }
    let definition = "lens\(uses.count)"
    uses[use] = definition
    let result = apply(lens, to: schema, at: path, within: operation)
    define(definition, result)
    return .defined(definition)
  }
}
