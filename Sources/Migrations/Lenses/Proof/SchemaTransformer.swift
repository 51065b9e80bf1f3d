// Applies a lens to a schema: the result of the lens for every value that fits the schema fits the new schema.
//
// A value that an operation refuses has no result. It is a fault of the lens if the schema allows values that are
// refused for their type or their members. It is a fault of the value if, for example, a text is not a number.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas

/// Applies lenses to schemas.
struct SchemaTransformer {
  /// A schema that an operation cannot be applied to.
  struct Fault {
    let operation: LensOperation
    let path: [GraphPath.Step]
    let message: String
    /// Whether it is certain; otherwise the opposite could not be proved.
    let isRefuted: Bool
  }

  /// A change by an operation.
  struct Edit {
    let operation: LensOperation
    let path: [GraphPath.Step]
  }

  private(set) var expansion: SchemaExpansion
  /// How many operations were applied to schemas.
  private var steps = 0
  let direction: LensDirection
  /// The envelope of the results.
  let envelope: Envelope?
  private(set) var faults: [Fault] = []
  private(set) var touches: [Edit] = []
  /// The current operation, to which faults are attributed.
  private var operation = LensOperation(.map(lens: Lens(operations: [])), pointer: "")

  /// The lenses that the file names, and the schemas that they were applied to.
  let named: [String: Lens]
  private var uses: [Use: String] = [:]
  private var depth = 0
  /// The results of named lenses for schemas that refer to themselves.
  private(set) var definitions: [(name: String, schema: LensSchema)] = []

  init(
    _ document: SchemaDocument, _ direction: LensDirection, named: [String: Lens] = [:],
    in envelope: Envelope? = nil
  ) {
    self.envelope = envelope
    expansion = SchemaExpansion(document)
    self.direction = direction
    self.named = named
  }

  /// Names a schema, so that it can refer to itself.
  private mutating func define(_ name: String, _ schema: LensSchema) {
    definitions.append((name, schema))
    expansion.define(name, schema)
  }

  /// Applies a lens to the schema at a path.
  mutating func apply(_ lens: Lens, to schema: LensSchema, at path: [GraphPath.Step]) -> LensSchema
  {
    var schema = schema
    for operation in lens.operations(direction) {
      self.operation = operation
      schema = apply(operation, to: schema, at: path)
    }
    return schema
  }

  /// A limit on the operations on schemas, since lenses that use themselves may multiply.
  private static let stepLimit = 5_000
  private static let mostFaults = 400

  private mutating func apply(
    _ operation: LensOperation, to schema: LensSchema, at path: [GraphPath.Step]
  ) -> LensSchema {
    // With so many faults, no more are needed.
    guard faults.count < Self.mostFaults else { return .anything }
    steps += 1
    guard steps <= Self.stepLimit else {
      faultUnproved("the lens takes too many steps", path)
      return .anything
    }
    switch operation.kind.resolved(for: direction) {
    case .rename(let source, let destination):
      return rename(source, destination, schema, path)
    case .add(let name, let standard): return add(name, standard, schema, path)
    case .remove(let name, _): return remove(name, schema, path)
    case .hoist(let host, let name, let prunes): return hoist(host, name, prunes, schema, path)
    case .plunge(let host, let name, _): return plunge(host, name, schema, path)
    case .wrap(let name): return wrap(name, schema, path)
    case .head(let name): return head(name, schema, path)
    case .in(let name, let lens):
      return member(name, of: schema, path) { this, part, path in
        if let result = this.useOfMember(lens, part, path) {
          this.operation = operation
          return result
        }
        let (present, null) = this.splitNull(part)
        // Nested operations set the current operation.
        let result = this.apply(lens, to: present, at: path)
        this.operation = operation
        return null ? .any(this.shapes(result, path) + [.scalar(.null)]) : result
      }
    case .map(let lens): return map(lens, schema, path, operation)
    case .convert(let name, let conversion):
      guard let name else { return convert(conversion, schema, path) }
      return member(name, of: schema, path) { this, part, path in
        this.convert(conversion, part, path)
      }
    case .archive(let name, let step):
      guard let name else { return takeArchive(step, schema, path) }
      return member(name, of: schema, path) { this, part, path in
        this.takeArchive(step, part, path)
      }
    case .class(let name, _, let new):
      guard let name else { return .any(shapes(schema, path).map { $0.ofClass(new) }) }
      return member(name, of: schema, path) { this, part, path in
        .any(this.shapes(part, path).map { $0.ofClass(new) })
      }
    case .store(let name, let new):
      return member(name, of: schema, path) { this, part, path in
        .any(this.shapes(part, path).map { $0.stored(new) })
      }
    case .use(let name): return use(name, operation, to: schema, at: path)
    case let kind: return applyShape(kind, operation, to: schema, at: path)
    }
  }

