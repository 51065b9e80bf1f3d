// The operations on members, applied to schemas.

import Basics
import ObjectGraph
import PropertyLists
import Schemas

extension SchemaTransformer {
  mutating func rename(
    _ source: String, _ destination: String, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    var isKnown = hasNoValue(schema)
    let result = objects(schema, path) { this, members in
      this.faultTaken(destination, members, path)
      guard members.mayHave(source) else { return }
      isKnown = true
      members.rename(source, to: destination)
    }
    if !isKnown { faultMissing(source, path) }
    touch(path + [.key(source)])
    touch(path + [.key(destination)])
    return result
  }

  mutating func add(
    _ name: String, _ standard: JSONTree?, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    touch(path + [.key(name)])
    return objects(schema, path) { this, members in
      this.faultTaken(name, members, path)
      if let standard {
        members.insert(
          name, .any([ShapeReading.newShape(of: SyntheticValue(standard))]), isRequired: true)
      } else {
        let least = members.least
        members.take(name)
        members.least = least
      }
    }
  }

  mutating func remove(
    _ name: String, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    var isKnown = hasNoValue(schema)
    let result = objects(schema, path) { _, members in
      isKnown = isKnown || members.mayHave(name)
      members.take(name)
    }
    if !isKnown { faultMissing(name, path) }
    touch(path + [.key(name)])
    return result
  }

  /// Reports a fault if a member may already exist, even as one that the schema does not name.
  mutating func faultTaken(_ name: String, _ members: MemberShape, _ path: [GraphPath.Step]) {
    guard members.mayHave(name) else { return }
    let isNamed = members.names(name) || members.requires(name)
    let remedy =
      isNamed
      ? ""
      : " as an additional member (\"\(name)\": false in 'properties' excludes it)"
    fault("there may be a member '\(name)' already\(remedy)", path + [.key(name)])
  }

  // MARK: Members of members

  mutating func hoist(
    _ host: String, _ name: String, _ prunes: Bool, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    let inside = path + [.key(host)]
    var isKnown = hasNoValue(schema)
    let result = objects(schema, path) { this, members in
      guard members.mayHave(host) else { return }
      let (present, allowsNull) = this.splitNull(members.schema(of: host))
      let shapes = this.shapes(present, inside)
      this.faultKinds(of: shapes, beside: .object, "an object", inside)
      var hosts: [ValueShape] = []
      var taken: [LensSchema] = []
      var isRequired = members.requires(host) && !allowsNull
      var staysThere = true
      for var shape in shapes where !shape.kinds.isDisjoint(with: .object) {
        shape.kinds = .dictionary
        isRequired = isRequired && shape.members.requires(name)
        if shape.members.mayHave(name) {
          taken.append(shape.members.schema(of: name))
          shape.members.take(name)
        }
        // An object that is empty after the operation is removed, even if it was empty before.
        if prunes {
          staysThere = staysThere && !shape.members.required.isEmpty
          shape.members.least = max(shape.members.least, 1)
          if shape.members.isEmpty { continue }
        }
        hosts.append(shape)
      }
      if allowsNull { hosts.append(.scalar(.null)) }
      guard !taken.isEmpty else { return }
      isKnown = true
      let value = LensSchema.any(taken.flatMap { this.shapes($0, inside + [.key(name)]) })
      this.faultTaken(name, members, path)
      if hosts.isEmpty {
        members.take(host)
      } else {
        members.replace(host, .any(hosts))
        if !staysThere { members.makeOptional(host) }
      }
      members.insert(name, value, isRequired: isRequired)
    }
    if !isKnown { faultMissing("no member '\(host)' with a member '\(name)'", at: path) }
    for place in [inside, inside + [.key(name)], path + [.key(name)]] {
      touch(place)
    }
    return result
  }

