// `when`, applied to schemas: the values of which its condition holds, and the others.

import Basics
import ObjectGraph
import PropertyLists
import Schemas

extension SchemaLens {
  mutating func when(
    _ condition: LensCondition, _ after: LensCondition, _ lens: Lens,
    _ operation: LensOperation, _ schema: LensSchema, _ path: [String]
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
            fault("cannot be proved: that \(after.title) afterwards", path)
          }
          result.append(shape)
        }
      }
      if let unmet {
        if condition != after, answer(after, unmet, path) != false {
          fault("cannot be proved: that of what stays it does not hold that \(after.title)", path)
        }
        result.append(unmet)
      }
    }
    return .any(result)
  }

  /// The values of a shape of which a condition holds, and those of which it does not; nil where there are none.
  private mutating func parts(
    of shape: ValueShape, by condition: LensCondition, _ path: [String]
  ) -> (met: ValueShape?, unmet: ValueShape?) {
    let name = condition.member
    let members = shape.members
    let place = path + [ModelPath.step(name)]
    switch condition.test {
    case .equals(let tree):
      guard members.mayHave(name) else { return (nil, shape) }
      let wanted = ShapeReading.shape(of: DerivedForm(tree))
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

  /// Whether a condition holds of every value of a shape, or of none; nil if neither is known.
  private mutating func answer(
    _ condition: LensCondition, _ shape: ValueShape, _ path: [String]
  ) -> Bool? {
    let (met, unmet) = parts(of: shape, by: condition, path)
    if met == nil { return false }
    return unmet == nil ? true : nil
  }
}

extension ValueShape {
  /// The shape with a member of some shapes.
  fileprivate func having(
    _ name: String, _ shapes: [ValueShape], isRequired: Bool
  ) -> ValueShape {
    var result = self
    result.members.replace(name, .any(shapes))
    if isRequired { result.members.required.insert(ExactText(name)) }
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

  /// The shape without a scalar, as far as it lists its values; nil if no value is left.
  fileprivate func without(_ value: JSONTree) -> ValueShape? {
    guard let listed else { return self }
    let others = listed.filter { !$0.isSame(as: DerivedForm.plain(value)) }
    // A string is text, unless its schema says that it is a date or data.
    if others.count == listed.count || !kinds.isDisjoint(with: .string) && !kinds.contains(.text) {
      return self
    }
    if others.isEmpty { return nil }
    return ValueShape(kinds: kinds, rules: rules + [[("enum", .list(others))]])
  }
}

extension DerivedForm {
  /// The value of a tag of typed JSON as a schema spells it.
  fileprivate static func plain(_ tree: JSONTree) -> JSONTree {
    ShapeReading.shape(of: DerivedForm(tree)).values(of: "const").first ?? tree
  }
}