  // MARK: Examining values

  /// The shapes of a schema that an operation examines.
  mutating func shapes(_ schema: LensSchema, _ path: [GraphPath.Step]) -> [ValueShape] {
    let result = expansion.shapes(schema)
    if let objection = expansion.objection { faultUnproved(objection, path) }
    return result
  }

  /// Whether the schema has no values, so that the operation cannot fail.
  mutating func hasNoValue(_ schema: LensSchema) -> Bool { expansion.shapes(schema).isEmpty }

  /// Splits a schema into a schema without null, and whether it allows null.
  mutating func splitNull(_ schema: LensSchema) -> (present: LensSchema, allowsNull: Bool) {
    let shapes = expansion.shapes(schema)
    let allowsNull = shapes.contains { $0.kinds.contains(.null) }
    // A schema that is not followed is kept, so that an operation on it reports the problem.
    guard allowsNull, expansion.objection == nil else { return (schema, allowsNull) }
    return (.any(shapes.map { $0.limited(to: .all.subtracting(.null)) }), true)
  }

  /// Changes the members of objects; a value other than an object is a fault.
  mutating func objects(
    _ schema: LensSchema, _ path: [GraphPath.Step],
    change: (inout SchemaTransformer, inout MemberShape) -> Void
  ) -> LensSchema {
    let shapes = shapes(schema, path)
    faultKinds(of: shapes, beside: .object, "an object", path)
    var result: [ValueShape] = []
    for var shape in shapes where !shape.kinds.isDisjoint(with: .object) {
      shape.kinds = .dictionary
      shape.rules = shape.structureRules
      change(&self, &shape.members)
      result.append(shape)
    }
    return .any(result)
  }

  /// Changes the schema of a member; it is a fault if no shape has it.
  mutating func member(
    _ name: String, of schema: LensSchema, _ path: [GraphPath.Step],
    change: (inout SchemaTransformer, LensSchema, [GraphPath.Step]) -> LensSchema
  ) -> LensSchema {
    let inside = path + [.key(name)]
    var isKnown = hasNoValue(schema)
    let result = objects(schema, path) { this, members in
      guard members.mayHave(name) else { return }
      isKnown = true
      members.replace(name, change(&this, members.schema(of: name), inside))
    }
    if !isKnown { faultMissing(name, path) }
    return result
  }

  // MARK: Faults

  mutating func touch(_ path: [GraphPath.Step]) {
    touches.append(Edit(operation: operation, path: path))
  }

  mutating func fault(
    _ message: String, _ path: [GraphPath.Step], isRefuted: Bool = true
  ) {
    let isKnown = faults.contains {
      $0.operation.pointer == operation.pointer && $0.message == message && $0.path == path
    }
    if isKnown { return }
    faults.append(
      Fault(operation: operation, path: path, message: message, isRefuted: isRefuted))
  }

  /// Reports what could not be proved.
  mutating func faultUnproved(_ what: String, _ path: [GraphPath.Step]) {
    fault("cannot be proved: \(what)", path, isRefuted: false)
  }

