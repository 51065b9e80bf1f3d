// The operations on members, applied to schemas.

import ObjectGraph
import PropertyLists
import Schemas

extension SchemaLens {
  mutating func rename(
    _ source: String, _ destination: String, _ schema: LensSchema, _ path: [String]
  ) -> LensSchema {
    var isKnown = hasNoValue(schema)
    let result = objects(schema, path) { this, members in
      this.faultTaken(destination, members, path)
      guard members.mayHave(source) else { return }
      isKnown = true
      members.rename(source, to: destination)
    }
    if !isKnown { faultMissing(source, path) }
    touch(path + [ModelPath.step(source)])
    touch(path + [ModelPath.step(destination)])
    return result
  }

  mutating func add(
    _ name: String, _ standard: JSONTree?, _ schema: LensSchema, _ path: [String]
  ) -> LensSchema {
    touch(path + [ModelPath.step(name)])
    return objects(schema, path) { this, members in
      this.faultTaken(name, members, path)
      if let standard {
        members.insert(
          name, .any([ShapeReading.newShape(of: DerivedForm(standard))]), isRequired: true)
      } else {
        let least = members.least
        members.take(name)
        members.least = least
      }
    }
  }

  mutating func remove(
    _ name: String, _ schema: LensSchema, _ path: [String]
  ) -> LensSchema {
    var isKnown = hasNoValue(schema)
    let result = objects(schema, path) { _, members in
      isKnown = isKnown || members.mayHave(name)
      members.take(name)
    }
    if !isKnown { faultMissing(name, path) }
    touch(path + [ModelPath.step(name)])
    return result
  }

  /// That a member may be there already is a fault, also as one of those that the schema does not name.
  mutating func faultTaken(_ name: String, _ members: MemberShape, _ path: [String]) {
    guard members.mayHave(name) else { return }
    let isNamed = members.names(name) || members.requires(name)
    let remedy =
      isNamed
      ? ""
      : " among those that the schema does not name (\"\(name)\": false in 'properties' says that there is none)"
    fault("there may be a member '\(name)' already\(remedy)", path + [ModelPath.step(name)])
  }

  // MARK: Members of members

  mutating func hoist(
    _ host: String, _ name: String, _ prunes: Bool, _ schema: LensSchema, _ path: [String]
  ) -> LensSchema {
    let inside = path + [ModelPath.step(host)]
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
        // What is empty after the operation is taken away, be it empty before.
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
      let value = LensSchema.any(taken.flatMap { this.shapes($0, inside + [ModelPath.step(name)]) })
      this.faultTaken(name, members, path)
      if hosts.isEmpty {
        members.take(host)
      } else {
        members.replace(host, .any(hosts))
        if !staysThere { members.makeOptional(host) }
      }
      members.insert(name, value, isRequired: isRequired)
    }
    if !isKnown { faultMissing("there is no member '\(host)' with a member '\(name)'", at: path) }
    for place in [inside, inside + [ModelPath.step(name)], path + [ModelPath.step(name)]] {
      touch(place)
    }
    return result
  }

  mutating func plunge(
    _ host: String, _ name: String, _ schema: LensSchema, _ path: [String]
  ) -> LensSchema {
    let inside = path + [ModelPath.step(host)]
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
    for place in [path + [ModelPath.step(name)], inside, inside + [ModelPath.step(name)]] {
      touch(place)
    }
    return result
  }
}