  mutating func plunge(
    _ host: String, _ name: String, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    let inside = path + [.key(host)]
    var isKnown = hasNoValue(schema)
    let result = objects(schema, path) { this, members in
      guard members.mayHave(name) else { return }
      isKnown = true
      let value = members.schema(of: name)
      let isRequired = members.requires(name)
      members.take(name)
      var fresh = ShapeReading.object([(name, value)])
      fresh.isNew = true
      guard members.mayHave(host) else {
        members.insert(host, .any([fresh]), isRequired: isRequired)
        return
      }
      let (present, allowsNull) = this.splitNull(members.schema(of: host))
      let shapes = this.shapes(present, inside)
      this.faultKinds(of: shapes, beside: .object, "an object", inside)
      var hosts: [ValueShape] = []
      for var shape in shapes where !shape.kinds.isDisjoint(with: .object) {
        this.faultTaken(name, shape.members, inside)
        shape.kinds = .dictionary
        shape.members.insert(name, value, isRequired: isRequired)
        hosts.append(shape)
      }
      if allowsNull, !isRequired { hosts.append(.scalar(.null)) }
      let isThere = members.requires(host)
      if allowsNull || !isThere { hosts.append(fresh) }
      members.replace(host, .any(hosts))
      if isRequired, !isThere { members.insert(host, .any(hosts), isRequired: true) }
      if !isThere { members.most = members.most.map { $0 == .max ? $0 : $0 + 1 } }
    }
    if !isKnown { faultMissing(name, path) }
    for place in [path + [.key(name)], inside, inside + [.key(name)]] {
      touch(place)
    }
    return result
  }
}

// MARK: - The operations that change the shape of a value, applied to schemas

extension SchemaTransformer {
  /// Applies an operation in its direction.
  mutating func applyShape(
    _ kind: LensOperation.Kind, _ operation: LensOperation, to schema: LensSchema,
    at path: [GraphPath.Step]
  ) -> LensSchema {
    switch kind {
    case .default(let name, let standard):
      return direction == .forward ? fill(name, standard, schema, path) : schema
    case .nullable(let name, let becomesAbsent):
      return becomesAbsent ? dropNull(name, schema, path) : giveNull(name, schema, path)
    case .copy(let source, let destination): return copy(source, destination, schema, path)
    case .split(let name, _):
      return value(name, schema, path) { this, part, path in this.split(part, path) }
    case .join(let name, _):
      return value(name, schema, path) { this, part, path in this.join(part, path) }
    case .nest(let name, let member):
      return value(name, schema, path) { this, part, path in
        this.touch(path)
        var object = ShapeReading.object([(member, part)])
        object.isNew = true
        return .any([object])
      }
    case .pluck(let name, let member):
      return value(name, schema, path) { this, part, path in this.pluck(member, part, path) }
    case .group(let grouping): return group(grouping, schema, path)
    case .ungroup(let grouping): return ungroup(grouping, schema, path)
    case .when(let condition, let after, let lens):
      return when(condition, after, lens, operation, schema, path)
    default: return schema
    }
  }

  /// Changes the schema of a member, or without a name of the value itself; null is unchanged.
  mutating func value(
    _ name: String?, _ schema: LensSchema, _ path: [GraphPath.Step],
    change: (inout SchemaTransformer, LensSchema, [GraphPath.Step]) -> LensSchema
  ) -> LensSchema {
    guard let name else { return changed(schema, path, change) }
    return member(name, of: schema, path) { this, part, path in this.changed(part, path, change) }
  }

  private mutating func changed(
    _ schema: LensSchema, _ path: [GraphPath.Step],
    _ change: (inout SchemaTransformer, LensSchema, [GraphPath.Step]) -> LensSchema
  ) -> LensSchema {
    let (present, allowsNull) = splitNull(schema)
    if hasNoValue(present) { return schema }
    let result = change(&self, present, path)
    return allowsNull ? .any(shapes(result, path) + [.scalar(.null)]) : result
  }

  // MARK: Defaults and null