  mutating func faultMissing(_ name: String, _ path: [GraphPath.Step]) {
    faultMissing("no member '\(name)'", at: path)
  }

  /// Reports that the operation's target is missing, unless the cause was already reported.
  mutating func faultMissing(_ message: String, at path: [GraphPath.Step]) {
    let isReported = faults.contains {
      $0.operation.pointer == operation.pointer && $0.path.starts(with: path)
    }
    if !isReported { fault(message, path) }
  }

  /// Reports a fault if values may be of kinds that an operation does not accept.
  mutating func faultKinds(
    of shapes: [ValueShape], beside kinds: ValueKinds, _ wanted: String, _ path: [GraphPath.Step]
  ) {
    // It was already reported that the schema is not followed.
    if expansion.objection != nil { return }
    let others = shapes.reduce(into: ValueKinds()) { $0.formUnion($1.kinds) }.subtracting(kinds)
    if !others.isEmpty { fault("it may be \(others.description), but \(wanted) is required", path) }
  }

  mutating func apply(
    _ lens: Lens, to schema: LensSchema, at path: [GraphPath.Step], within operation: LensOperation
  ) -> LensSchema {
    let result = apply(lens, to: schema, at: path)
    self.operation = operation
    return result
  }
}

extension LensSchema {
  /// The disjunction of two schemas.
  func or(_ other: LensSchema, in lens: inout SchemaTransformer, _ path: [GraphPath.Step])
    -> LensSchema
  {
    .any(lens.shapes(self, path) + lens.shapes(other, path))
  }
}

// MARK: - Named lenses, applied to schemas; recursively if schemas refer to themselves

extension SchemaTransformer {
  /// A lens and the schema that it is applied to.
  struct Use: Hashable {
    let name: String
    let place: Subschema
    /// Whether null is unchanged, as in a member.
    fileprivate let sparesNull: Bool
  }

  /// The nesting limit for lenses that use themselves.
  private static let useLimit = 30

  /// Applies a named lens; the result for the same schema is always the same.
  fileprivate mutating func use(
    _ name: String, _ operation: LensOperation, to schema: LensSchema, at path: [GraphPath.Step],
    sparesNull: Bool = false
  ) -> LensSchema {
    guard let lens = named[name] else { return schema }
    guard depth < Self.useLimit else {
      faultUnproved("the lens is used too deep in itself", path)
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

  /// The result of `in` for a member if its only operation is to use a named lens; nil if it does more.
  ///
  /// Without this method, a schema that allows null and refers to itself would not be recognized when it appears again.
  private mutating func useOfMember(
    _ lens: Lens, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema? {
    guard lens.operations.count == 1, let operation = lens.operations.first,
      case .use(let name) = operation.kind, case .source = schema
    else { return nil }
    return use(name, operation, to: schema, at: path, sparesNull: true)
  }
}

// MARK: - The operation on archives in data values, applied to schemas: it changes the version that `x-archived` names

extension SchemaTransformer {
  /// The result for data that contains an archive of one version.
  private mutating func takeArchive(
    _ step: ArchiveStep, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    touch(path)
    let (source, target) = step.labels
    let shapes = shapes(schema, path)
    var result: [ValueShape] = []
    if shapes.contains(where: { $0.kinds.contains(.null) }) { result.append(.scalar(.null)) }
    let present = shapes.map { $0.limited(to: .all.subtracting(.null)) }.filter { !$0.isEmpty }
    faultKinds(of: present, beside: .data, "data with an archive", path)
    for shape in present where shape.kinds.contains(.data) {
      let isKnown = shape.values(of: "x-archived").contains {
        SchemaLibrary.label(ofReference: $0) == source
      }
      if !isKnown {
        fault("its schema does not declare an archive of \(source) ('x-archived')", path)
      }
      result.append(shape.limited(to: .data).holding(target))
    }
    return .any(result)
  }
}
