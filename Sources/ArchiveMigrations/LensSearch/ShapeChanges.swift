// Values of several kinds, and operations that change the shape of a value: lists of one, texts of several parts,
// objects of one member, dictionaries.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas

extension ShapePair {
  /// The texts that separate the parts of texts, the longer before the shorter.
  private static let separators = [", ", ",", "; ", ";", " | ", "|", "\n", "\t", "/", " "]

  /// The operations between a value and a list or an object of it; nil if there are none.
  func shapeChanges(_ search: inout LensSearch) -> [JSONTree]? {
    var candidates: [[JSONTree]] = []
    let isWrapped = new.kind == .list
    let list = isWrapped ? new : old
    if old.kind != new.kind, let items = list.kind == .list ? list.tree["items"] : nil {
      let element = list.document.shape(items)
      // The root cannot become a list, which would be read as a list of models. Nor do values within this one, which have
      // no name: with each level of both shapes there would be twice as many ways.
      if name != nil,
        let inner = isWrapped
          ? innerChanges(old, element, seen.changing(new: \.parts.first), search)
          : innerChanges(element, new, seen.changing(old: \.parts.first), search)
      {
        candidates.append(
          isWrapped
            ? [operation("wrap")] + within(LensTrees.map(inner))
            : [operation("head")] + within(inner))
      }
      if element.kind == .text, (isWrapped ? old : new).kind == .text {
        let word = isWrapped ? "split" : "join"
        candidates += Self.separators.map { [operation(word, ["separator": $0])] }
      }
    }
    // The member that an object must have, if it is the only one.
    let needed = new.kind == .record ? new.members.filter(\.isRequired) : []
    if needed.count == 1, let member = needed.first?.name,
      let inner = innerChanges(
        old, new.document.shape(needed[0].schema), seen.changing(new: { $0[member] }),
        search)
    {
      candidates.append(
        [operation("nest", ["as": member])] + within(LensTrees.within(member, inner)))
    }
    if old.kind == .record {
      for member in old.members where member.isRequired {
        let values = seen.changing(old: { $0[member.name] })
        if let inner = innerChanges(old.document.shape(member.schema), new, values, search) {
          candidates.append([operation("pluck", ["as": member.name])] + within(inner))
        }
      }
    }
    return search.choose(candidates + structures, for: self)
  }

  /// The conversions between numbers in a list or an object and the values of frameworks.
  private var structures: [[JSONTree]] {
    func types(_ kind: ShapeKind) -> [String] {
      switch kind {
      case .location: ["location"]
      case .structure: ["point", "size", "range", "rect"]
      default: []
      }
    }
    func form(_ kind: ShapeKind) -> String? {
      kind == .list ? "list" : kind == .record ? "object" : nil
    }
    let forward = form(old.kind).map { form in types(new.kind).map { (form, $0) } } ?? []
    let backward = form(new.kind).map { form in types(old.kind).map { ($0, form) } } ?? []
    return (forward + backward).map { source, destination in
      [operation("convert", ["sourceType": source, "destinationType": destination])]
    }
  }

  // MARK: Dictionaries

  /// The operations that make a dictionary of a list, or a list of a dictionary.
  func grouping(_ search: inout LensSearch) -> [JSONTree]? {
    let isForward = old.kind == .list
    let word = isForward ? "group" : "ungroup"
    let (list, map) = isForward ? (old, new) : (new, old)
    var candidates: [[JSONTree]] = []
    if let items = list.tree["items"] {
      let element = list.document.shape(items)
      let value = map.mapValue.map { map.document.shape($0) }
      candidates = element.keyNames.filter { !(value?.names.contains($0) ?? false) }.map { key in
        let rest = element.without(key)
        // The values are known only with the samples' keys.
        let values = isForward ? seen.map { $0.grouped(by: key) }.parts : []
        let inner = value.flatMap { value in
          innerChanges(isForward ? rest : value, isForward ? value : rest, values, search)
        }
        let (group, map) = (operation(word, ["by": key]), within(LensTrees.map(inner ?? [])))
        return isForward ? [group] + map : map + [group]
      }
    }
    candidates += ["string", "integer"].map { [operation(word, ["alternating": $0])] }
    return search.choose(
      candidates, for: self, "by which member does the list become the dictionary?")
  }

  // MARK: Operations

  private func operation(
    _ word: String, _ arguments: KeyValuePairs<String, String> = [:]
  ) -> JSONTree {
    LensTrees.operation(word, on: name, arguments)
  }

  private func within(_ operations: [JSONTree]) -> [JSONTree] { LensTrees.within(name, operations) }

  /// The operations between two values inside, without questions; nil if there are none.
  private func innerChanges(
    _ old: SchemaShape, _ new: SchemaShape, _ seen: [LensWitness], _ search: LensSearch
  ) -> [JSONTree]? {
    let found = search.hypothesis(ShapePair(old: old, new: new, seen: seen))?.operations
    return found.flatMap { LensTrees.hasQuestion($0) ? nil : $0 }
  }
}

// MARK: - Values of several kinds, which a member identifies: links with a type, of which one kind changes

extension ShapePair {
  /// The operations on values of several kinds; nil if no text identifies each kind.
  func variantChanges(_ search: inout LensSearch) -> [JSONTree]? {
    guard let before = Variant.all(of: old), var after = Variant.all(of: new),
      before.count == after.count
    else { return nil }
    var result: [JSONTree] = []
    // Those that the same text identifies in both come first.
    let sorted = before.sorted {
      $0.index(in: after) != nil && $1.index(in: after) == nil
    }
    for variant in sorted {
      let other = after.remove(at: variant.index(in: after) ?? 0)
      let own = seen.filter { $0.old?[variant.member]?.lensTree == variant.value }
      let inner = search.members(variant.shape, other.shape, own)
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
}

/// One of several kinds of values, and the member with the text that only this kind has.
private struct Variant {
  let shape: SchemaShape
  let member: String
  let value: JSONTree

  /// The position of the variant that the same text identifies.
  func index(in others: [Variant]) -> Int? {
    others.firstIndex { $0.member == member && $0.value == value }
  }

  /// The kinds of values with the text that identifies each; nil if one has none.
  static func all(of shape: SchemaShape) -> [Variant]? {
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

extension LensWitness {
  /// The same with a dictionary in place of the old list, by a member of its elements.
  func grouped(by key: String) -> LensWitness {
    guard case .list(let items)? = old else { return self }
    let members = items.compactMap { item -> (name: String, value: SyntheticValue)? in
      guard case .string(let name)? = item[key] else { return nil }
      return (name, item.setting(key, nil))
    }
    return LensWitness(old: .members(members), new: new)
  }
}
