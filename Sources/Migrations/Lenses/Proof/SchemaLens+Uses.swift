// Lenses that a file names, applied to schemas: within themselves as well, where schemas refer to themselves.

import Schemas

extension SchemaLens {
  /// A lens and the schema that it is applied to.
  struct Use: Hashable {
    let name: String
    let place: SchemaPlace
    /// Whether null stays null, as in a member.
    let sparesNull: Bool
  }

  /// Deeper in themselves lenses are not followed.
  private static let useLimit = 30

  /// Applies a named lens; to the same schema again it gives the same.
  mutating func use(
    _ name: String, _ operation: LensOperation, to schema: LensSchema, at path: [String],
    sparesNull: Bool = false
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
    let use = Use(name: name, place: place, sparesNull: sparesNull)
    if let known = uses[use] { return .defined(known) }
    let definition = "lens\(uses.count)"
    uses[use] = definition
    var (present, allowsNull) = (schema, false)
    if sparesNull { (present, allowsNull) = splitNull(schema) }
    var result = apply(lens, to: present, at: path, within: operation)
    if allowsNull { result = .any(shapes(result, path) + [.scalar(.null)]) }
    define(definition, result)
    return .defined(definition)
  }

  /// What `in` makes of a member where all that it does is to use a named lens: so that a schema which allows null and
  /// refers to itself is met again; nil where `in` does more.
  mutating func useOfMember(
    _ lens: Lens, _ schema: LensSchema, _ path: [String]
  ) -> LensSchema? {
    guard lens.operations.count == 1, let operation = lens.operations.first,
      case .use(let name) = operation.kind, case .source = schema
    else { return nil }
    return use(name, operation, to: schema, at: path, sparesNull: true)
  }
}
