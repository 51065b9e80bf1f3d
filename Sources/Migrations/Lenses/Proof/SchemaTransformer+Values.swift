// The operations on values, applied to schemas: lists with one element, elements, and conversions.

import Basics
import ObjectGraph
import PropertyLists
import RegularExpressions
import Schemas

extension SchemaTransformer {
  mutating func wrap(_ name: String?, _ schema: LensSchema, _ path: [GraphPath.Step]) -> LensSchema
  {
    guard let name else {
      touch(path)
      return Self.listOfOne(schema, least: 1)
    }
    let inside = path + [.key(name)]
    touch(inside)
    return objects(schema, path) { this, members in
      guard members.mayHave(name) else {
        // An absent member becomes an empty list.
        members.insert(name, Self.listOfOne(.nothing, least: 0), isRequired: true)
        return
      }
      let (present, allowsNull) = this.splitNull(members.schema(of: name))
      let isThere = members.requires(name) && !allowsNull
      let list = Self.listOfOne(present, least: isThere ? 1 : 0)
      if isThere {
        members.replace(name, list)
      } else {
        members.insert(name, list, isRequired: true)
      }
    }
  }

  private static func listOfOne(_ element: LensSchema, least: Int) -> LensSchema {
    let most = element.isNothing ? 0 : 1
    return .any([
      ValueShape(
        kinds: .array, elements: ElementShape(rest: element, least: least, most: most),
        isNew: true)
    ])
  }

  mutating func head(_ name: String?, _ schema: LensSchema, _ path: [GraphPath.Step]) -> LensSchema
  {
    guard let name else {
      touch(path)
      let (value, mayBeEmpty) = first(of: schema, path)
      if mayBeEmpty { fault("the list may be empty, without a first element", path) }
      return value
    }
    let inside = path + [.key(name)]
    var isKnown = hasNoValue(schema)
    let result = objects(schema, path) { this, members in
      guard members.mayHave(name) else { return }
      isKnown = true
      let (present, allowsNull) = this.splitNull(members.schema(of: name))
      let (value, mayBeEmpty) = this.first(of: present, inside)
      if value.isNothing, !allowsNull {
        members.take(name)
        return
      }
      if allowsNull {
        members.replace(name, value.or(.any([.scalar(.null)]), in: &this, inside))
      } else {
        members.replace(name, value)
      }
      if mayBeEmpty { members.makeOptional(name) }
    }
    if !isKnown { faultMissing(name, path) }
    touch(inside)
    return result
  }

  /// The schema of a list's first element, and whether the list may be empty.
  private mutating func first(
    of schema: LensSchema, _ path: [GraphPath.Step]
  ) -> (value: LensSchema, mayBeEmpty: Bool) {
    let lists = shapes(schema, path)
    faultKinds(of: lists, beside: .array, "a list", path)
    let kept = lists.filter { $0.kinds.contains(.array) }
    let mayBeEmpty = kept.contains { $0.elements.least < 1 }
    let firsts = kept.filter { ($0.elements.most ?? 1) > 0 }.map { $0.elements.schema(0) }
    if firsts.count == 1 { return (firsts[0], mayBeEmpty) }
    return (.any(firsts.flatMap { shapes($0, path) }), mayBeEmpty)
  }

  // MARK: Elements

  mutating func map(
    _ lens: Lens, _ schema: LensSchema, _ path: [GraphPath.Step], _ operation: LensOperation
  ) -> LensSchema {
    if let pattern = lens.memberPattern {
      return map(lens, pattern, schema, path, operation)
    }
    let shapes = shapes(schema, path)
    faultKinds(of: shapes, beside: [.array, .dictionary, .uid], "a list or an object", path)
    var result: [ValueShape] = []
    for shape in shapes {
      // Each kind separately: the rules of one need not hold for the other.
      for kinds in [ValueKinds.array, .dictionary] where shape.kinds.contains(kinds) {
        var shape = shape.limited(to: kinds)
        shape.rules = shape.structureRules
        if kinds == .array {
          map(lens, &shape.elements, path, operation)
        } else {
          map(lens, &shape.members, path, operation)
        }
        result.append(shape)
      }
    }
    return .any(result)
  }

  private mutating func map(
    _ lens: Lens, _ elements: inout ElementShape, _ path: [GraphPath.Step],
    _ operation: LensOperation
  ) {
    let path = path + [.anyElement]
    elements.prefix = elements.prefix.map { apply(lens, to: $0, at: path, within: operation) }
    if !elements.rest.isNothing, elements.most ?? .max > elements.prefix.count {
      elements.rest = apply(lens, to: elements.rest, at: path, within: operation)
    }
    // Different values may have equal results.
    elements.isUnique = elements.isUnique && lens.keepsDifferences
  }

