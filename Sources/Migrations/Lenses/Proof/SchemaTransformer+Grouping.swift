// The operations on lists and dictionaries, applied to schemas.

import Basics
import ObjectGraph
import PropertyLists
import Schemas

extension SchemaTransformer {
  mutating func group(
    _ grouping: LensGrouping, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    switch grouping {
    case .elements(let name, let key):
      return value(name, schema, path) { this, part, path in this.group(part, by: key, path) }
    case .lists(let keys, let values, let name):
      return zip(keys, values, name, schema, path)
    case .alternating(let name, _):
      return value(name, schema, path) { this, part, path in this.group(inTurn: part, path) }
    }
  }

  mutating func ungroup(
    _ grouping: LensGrouping, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    switch grouping {
    case .elements(let name, let key):
      return value(name, schema, path) { this, part, path in this.ungroup(part, by: key, path) }
    case .lists(let keys, let values, let name):
      return unzip(keys, values, name, schema, path)
    case .alternating(let name, let keys):
      return value(name, schema, path) { this, part, path in
        this.ungroup(inTurn: part, keys, path)
      }
    }
  }

  // MARK: Keys and values in turn

  /// Converts lists of keys and values in turn to dictionaries; which elements are keys no schema tells.
  private mutating func group(
    inTurn schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    touch(path)
    let lists = shapes(schema, path)
    faultKinds(of: lists, beside: .array, "a list", path)
    var result: [ValueShape] = []
    for list in lists where list.kinds.contains(.array) {
      let values = self.elements(of: list.elements, path + [.anyElement])
      result.append(
        Self.dictionary(
          of: values, least: list.elements.least / 2, most: list.elements.most.map { $0 / 2 }))
    }
    return .any(result)
  }

  /// Converts dictionaries to lists of their keys and values in turn.
  private mutating func ungroup(
    inTurn schema: LensSchema, _ keys: LensGrouping.AlternatingKeys, _ path: [GraphPath.Step]
  ) -> LensSchema {
    touch(path)
    let shapes = shapes(schema, path)
    faultKinds(of: shapes, beside: .object, "a dictionary", path)
    let inside = path + [.anyMember]
    var result: [ValueShape] = []
    for shape in shapes where !shape.kinds.isDisjoint(with: .object) {
      let key = ValueShape.scalar(keys == .string ? .text : .storedInteger)
      let items = LensSchema.any([key] + self.shapes(values(of: shape.members, inside), inside))
      var list = Self.list(of: items, shape.members)
      // A count that does not fit is no limit.
      let (least, isOver) = list.elements.least.multipliedReportingOverflow(by: 2)
      if !isOver { list.elements.least = least }
      list.elements.most = list.elements.most.flatMap { $0 > .max / 2 ? nil : $0 * 2 }
      result.append(list)
    }
    return .any(result)
  }

  // MARK: By a member

  /// Converts lists to dictionaries of their elements; whether keys are unique is checked only in values.
  private mutating func group(
    _ schema: LensSchema, by key: String, _ path: [GraphPath.Step]
  ) -> LensSchema {
    touch(path)
    let lists = shapes(schema, path)
    faultKinds(of: lists, beside: .array, "a list", path)
    let inside = path + [.anyElement]
    var result: [ValueShape] = []
    for list in lists where list.kinds.contains(.array) {
      let elements = self.elements(of: list.elements, inside)
      let values = objects(elements, inside) { this, members in
        if !members.requires(key) { this.fault("it may have no member '\(key)'", inside) }
        let place = inside + [.key(key)]
        if members.mayHave(key) { this.faultNoText(members.schema(of: key), place) }
        members.take(key)
      }
      result.append(
        Self.dictionary(of: values, least: list.elements.least, most: list.elements.most))
    }
    return .any(result)
  }

  /// Converts dictionaries to lists of their values.
  private mutating func ungroup(
    _ schema: LensSchema, by key: String, _ path: [GraphPath.Step]
  ) -> LensSchema {
    touch(path)
    let shapes = shapes(schema, path)
    faultKinds(of: shapes, beside: .object, "a dictionary", path)
    let inside = path + [.anyMember]
    var result: [ValueShape] = []
    for shape in shapes where !shape.kinds.isDisjoint(with: .object) {
      let items = objects(values(of: shape.members, inside), inside) { this, members in
        this.faultTaken(key, members, inside)
        members.insert(key, .any([.scalar(.text)]), isRequired: true)
      }
      result.append(Self.list(of: items, shape.members))
    }
    return .any(result)
  }

