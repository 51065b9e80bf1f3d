// Converts between texts and lists, and between lists and dictionaries.

import Basics
import FileTransactions
import KeyedArchives
import ObjectGraph

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
    var result: [String] = []
    for item in items {
      guard case .string(let text)? = item.scalar(in: graph) else { return nil }
      result.append(text)
    }
    return result
  }

  /// The parts of a text, separated byte by byte: characters that only look like the separator do not count.
  private static func parts(of text: String, _ separator: String) -> [String] {
    if text.isEmpty { return [] }
    let (bytes, mark) = (Array(text.utf8), Array(separator.utf8))
    var result: [String] = []
    var start = 0
    var place = 0
    while place + mark.count <= bytes.count {
      if bytes[place..<place + mark.count].elementsEqual(mark) {
        result.append(String(decoding: bytes[start..<place], as: UTF8.self))
        place += mark.count
        start = place
      } else {
        place += 1
      }
    }
    return result + [String(decoding: bytes[start...], as: UTF8.self)]
  }

  // MARK: Dictionaries

  mutating func group(_ grouping: LensGrouping, _ value: LensValue) throws(ArchiveError) {
    switch grouping {
    case .elements(let name, let key):
      guard let target = try target(name, value) else { return }
      let entries = try entries(of: target, by: key, name)
      loseOrder(of: entries.map(\.name), name)
      target.content = .members(entries)
    case .lists(let keys, let values, let name): try zip(keys, values, name, value)
    case .alternating(let name, let type):
      guard let target = try target(name, value) else { return }
      let entries = try entries(inTurn: target, type, name)
      loseOrder(of: entries.map(\.name), name)
      target.content = .members(entries)
    }
  }

  mutating func ungroup(_ grouping: LensGrouping, _ value: LensValue) throws(ArchiveError) {
    switch grouping {
    case .elements(let name, let key):
      guard let target = try target(name, value) else { return }
      target.content = .list(try elements(of: target, by: key, name))
    case .lists(let keys, let values, let name): try unzip(keys, values, name, value)
    case .alternating(let name, let type):
      guard let target = try target(name, value) else { return }
      target.content = .list(try elements(inTurn: target, type, name))
    }
  }

  /// The elements of a list as members; each is named by one of its own members, which is removed from it.
  private mutating func entries(
    of list: LensValue, by key: String, _ name: String?
  ) throws(ArchiveError) -> [LensValue.Member] {
    let found = list.kind(in: graph)
    guard let items = list.openList(in: graph) else {
      throw problem("needs a list, found \(found)", list, member: name)
    }
    try count(items.count, list)
    let before = path
    if let name { path.steps.append(.key(name)) }
    var entries: [LensValue.Member] = []
    var met: Set<[UInt8]> = []
    for (index, item) in items.enumerated() {
      path.steps.append(.index(index))
      var members = try members(item)
      guard let position = members.firstIndex(where: { $0.isCalled(key) }),
        case .string(let text)? = members[position].value.scalar(in: graph)
      else { throw problem("needs a string in '\(key)'", item) }
      guard met.insert(Array(text.utf8)).inserted else {
        throw problem(
          "finds a second element whose '\(key)' is \(SyntheticValue.string(text).display)", item,
          about: .refusedContent)
      }
      members.remove(at: position)
      item.content = .members(members)
      entries.append(LensValue.Member(name: text, key: nil, value: item))
      path.steps.removeLast()
    }
    path = before
    return entries
  }

  /// The values of a dictionary as a list, each with its key as a member.
  private mutating func elements(
    of dictionary: LensValue, by key: String, _ name: String?
  ) throws(ArchiveError) -> [LensValue] {
    let entries = try ordered(dictionary, name)
    let before = path
    if let name { path.steps.append(.key(name)) }
    var items: [LensValue] = []
    for entry in entries {
      path.steps.append(.key(entry.name))
      let members = try members(entry.value)
      if members.contains(where: { $0.isCalled(key) }) {
        throw problem("finds '\(key)' there already", entry.value, member: key)
      }
      let text = LensValue(.scalar(.string(entry.name)))
      entry.value.content = .members(
        [LensValue.Member(name: key, key: nil, value: text)] + members)
      items.append(entry.value)
      path.steps.removeLast()
    }
    path = before
    return items
  }

  /// Records the loss of the order: a dictionary has none, and the inverse sorts by the keys.
  private mutating func loseOrder(of keys: [String], _ name: String?) {
    let isSorted = Swift.zip(keys, keys.dropFirst()).allSatisfy { Self.isBefore($0, $1) }
    if !isSorted { lose(.order, name, value: .list(keys.map { .string($0) })) }
  }

  private static func isBefore(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  /// The members of a dictionary in the order that was kept, the others by their keys.
  private mutating func ordered(
    _ dictionary: LensValue, _ name: String?
  ) throws(ArchiveError) -> [LensValue.Member] {
    let found = dictionary.kind(in: graph)
    guard let members = dictionary.open(in: graph) else {
      throw problem("needs a dictionary, found \(found)", dictionary, member: name)
    }
    try count(members.count, dictionary)
    var places: [[UInt8]: Int] = [:]
    if let kept = keptValue(), kept.kind == .order, let form = kept.value {
      for (index, key) in (texts(LensValue(form: form)) ?? []).enumerated() {
        places[Array(key.utf8)] = index
      }
    }
    return members.sorted { left, right in
      let (one, other) = (
        places[Array(left.name.utf8)] ?? .max, places[Array(right.name.utf8)] ?? .max
      )
      return one == other ? Self.isBefore(left.name, right.name) : one < other
    }
  }

  // MARK: Keys and values in turn

  /// The members that a list of keys and values in turn consists of.
  private mutating func entries(
    inTurn list: LensValue, _ type: LensGrouping.AlternatingKeys, _ name: String?
  ) throws(ArchiveError) -> [LensValue.Member] {
    let found = list.kind(in: graph)
    guard let items = list.openList(in: graph) else {
      throw problem("needs a list, found \(found)", list, member: name)
    }
    try count(items.count, list)
    guard items.count % 2 == 0 else {
      throw problem(
        "needs keys and values in turn, found a list of \(items.count)", list, member: name,
        about: .refusedContent)
    }
    var entries: [LensValue.Member] = []
    var met: Set<[UInt8]> = []
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
      guard met.insert(Array(key.utf8)).inserted else {
        throw problem(
          "finds the key \(SyntheticValue.string(key).display) twice", list, member: name,
          about: .refusedContent)
      }
      entries.append(LensValue.Member(name: key, key: nil, value: items[position + 1]))
    }
    return entries
  }

  /// The keys and values of a dictionary in turn.
  private mutating func elements(
    inTurn dictionary: LensValue, _ type: LensGrouping.AlternatingKeys, _ name: String?
  ) throws(ArchiveError) -> [LensValue] {
    var items: [LensValue] = []
    for entry in try ordered(dictionary, name) {
      let key: SyntheticValue
      if type == .string {
        key = .string(entry.name)
      } else if let number = Int64(entry.name), "\(number)" == entry.name {
        key = .integer(number)
      } else {
        throw problem(
          "needs an integer for a key, found \(SyntheticValue.string(entry.name).display)",
          dictionary, member: name, about: .refusedContent)
      }
      items += [LensValue(.scalar(key)), entry.value]
    }
    return items
  }

  // MARK: Parallel lists

  /// Converts a list of keys and a list of values to a dictionary.
  private mutating func zip(
    _ keys: String, _ values: String, _ name: String, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    if members.contains(where: { $0.isCalled(name) }) {
      throw problem("finds '\(name)' there already", value, member: name)
    }
    let places = [keys, values].map { name in members.firstIndex { $0.isCalled(name) } }
    guard let first = places[0], let second = places[1] else {
      if places[0] == nil, places[1] == nil { return }
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
    var met: Set<[UInt8]> = []
    for key in names where !met.insert(Array(key.utf8)).inserted {
      throw problem(
        "finds the key \(SyntheticValue.string(key).display) twice", value, member: keys,
        about: .refusedContent)
    }
    loseOrder(of: names, keys)
    let entries = Swift.zip(names, items).map {
      LensValue.Member(name: $0, key: nil, value: $1)
    }
    members[first] = LensValue.Member(name: name, key: nil, value: LensValue(.members(entries)))
    members.remove(at: second)
    value.content = .members(members)
  }

  /// Converts a dictionary to a list of its keys and a list of its values.
  private mutating func unzip(
    _ keys: String, _ values: String, _ name: String, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    for name in [keys, values] where members.contains(where: { $0.isCalled(name) }) {
      throw problem("finds '\(name)' there already", value, member: name)
    }
    guard let place = members.firstIndex(where: { $0.isCalled(name) }) else { return }
    let entries = try ordered(members[place].value, name)
    let names = entries.map { LensValue(.scalar(.string($0.name))) }
    members[place] = LensValue.Member(name: keys, key: nil, value: LensValue(.list(names)))
    members.insert(
      LensValue.Member(name: values, key: nil, value: LensValue(.list(entries.map(\.value)))),
      at: place + 1)
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
    guard case .index? = elements.last else {
      for operation in lens.operations(direction) { try apply(operation, value) }
      return
    }
    for operation in lens.operations(direction) {
      begin(operation)
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
      forget(kept)
    }
  }

  /// The canonical hash of a value; values that could be confused with one another have different hashes.
  private func trace(of value: LensValue) -> String {
    guard let bytes = value.digest(in: graph) else { return "" }
    do throws(ArchiveError) {
      let hash = try ContentHash(of: ByteStorage(copying: bytes))
      return String(hash.description.prefix(32))
    } catch {
      return ""
    }
  }

  // MARK: Lists

  /// How the elements of a list are identified: by a member, if its values are unique, otherwise by position.
  func places(
    of items: [LensValue], _ name: String?
  ) throws(ArchiveError) -> [InstanceLocation.Element] {
    guard let name else { return items.indices.map { .index($0) } }
    let identities = items.map { item -> InstanceLocation.Identity? in
      let member = item.open(in: graph)?.first { $0.isCalled(name) }
      return InstanceLocation.Identity(member?.value.scalar(in: graph))
    }
    var counts: [InstanceLocation.Identity: Int] = [:]
    for identity in identities.compactMap({ $0 }) { counts[identity, default: 0] += 1 }
    var places: [InstanceLocation.Element] = []
    for (index, identity) in identities.enumerated() {
      guard let identity else {
        places.append(.index(index))
        continue
      }
      let place = InstanceLocation.Element.identified(by: CodePointString(name), as: identity)
      if counts[identity] == 1 {
        places.append(place)
      } else if kept.holds(elements + [place]) {
        throw problem(
          "finds several elements whose '\(name)' is that of one with kept values", items[index])
      } else {
        places.append(.index(index))
      }
    }
    return places
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
  mutating func anchorRepeated(
    _ items: [LensValue], _ places: [InstanceLocation.Element], since first: Int
  ) {
    guard anchoring.isRequested, lost.count > first else { return }
    var counts: [[UInt8]: Int] = [:]
    let digests = items.map { $0.digest(in: graph) ?? [] }
    for digest in digests { counts[digest, default: 0] += 1 }
    guard counts.values.contains(where: { $0 > 1 }) else { return }
    let mark = Self.listMark + trace(of: LensValue(.list(items)))
    let depth = elements.count
    anchor(since: first) { value in
      guard value.place.elements.indices.contains(depth),
        case .index(let index) = value.place.elements[depth], digests.indices.contains(index),
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
      var all: [[UInt8]] = []
      for item in items {
        guard let bytes = item.digest(in: graph) else { return nil }
        all.append(bytes)
      }
      return ModelDigest.bytes(ofList: all)
    case .members(let members):
      var all: [(name: String, value: [UInt8])] = []
      for member in members {
        guard let bytes = member.value.digest(in: graph) else { return nil }
        all.append((member.name, bytes))
      }
      return ModelDigest.bytes(ofMembers: all)
    }
  }
}