  private mutating func map(
    _ lens: Lens, _ members: inout MemberShape, _ path: [GraphPath.Step], _ operation: LensOperation
  ) {
    for index in members.named.indices where !members.named[index].schema.isNothing {
      let name = members.named[index].name
      // Patterns apply to the value too.
      let schema = members.schema(of: name)
      members.named[index].schema = apply(
        lens, to: schema, at: path + [.key(name)], within: operation)
    }
    let any = path + [.anyMember]
    // A pattern's schemas are mapped together; `rest` applies to none of its names.
    var patterns: [NamedSchema] = []
    for pattern in members.patterns {
      if let known = patterns.firstIndex(where: { $0.name.utf8.elementsEqual(pattern.name.utf8) }) {
        patterns[known] = patterns[known].and(pattern.schema)
      } else {
        patterns.append(pattern)
      }
    }
    // A value whose name matches several patterns was mapped from each, so it fits the result of each.
    for index in patterns.indices where !patterns[index].schema.isNothing {
      patterns[index].schema = apply(lens, to: patterns[index].schema, at: any, within: operation)
    }
    members.patterns = patterns
    if !members.rest.isNothing {
      members.rest = apply(lens, to: members.rest, at: any, within: operation)
    }
  }

  /// Applies a lens to the members whose names match a pattern.
  private mutating func map(
    _ lens: Lens, _ pattern: String, _ schema: LensSchema, _ path: [GraphPath.Step],
    _ operation: LensOperation
  ) -> LensSchema {
    var isKnown = hasNoValue(schema)
    let result = objects(schema, path) { this, members in
      for index in members.named.indices where !members.named[index].schema.isNothing {
        let name = members.named[index].name
        guard Self.matches(name, pattern) else { continue }
        isKnown = true
        members.named[index].schema = this.apply(
          lens, to: members.schema(of: name), at: path + [.key(name)], within: operation)
      }
      let any = path + [.anyMember]
      // A name that matches another pattern may match this one or not.
      let known = members.patterns.map(\.name)
      for index in members.patterns.indices where !members.patterns[index].schema.isNothing {
        isKnown = true
        let before = members.patterns[index].schema
        let after = this.apply(lens, to: before, at: any, within: operation)
        let isSame = known[index].utf8.elementsEqual(pattern.utf8)
        members.patterns[index].schema = isSame ? after : before.or(after, in: &this, any)
      }
      // No name that matches the pattern is among the others if the schema has it, too.
      if members.rest.isNothing || known.contains(where: { $0.utf8.elementsEqual(pattern.utf8) }) {
        return
      }
      isKnown = true
      let after = this.apply(lens, to: members.rest, at: any, within: operation)
      members.rest = members.rest.or(after, in: &this, any)
    }
    if !isKnown { faultMissing("no member whose name matches '\(pattern)'", at: path) }
    return result
  }

  private static func matches(_ name: String, _ pattern: String) -> Bool {
    do throws(PatternFault) {
      return try ECMAPattern(pattern).matches(name)
    } catch {
      return false
    }
  }

  // MARK: Conversions

  mutating func convert(
    _ conversion: ScalarConversion, _ schema: LensSchema, _ path: [GraphPath.Step]
  ) -> LensSchema {
    touch(path)
    let image = ConversionEffect(conversion, direction, in: envelope)
    let shapes = shapes(schema, path)
    var result: [ValueShape] = []
    if shapes.contains(where: { $0.kinds.contains(.null) }) { result.append(.scalar(.null)) }
    let present = shapes.map { $0.limited(to: .all.subtracting(.null)) }.filter { !$0.isEmpty }
    // A string is text, unless its schema specifies that it is a date or data.
    let isText =
      image.kinds.contains(.text)
      && present.allSatisfy {
        $0.kinds.isDisjoint(with: .string) || $0.kinds.contains(.text)
      }
    faultKinds(
      of: present, beside: isText ? image.kinds.union(.string) : image.kinds, image.wanted, path)
    for shape in present where !shape.kinds.isDisjoint(with: image.kinds) {
      let outcome = image.outcome(of: shape.limited(to: image.kinds))
      result += outcome.values
      let refused = outcome.refused
      if !refused.isEmpty {
        let names = refused.prefix(3).map(\.summary).joined(separator: ", ")
        let more = refused.count > 3 ? " and \(refused.count - 3) more" : ""
        fault("it may be \(names)\(more), which the conversion does not cover", path)
      }
      if !outcome.open.isEmpty {
        let other = direction == .forward ? "else" : "elseBackward"
        fault(
          "it may be any \(outcome.open.description), but the table has only a few ('\(other)' covers the others)",
          path)
      }
    }
    return .any(result)
  }
}
