// Operations that change the shape of a value: lists of one, texts of several parts, objects of one member, dictionaries.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas

extension LensSearch {
  /// The texts that separate the parts of texts, the longer before the shorter.
  private static let separators = [", ", ",", "; ", ";", " | ", "|", "\n", "\t", "/", " "]

  /// The operations between a value and a list or an object of it; nil if there are none.
  mutating func reshaped(
    _ old: SchemaShape, _ new: SchemaShape, _ name: String?, _ seen: [LensWitness]
  ) -> [JSONTree]? {
    var candidates: [[JSONTree]] = []
    // The root cannot become a list, which would be read as a list of models.
    if new.kind == .list, old.kind != .list, let items = new.tree["items"] {
      let element = target.shape(items)
      if name != nil, let inner = hypothesis(old, element, seen.map { $0.part(new: .first) }) {
        candidates.append(
          [LensTrees.operation("wrap", on: name, [:])] + within(name, LensTrees.map(inner)))
      }
      if old.kind == .text, element.kind == .text {
        candidates += separated("split", name)
      }
    }
    if old.kind == .list, new.kind != .list, let items = old.tree["items"] {
      let element = source.shape(items)
      if name != nil, let inner = hypothesis(element, new, seen.map { $0.part(old: .first) }) {
        candidates.append(
          [LensTrees.operation("head", on: name, [:])] + within(name, inner))
      }
      if new.kind == .text, element.kind == .text {
        candidates += separated("join", name)
      }
    }
    if new.kind == .record, let member = only(of: new),
      let inner = hypothesis(
        old, target.shape(member.schema), seen.map { $0.part(new: .member(member.name)) })
    {
      let nest = LensTrees.operation("nest", on: name, ["as": member.name])
      candidates.append([nest] + within(name, LensTrees.within(member.name, inner)))
    }
    if old.kind == .record { candidates += plucked(old, new, name, seen) }
    candidates += structures(old, new, name)
    if candidates.isEmpty { return nil }
    return choose(
      candidates, "how does \(words(old)) become \(words(new))?", name, seen)
  }

  private func separated(_ word: String, _ name: String?) -> [[JSONTree]] {
    Self.separators.map { [LensTrees.operation(word, on: name, ["separator": $0])] }
  }

  private func within(_ name: String?, _ operations: [JSONTree]) -> [JSONTree] {
    LensTrees.within(name, operations)
  }

  /// The operations between two values, without questions; nil if there are none.
  private func hypothesis(
    _ old: SchemaShape, _ new: SchemaShape, _ seen: [LensWitness]
  ) -> [JSONTree]? {
    var search = self
    search.isTrying = true
    guard let found = search.value(old, new, nil, seen), !LensTrees.hasQuestion(found) else {
      return nil
    }
    return found
  }

  /// The member that an object must have, if it is the only one.
  private func only(of shape: SchemaShape) -> SchemaShape.Member? {
    let required = shape.members.filter(\.isRequired)
    return required.count == 1 ? required.first : nil
  }

  /// The operations that leave one member of an object.
  private func plucked(
    _ old: SchemaShape, _ new: SchemaShape, _ name: String?, _ seen: [LensWitness]
  ) -> [[JSONTree]] {
    old.members.filter(\.isRequired).compactMap { member in
      let values = seen.map { $0.part(old: .member(member.name)) }
      let shape = source.shape(member.schema)
      guard let inner = hypothesis(shape, new, values) else { return nil }
      return [LensTrees.operation("pluck", on: name, ["as": member.name])] + within(name, inner)
    }
  }

  /// The conversions between numbers in a list or an object and the values of frameworks.
  private func structures(
    _ old: SchemaShape, _ new: SchemaShape, _ name: String?
  ) -> [[JSONTree]] {
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
      let types: KeyValuePairs = ["sourceType": source, "destinationType": destination]
      return [LensTrees.operation("convert", on: name, types)]
    }
  }

  // MARK: Dictionaries

  /// The operations between a list and a dictionary.
  ///
  /// - Parameter word: `group`, or `ungroup` with the schemas exchanged.
  mutating func grouped(
    _ word: String, _ list: SchemaShape, _ map: SchemaShape, _ name: String?, _ seen: [LensWitness]
  ) -> [JSONTree]? {
    var candidates: [[JSONTree]] = []
    if let items = list.tree["items"] {
      let element = list.document.shape(items)
      let value = map.mapValue.map { map.document.shape($0) }
      let isForward = word == "group"
      candidates = element.keyNames.filter { !(value?.names.contains($0) ?? false) }.map { key in
        let rest = element.without(key)
        // The values are known only with the samples' keys.
        let values = isForward ? seen.map { $0.grouped(by: key) }.parts : []
        let inner = value.flatMap { value in
          hypothesis(isForward ? rest : value, isForward ? value : rest, values)
        }
        let group = LensTrees.operation(word, on: name, ["by": key])
        let map = LensTrees.within(name, LensTrees.map(inner ?? []))
        return isForward ? [group] + map : map + [group]
      }
    }
    candidates += ["string", "integer"].map {
      [LensTrees.operation(word, on: name, ["alternating": $0])]
    }
    return choose(
      candidates, "by which member does the list become the dictionary?", name, seen)
  }
}

extension LensWitness {
  /// A part that stands for the whole.
  enum Part {
    /// The first element of a list.
    case first
    /// A member of an object.
    case member(String)

    func value(of whole: SyntheticValue?) -> SyntheticValue? {
      switch self {
      case .first: if case .list(let items)? = whole { items.first } else { nil }
      case .member(let name): whole?.member(name)
      }
    }
  }

  /// The same with a dictionary in place of the old list, by a member of its elements.
  func grouped(by key: String) -> LensWitness {
    guard case .list(let items)? = old else { return self }
    let members = items.compactMap { item -> (name: String, value: SyntheticValue)? in
      guard case .string(let name)? = item.member(key) else { return nil }
      return (name, item.setting(key, nil))
    }
    return LensWitness(old: .members(members), new: new)
  }

  /// The same with a part in place of the old or the new value.
  func part(old part: Part) -> LensWitness { LensWitness(old: part.value(of: old), new: new) }

  /// The same with a part in place of the new value.
  func part(new part: Part) -> LensWitness { LensWitness(old: old, new: part.value(of: new)) }
}
