// Converts between texts and lists, and between lists and dictionaries.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import FileTransactions

extension LensInterpreter {
  // MARK: Texts

  /// Splits a text into a list of its parts; the empty text has none.
  mutating func split(
    _ name: String?, _ separator: String, _ value: LensValue
  ) throws(ArchiveError) {
    guard let target = try target(name, value) else { return }
    guard case .string(let text)? = target.scalar(in: graph) else {
      throw problem("needs a string, found \(target.kind(in: graph))", target, member: name)
    }
    if let kept = keptValue(), let original = kept.value {
      let list = LensValue(form: original)
      if let parts = texts(list), parts.joined(separator: separator).hasSameScalars(as: text) {
        target.content = list.content
        return
      }
    }
    target.content = .list(
      Self.parts(of: text, separator).map { LensValue(.scalar(.string($0))) })
  }

  /// Joins a list of texts into one text; a list that the inverse would split differently is lost.
  mutating func join(
    _ name: String?, _ separator: String, _ value: LensValue
  ) throws(ArchiveError) {
    guard let target = try target(name, value) else { return }
    let form = target.form
    guard let parts = texts(target) else {
      throw problem(
        "needs a list of strings, found \(target.kind(in: graph))", target, member: name)
    }
    let text = parts.joined(separator: separator)
    let back = Self.parts(of: text, separator)
    if !back.haveSameScalars(as: parts) {
      lose(
        .value, name, value: form,
        note: "a list of \(parts.count) would come back as one of \(back.count)")
    }
    target.content = .scalar(.string(text))
  }

  /// The strings of a list; nil if it is not a list of strings.
  private func texts(_ list: LensValue) -> [String]? {
    guard let items = list.openList(in: graph) else { return nil }
    let texts = items.compactMap { item in
      if case .string(let text)? = item.scalar(in: graph) { text } else { nil }
    }
    return texts.count == items.count ? texts : nil
  }

  /// The parts of a text, separated byte by byte: characters that only look like the separator do not count.
  private static func parts(of text: String, _ separator: String) -> [String] {
    if text.isEmpty { return [] }
    var parts: [String] = []
    var others = Array(text.utf8)[...]
    while let found = others.firstOccurrence(of: separator.utf8) {
      parts.append(String(decoding: others[..<found.lowerBound], as: UTF8.self))
      others = others[found.upperBound...]
    }
    return parts + [String(decoding: others, as: UTF8.self)]
  }

  // MARK: Dictionaries

  mutating func group(_ grouping: LensGrouping, _ value: LensValue) throws(ArchiveError) {
    if case .lists(let keys, let values, let name) = grouping {
      return try zip(keys, values, name, value)
    }
    let name = grouping.name
    guard let target = try target(name, value) else { return }
    let items = try items(target, at: name)
    let entries: [LensValue.Member]
    switch grouping {
    case .elements(_, let key): entries = try self.entries(of: items, by: key, name)
    case .alternating(_, let type): entries = try self.entries(inTurn: items, type, target, name)
    case .lists: return
    }
    loseOrder(of: entries.map(\.name), name)
    target.content = .members(entries)
  }

  mutating func ungroup(_ grouping: LensGrouping, _ value: LensValue) throws(ArchiveError) {
    if case .lists(let keys, let values, let name) = grouping {
      return try unzip(keys, values, name, value)
    }
    let name = grouping.name
    guard let target = try target(name, value) else { return }
    let entries = try ordered(target, name)
    switch grouping {
    case .elements(_, let key): target.content = .list(try elements(of: entries, by: key, name))
    case .alternating(_, let type):
      var items: [LensValue] = []
      for entry in entries {
        items += [LensValue(.scalar(try key(entry.name, type, target, name))), entry.value]
      }
      target.content = .list(items)
    case .lists: return
    }
  }

