// Values of several kinds, which a member identifies: links with a type, of which one kind changes.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas

extension LensSearch {
  /// One of several kinds of values, and the member with the text that only this kind has.
  private struct Variant {
    let shape: SchemaShape
    let member: String
    let value: JSONTree
  }

  /// The operations on values of several kinds; nil if no text identifies each kind.
  mutating func variants(
    _ old: SchemaShape, _ new: SchemaShape, _ name: String?, _ seen: [LensWitness]
  ) -> [JSONTree]? {
    guard let before = Self.variants(of: old), var after = Self.variants(of: new),
      before.count == after.count
    else { return nil }
    var result: [JSONTree] = []
    // Those that the same text identifies in both come first.
    let sorted = before.sorted {
      Self.index(of: $0, in: after) != nil && Self.index(of: $1, in: after) == nil
    }
    for variant in sorted {
      let other = after.remove(at: Self.index(of: variant, in: after) ?? 0)
      let own = seen.filter { $0.old?.member(variant.member)?.lensTree == variant.value }
      let inner = members(variant.shape, other.shape, own)
      if inner.isEmpty { continue }
      let isSame = variant.member == other.member && variant.value == other.value
      let condition = JSONTree.members([
        ("member", .string(other.member)), ("equals", other.value),
      ])
      result.append(
        LensTrees.operation(
          "when", ("member", .string(variant.member)), ("equals", variant.value),
          ("after", isSame ? nil : condition), ("lens", .list(inner))))
    }
    return LensTrees.within(name, result)
  }

  /// The position of the variant that the same text identifies.
  private static func index(of variant: Variant, in others: [Variant]) -> Int? {
    others.firstIndex { $0.member == variant.member && $0.value == variant.value }
  }

  /// The kinds of values with the text that identifies each; nil if one has none.
  private static func variants(of shape: SchemaShape) -> [Variant]? {
    let all = shape.variants
    guard all.count > 1, all.allSatisfy({ $0.kind == .record }) else { return nil }
    let found = all.map { one -> Variant? in
      for member in one.members where member.isRequired {
        let tree = one.document.shape(member.schema).tree
        guard
          let value = tree["const"]
            ?? tree["enum"].flatMap({ $0.list?.count == 1 ? $0.list?[0] : nil })
        else { continue }
        let isShared = all.contains { other in
          other.tree != one.tree
            && other.member(member.name).map {
              other.document.shape($0.schema).tree["const"] == value
            }
              ?? false
        }
        if !isShared { return Variant(shape: one, member: member.name, value: value) }
      }
      return nil
    }
    let known = found.compactMap { $0 }
    return known.count == all.count ? known : nil
  }
}