  private mutating func fill(
    _ name: String, _ standard: JSONTree, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    let inside = path + [.key(name)]
    touch(inside)
    let given = ShapeReading.newShape(of: SyntheticValue(standard))
    return objects(schema, path) { this, members in
      guard members.mayHave(name) else {
        members.insert(name, .any([given]), isRequired: true)
        return
      }
      let isThere = members.requires(name)
      let (present, allowsNull) = this.splitNull(members.schema(of: name))
      if isThere, !allowsNull { return }
      let whole = LensSchema.any(this.shapes(present, inside) + [given])
      if isThere {
        members.replace(name, whole)
      } else {
        members.insert(name, whole, isRequired: true)
      }
    }
  }

  private mutating func dropNull(
    _ name: String, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    touch(path + [.key(name)])
    var isKnown = hasNoValue(schema)
    let result = objects(schema, path) { this, members in
      guard members.mayHave(name) else { return }
      isKnown = true
      let (present, allowsNull) = this.splitNull(members.schema(of: name))
      guard allowsNull else { return }
      if this.hasNoValue(present) {
        members.take(name)
      } else {
        members.replace(name, present)
        members.makeOptional(name)
      }
    }
    if !isKnown { faultMissing(name, path) }
    return result
  }

  private mutating func giveNull(
    _ name: String, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    let inside = path + [.key(name)]
    touch(inside)
    return objects(schema, path) { this, members in
      guard members.mayHave(name) else {
        members.insert(name, .any([.scalar(.null)]), isRequired: true)
        return
      }
      if members.requires(name) { return }
      let whole = LensSchema.any(
        this.shapes(members.schema(of: name), inside) + [.scalar(.null)])
      members.insert(name, whole, isRequired: true)
    }
  }

  // MARK: Copies

  private mutating func copy(
    _ source: String, _ destination: String, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    touch(path + [.key(destination)])
    var isKnown = hasNoValue(schema)
    let result = objects(schema, path) { this, members in
      this.faultTaken(destination, members, path)
      guard members.mayHave(source) else { return }
      isKnown = true
      members.insert(
        destination, members.schema(of: source), isRequired: members.requires(source))
    }
    if !isKnown { faultMissing(source, path) }
    return result
  }

  // MARK: Texts

  private mutating func split(_ schema: LensSchema, _ path: [GraphPath.Step]) -> LensSchema {
    touch(path)
    faultText(shapes(schema, path), path)
    return .any([
      ValueShape(kinds: .array, elements: ElementShape(rest: .any([.scalar(.text)])), isNew: true)
    ])
  }

  private mutating func join(_ schema: LensSchema, _ path: [GraphPath.Step]) -> LensSchema {
    touch(path)
    let lists = shapes(schema, path)
    faultKinds(of: lists, beside: .array, "a list", path)
    for list in lists where list.kinds.contains(.array) && list.elements.most != 0 {
      let elements = list.elements
      for element in elements.prefix + (elements.rest.isNothing ? [] : [elements.rest]) {
        let inside = path + [.anyElement]
        faultText(shapes(element, inside), inside)
      }
    }
    return .any([.scalar(.text)])
  }

  /// A string is text, unless its schema specifies that it is a date or data.
  private mutating func faultText(_ shapes: [ValueShape], _ path: [GraphPath.Step]) {
    let isText = shapes.allSatisfy { $0.kinds.contains(.text) }
    faultKinds(of: shapes, beside: isText ? .string : .text, "text", path)
  }

  // MARK: Objects of one member

  private mutating func pluck(
    _ member: String, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    touch(path)
    let shapes = shapes(schema, path)
    faultKinds(of: shapes, beside: .object, "an object", path)
    var result: [ValueShape] = []
    for shape in shapes where !shape.kinds.isDisjoint(with: .object) {
      if !shape.members.requires(member) {
        fault("it may have no member '\(member)'", path)
      }
      guard shape.members.mayHave(member) else { continue }
      result += self.shapes(shape.members.schema(of: member), path + [.key(member)])
    }
    return .any(result)
  }
}