  /// The elements of a list as members; each is named by one of its own members, which is removed from it.
  private mutating func entries(
    of items: [LensValue], by key: String, _ name: String?
  ) throws(ArchiveError) -> [LensValue.Member] {
    let before = path
    if let name { path.steps.append(.key(name)) }
    var entries: [LensValue.Member] = []
    var met: Set<CodePointString> = []
    for (index, item) in items.enumerated() {
      path.steps.append(.index(index))
      var members = try members(item)
      guard let position = members.index(key),
        case .string(let text)? = members[position].value.scalar(in: graph)
      else { throw problem("needs a string in '\(key)'", item) }
      guard met.insert(CodePointString(text)).inserted else {
        throw problem(
          "finds a second element whose '\(key)' is \(SyntheticValue.string(text).display)", item,
          about: .refusedContent)
      }
      members.remove(at: position)
      item.content = .members(members)
      entries.append(LensValue.Member(text, item))
      path.steps.removeLast()
    }
    path = before
    return entries
  }

  /// The values of a dictionary as a list, each with its key as a member.
  private mutating func elements(
    of entries: [LensValue.Member], by key: String, _ name: String?
  ) throws(ArchiveError) -> [LensValue] {
    let before = path
    if let name { path.steps.append(.key(name)) }
    for entry in entries {
      path.steps.append(.key(entry.name))
      let members = try members(entry.value)
      try requireAbsent(key, in: members, entry.value)
      let text = LensValue(.scalar(.string(entry.name)))
      entry.value.content = .members([LensValue.Member(key, text)] + members)
      path.steps.removeLast()
    }
    path = before
    return entries.map(\.value)
  }

  /// Records the loss of the order: a dictionary has none, and the inverse sorts by the keys.
  private mutating func loseOrder(of keys: [String], _ name: String?) {
    let isSorted = Swift.zip(keys, keys.dropFirst()).allSatisfy {
      CodePointString($0) < CodePointString($1)
    }
    if !isSorted { lose(.order, name, value: .list(keys.map { .string($0) })) }
  }

  /// The members of a dictionary in the order that was kept, the others by their keys.
  private mutating func ordered(
    _ dictionary: LensValue, _ name: String?
  ) throws(ArchiveError) -> [LensValue.Member] {
    let members = try members(dictionary, at: name, wanted: "a dictionary")
    var ranks: [CodePointString: Int] = [:]
    if let kept = keptValue(), kept.kind == .order, let form = kept.value {
      for (index, key) in (texts(LensValue(form: form)) ?? []).enumerated() {
        ranks[CodePointString(key)] = index
      }
    }
    return members.map { (key: CodePointString($0.name), member: $0) }
      .sorted { (ranks[$0.key] ?? .max, $0.key) < (ranks[$1.key] ?? .max, $1.key) }.map(\.member)
  }

  // MARK: Keys and values in turn

  /// The members that a list of keys and values in turn consists of.
  private mutating func entries(
    inTurn items: [LensValue], _ type: LensGrouping.AlternatingKeys, _ list: LensValue,
    _ name: String?
  ) throws(ArchiveError) -> [LensValue.Member] {
    guard items.count % 2 == 0 else {
      throw problem(
        "needs keys and values in turn, found a list of \(items.count)", list, member: name,
        about: .refusedContent)
    }
    var entries: [LensValue.Member] = []
    var met: Set<CodePointString> = []
    for position in stride(from: 0, to: items.count, by: 2) {
      let key: String
      switch (type, items[position].scalar(in: graph)) {
      case (.string, .string(let text)?): key = text
      case (.integer, .integer(let number)?): key = "\(number)"
      default:
        let wanted = type == .string ? "a string" : "an integer"
        throw problem(
          "needs \(wanted) for the key at \(position), found \(items[position].kind(in: graph))",
          list, member: name)
      }
      try requireNew(key, &met, list, name)
      entries.append(LensValue.Member(key, items[position + 1]))
    }
    return entries
  }

  private func requireNew(
    _ key: String, _ met: inout Set<CodePointString>, _ list: LensValue, _ name: String?
  ) throws(ArchiveError) {
    guard met.insert(CodePointString(key)).inserted else {
      throw problem(
        "finds the key \(SyntheticValue.string(key).display) twice", list, member: name,
        about: .refusedContent)
    }
  }