  private mutating func faultNoText(_ schema: LensSchema, _ path: [GraphPath.Step]) {
    let shapes = shapes(schema, path)
    let isText = shapes.allSatisfy { $0.kinds.contains(.text) }
    faultKinds(of: shapes, beside: isText ? .string : .text, "text", path)
  }

  // MARK: Parts

  /// The schema that every element fits.
  private mutating func elements(of list: ElementShape, _ path: [GraphPath.Step]) -> LensSchema {
    let parts = list.prefix + (list.rest.isNothing ? [] : [list.rest])
    if parts.count == 1 { return parts[0] }
    return .any(parts.flatMap { shapes($0, path) })
  }

  /// The schema that the value of every member fits.
  private mutating func values(of members: MemberShape, _ path: [GraphPath.Step]) -> LensSchema {
    var parts = members.named.filter { !$0.schema.isNothing }.map { members.schema(of: $0.name) }
    parts += members.patterns.map(\.schema)
    if !members.rest.isNothing { parts.append(members.rest) }
    if parts.count == 1 { return parts[0] }
    return .any(parts.flatMap { shapes($0, path) })
  }

  private static func dictionary(of values: LensSchema, least: Int, most: Int?) -> ValueShape {
    var shape = ValueShape(kinds: .dictionary, isNew: true)
    shape.members.rest = values
    shape.members.hasRest = true
    shape.members.least = least
    shape.members.most = most
    return shape
  }

  private static func list(of items: LensSchema, _ members: MemberShape) -> ValueShape {
    ValueShape(
      kinds: .array,
      elements: ElementShape(
        rest: items, least: max(members.least, members.required.count), most: most(members)),
      isNew: true)
  }

  /// How many members there may be.
  private static func most(_ members: MemberShape) -> Int? {
    guard members.rest.isNothing, members.patterns.isEmpty else { return members.most }
    let named = members.named.count { !$0.schema.isNothing }
    return min(named, members.most ?? named)
  }

  // MARK: Parallel lists

  private mutating func zip(
    _ keys: String, _ values: String, _ name: String, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    for name in [keys, values, name] { touch(path + [.key(name)]) }
    var isKnown = hasNoValue(schema)
    let result = objects(schema, path) { this, members in
      this.faultTaken(name, members, path)
      guard members.mayHave(keys), members.mayHave(values) else { return }
      isKnown = true
      let isThere = members.requires(keys) && members.requires(values)
      let places = [keys, values].map { path + [.key($0)] }
      let names = this.lists(members.schema(of: keys), places[0])
      let items = this.lists(members.schema(of: values), places[1])
      for list in names {
        let inside = places[0] + [.anyElement]
        this.faultNoText(this.elements(of: list, inside), inside)
      }
      let inside = places[1] + [.anyElement]
      let dictionaries = items.map { list in
        Self.dictionary(of: this.elements(of: list, inside), least: list.least, most: list.most)
      }
      let (least, most) = (members.least, members.most)
      members.take(keys)
      members.take(values)
      members.insert(name, .any(dictionaries), isRequired: isThere)
      members.least = max(least - 1, 0)
      members.most = most
    }
    if !isKnown { faultMissing("no members '\(keys)' and '\(values)'", at: path) }
    return result
  }

  private mutating func lists(_ schema: LensSchema, _ path: [GraphPath.Step]) -> [ElementShape] {
    let lists = shapes(schema, path)
    faultKinds(of: lists, beside: .array, "a list", path)
    return lists.filter { $0.kinds.contains(.array) }.map(\.elements)
  }

  private mutating func unzip(
    _ keys: String, _ values: String, _ name: String, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    for name in [keys, values, name] { touch(path + [.key(name)]) }
    let inside = path + [.key(name)]
    var isKnown = hasNoValue(schema)
    let result = objects(schema, path) { this, members in
      for name in [keys, values] { this.faultTaken(name, members, path) }
      guard members.mayHave(name) else { return }
      isKnown = true
      let isThere = members.requires(name)
      let shapes = this.shapes(members.schema(of: name), inside)
      this.faultKinds(of: shapes, beside: .object, "a dictionary", inside)
      var lists: (names: [ValueShape], items: [ValueShape]) = ([], [])
      for shape in shapes where !shape.kinds.isDisjoint(with: .object) {
        let items = this.values(of: shape.members, inside + [.anyMember])
        lists.names.append(Self.list(of: .any([.scalar(.text)]), shape.members))
        lists.items.append(Self.list(of: items, shape.members))
      }
      let (least, most) = (members.least, members.most)
      members.take(name)
      members.insert(keys, .any(lists.names), isRequired: isThere)
      members.insert(values, .any(lists.items), isRequired: isThere)
      members.least = least
      members.most = most.map { $0 == .max ? $0 : $0 + 1 }
    }
    if !isKnown { faultMissing(name, path) }
    return result
  }
}