  /// A key of a dictionary, as it is listed among keys and values.
  private func key(
    _ text: String, _ type: LensGrouping.AlternatingKeys, _ dictionary: LensValue, _ name: String?
  ) throws(ArchiveError) -> SyntheticValue {
    if type == .string { return .string(text) }
    guard let number = Int64(text), "\(number)" == text else {
      throw problem(
        "needs an integer for a key, found \(SyntheticValue.string(text).display)", dictionary,
        member: name, about: .refusedContent)
    }
    return .integer(number)
  }

  // MARK: Parallel lists

  /// Converts a list of keys and a list of values to a dictionary.
  private mutating func zip(
    _ keys: String, _ values: String, _ name: String, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    try requireAbsent(name, in: members, value)
    guard let first = members.index(keys), let second = members.index(values) else {
      if members.index(keys) == nil, members.index(values) == nil { return }
      throw problem("needs both '\(keys)' and '\(values)'", value)
    }
    guard let names = texts(members[first].value) else {
      throw problem("needs a list of strings in '\(keys)'", members[first].value, member: keys)
    }
    guard let items = members[second].value.openList(in: graph), items.count == names.count else {
      throw problem(
        "needs a list of \(names.count) in '\(values)'", members[second].value, member: values,
        about: .refusedContent)
    }
    try count(items.count, value)
    var met: Set<CodePointString> = []
    for key in names { try requireNew(key, &met, value, keys) }
    loseOrder(of: names, keys)
    let entries = Swift.zip(names, items).map { LensValue.Member($0, $1) }
    members[first] = LensValue.Member(name, LensValue(.members(entries)))
    members.remove(at: second)
    value.content = .members(members)
  }

  /// Converts a dictionary to a list of its keys and a list of its values.
  private mutating func unzip(
    _ keys: String, _ values: String, _ name: String, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    for name in [keys, values] { try requireAbsent(name, in: members, value) }
    guard let position = members.index(name) else { return }
    let entries = try ordered(members[position].value, name)
    let names = entries.map { LensValue(.scalar(.string($0.name))) }
    members[position] = LensValue.Member(keys, LensValue(.list(names)))
    members.insert(
      LensValue.Member(values, LensValue(.list(entries.map(\.value)))), at: position + 1)
    value.content = .members(members)
  }
}

// MARK: - Anchors tie lost values to the list elements that they belong to, so that they are not restored elsewhere
//
// When an operation on an element has lost something, the element is hashed in the state after the operation. The
// inverse hashes it again before it inverts the operation: the hashes are equal unless the element was changed in
// between.

/// Ties lost values to the elements that they belong to.
struct LostAnchoring {
  /// Whether lost values get anchors.
  var isRequested = false
  /// Whether a kept value is discarded if its element has changed; otherwise that is an error.
  var isForgiving = false
}

extension LensInterpreter {
  /// The prefix of the anchor of a whole list, used if its elements could be confused with one another.
  private static let listMark = "list:"

  /// Applies a lens to an element of a list or dictionary.
  mutating func applyAnchored(_ lens: Lens, _ value: LensValue) throws(ArchiveError) {
    guard case .index? = elements.last else { return try apply(lens, value) }
    for operation in lens.operations(direction) {
      current = operation
      try check(value, operation.pointer)
      let first = lost.count
      try apply(operation, value)
      if anchoring.isRequested, lost.count > first {
        let trace = trace(of: value)
        // Nested operations have anchored their values already.
        anchor(since: first) { $0.anchors.insert(trace, at: 0) }
      }
    }
  }

  /// The number of the innermost element among those that are identified by position.
  private var level: Int {
    elements.count { if case .index = $0 { true } else { false } } - 1
  }

  /// Checks whether an element is unchanged since values were kept for it.
  private mutating func check(_ value: LensValue, _ pointer: String) throws(ArchiveError) {
    guard kept.hasAnchors else { return }
    try check(kept.anchored(at: elements, lens, pointer), value, level: level) {
      !$0.hasPrefix(Self.listMark)
    }
  }