// MARK: - `when`, applied to schemas: the values that satisfy its condition, and the others

extension SchemaTransformer {
  mutating func when(
    _ condition: LensCondition, _ after: LensCondition, _ lens: Lens,
    _ operation: LensOperation, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    touch(path)
    let shapes = shapes(schema, path)
    faultKinds(of: shapes, beside: .object, "an object", path)
    var result: [ValueShape] = []
    for var shape in shapes where !shape.kinds.isDisjoint(with: .object) {
      shape.kinds = .dictionary
      shape.rules = []
      let (met, unmet) = parts(of: shape, by: condition, path)
      if let met {
        let made = apply(lens, to: .any([met]), at: path, within: operation)
        for shape in self.shapes(made, path) {
          if answer(after, shape, path) != true {
            faultUnproved("that \(after.title) afterwards", path)
          }
          result.append(shape)
        }
      }
      if let unmet {
        if condition != after, answer(after, unmet, path) != false {
          faultUnproved("that of what stays it does not hold that \(after.title)", path)
        }
        result.append(unmet)
      }
    }
    return .any(result)
  }

  /// The values of a shape that satisfy a condition, and those that do not; nil if there are none.
  private mutating func parts(
    of shape: ValueShape, by condition: LensCondition, _ path: [GraphPath.Step]
  ) -> (met: ValueShape?, unmet: ValueShape?) {
    let name = condition.member
    let members = shape.members
    let place = path + [.key(name)]
    switch condition.test {
    case .equals(let tree):
      guard members.mayHave(name) else { return (nil, shape) }
      let wanted = ShapeReading.shape(of: SyntheticValue(tree))
      let parts = shapes(members.schema(of: name), place)
      let same = parts.map { $0.and(wanted) }.filter { !$0.isEmpty && $0.listed?.isEmpty != true }
      let others = parts.compactMap { $0.without(tree) }
      return (
        same.isEmpty ? nil : shape.having(name, same, isRequired: true),
        others.isEmpty
          ? (members.requires(name) ? nil : shape.lacking(name))
          : shape.having(name, others, isRequired: members.requires(name))
      )
    case .isPresent(let flag):
      guard members.mayHave(name) else { return flag ? (nil, shape) : (shape, nil) }
      let (present, allowsNull) = splitNull(members.schema(of: name))
      let there = shapes(present, place)
      let with = there.isEmpty ? nil : shape.having(name, there, isRequired: true)
      var without: ValueShape?
      if allowsNull {
        without = shape.having(name, [.scalar(.null)], isRequired: members.requires(name))
      } else if !members.requires(name) {
        without = shape.lacking(name)
      }
      return flag ? (with, without) : (without, with)
    }
  }

  /// Whether a condition holds for every value of a shape, or for none; nil if neither is known.
  private mutating func answer(
    _ condition: LensCondition, _ shape: ValueShape, _ path: [GraphPath.Step]
  ) -> Bool? {
    let (met, unmet) = parts(of: shape, by: condition, path)
    if met == nil { return false }
    return unmet == nil ? true : nil
  }
}

extension ValueShape {
  /// The shape with a member that has some shapes.
  fileprivate func having(
    _ name: String, _ shapes: [ValueShape], isRequired: Bool
  ) -> ValueShape {
    var result = self
    result.members.replace(name, .any(shapes))
    if isRequired { result.members.required.insert(CodePointString(name)) }
    return result
  }

  /// The shape without a member.
  fileprivate func lacking(_ name: String) -> ValueShape {
    var result = self
    let least = members.least
    result.members.take(name)
    result.members.least = least
    return result
  }

  /// The shape without a scalar, if it lists its values; nil if no value remains.
  fileprivate func without(_ value: JSONTree) -> ValueShape? {
    guard let listed else { return self }
    let others = listed.filter { !$0.isSame(as: SyntheticValue.plain(value)) }
    // A string is text, unless its schema specifies that it is a date or data.
    if others.count == listed.count || !kinds.isDisjoint(with: .string) && !kinds.contains(.text) {
      return self
    }
    if others.isEmpty { return nil }
    return ValueShape(kinds: kinds, rules: rules + [[("enum", .list(others))]])
  }
}

extension SyntheticValue {
  /// The value of a tag of typed JSON, as a schema represents it.
  fileprivate static func plain(_ tree: JSONTree) -> JSONTree {
    ShapeReading.shape(of: SyntheticValue(tree)).values(of: "const").first ?? tree
  }
}