  private mutating func check(
    _ values: [LostValue], _ value: LensValue, level: Int, _ isOfKind: (String) -> Bool
  ) throws(ArchiveError) {
    var trace: String?
    for kept in values where kept.anchors.indices.contains(level) {
      guard isOfKind(kept.anchors[level]) else { continue }
      let now = trace ?? self.trace(of: value)
      trace = now
      if kept.anchors[level] == now || kept.anchors[level] == Self.listMark + now { continue }
      guard anchoring.isForgiving else {
        throw problem(
          "has a value kept from \(kept.path) for what was here, and it was changed or moved since; "
            + "use --allow-loss to ignore such values", value)
      }
      self.kept.forget(kept.location)
    }
  }

  /// The canonical hash of a value; values that could be confused with one another have different hashes.
  private func trace(of value: LensValue) -> String {
    guard let bytes = value.digest(in: graph) else { return "" }
    let hash = try? ContentHash(of: ByteStorage(copying: bytes))
    return String(hash?.description.prefix(32) ?? "")
  }

  // MARK: Lists

  /// How the elements of a list are identified: by a member, if its values are unique, otherwise by position.
  func identities(
    of items: [LensValue], _ name: String?
  ) throws(ArchiveError) -> [InstanceLocation.Element] {
    guard let name else { return items.indices.map { .index($0) } }
    let identities = items.map { item in
      InstanceLocation.Identity(item.open(in: graph)?[name]?.scalar(in: graph))
    }
    var counts: [InstanceLocation.Identity: Int] = [:]
    for identity in identities.compactMap({ $0 }) { counts[identity, default: 0] += 1 }
    var elements: [InstanceLocation.Element] = []
    for (index, identity) in identities.enumerated() {
      let element = identity.map {
        InstanceLocation.Element.identified(by: CodePointString(name), as: $0)
      }
      if let element, let identity, counts[identity] == 1 {
        elements.append(element)
        continue
      }
      if let element, kept.holds(self.elements + [element]) {
        throw problem(
          "finds several elements whose '\(name)' is that of one with kept values", items[index])
      }
      elements.append(.index(index))
    }
    return elements
  }

  /// Checks whether a list with elements that could be confused is unchanged since values were kept for it.
  mutating func checkList(_ items: [LensValue], _ pointer: String) throws(ArchiveError) {
    guard kept.hasAnchors else { return }
    let list = LensValue(.list(items))
    for index in items.indices {
      let values = kept.anchored(at: elements + [.index(index)], lens, pointer)
      if values.isEmpty { continue }
      try check(values, list, level: level + 1) { $0.hasPrefix(Self.listMark) }
    }
  }

  /// Anchors the values of elements that are repeated in the list to the whole list.
  mutating func anchorRepeated(_ items: [LensValue], since first: Int) {
    guard anchoring.isRequested, lost.count > first else { return }
    var counts: [[UInt8]: Int] = [:]
    let digests = items.map { $0.digest(in: graph) ?? [] }
    for digest in digests { counts[digest, default: 0] += 1 }
    guard counts.values.contains(where: { $0 > 1 }) else { return }
    let mark = Self.listMark + trace(of: LensValue(.list(items)))
    let depth = elements.count
    anchor(since: first) { value in
      guard value.location.elements.indices.contains(depth),
        case .index(let index) = value.location.elements[depth], digests.indices.contains(index),
        counts[digests[index], default: 0] > 1, value.anchors.indices.contains(0)
      else { return }
      // Outer anchors are added later, before this one.
      value.anchors[0] = mark
    }
  }
}

extension LensValue {
  /// The value as canonical bytes, independent of its envelope; nil if there are none.
  fileprivate func digest(in graph: ObjectGraph) -> [UInt8]? {
    switch content {
    case .node(let node): return ModelDigest.bytes(of: node, in: graph)
    case .scalar(let form): return ModelDigest.bytes(of: form)
    case .list(let items):
      let all = items.compactMap { $0.digest(in: graph) }
      return all.count == items.count ? ModelDigest.bytes(ofList: all) : nil
    case .members(let members):
      let all = members.compactMap { member in
        member.value.digest(in: graph).map { (name: member.name, value: $0) }
      }
      return all.count == members.count ? ModelDigest.bytes(ofMembers: all) : nil
    }
  }
}
