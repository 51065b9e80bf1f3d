// Texts and lists, lists and dictionaries.

import Basics
import ObjectGraph

extension LensRun {
  // MARK: Texts

  /// Makes a text a list of its parts; the empty text has none.
  mutating func split(
    _ name: String?, _ separator: String, _ value: LensValue
  ) throws(ArchiveError) {
    guard let target = try target(name, value) else { return }
    guard case .string(let text)? = target.scalar(in: graph) else {
      throw problem("needs a string, found \(target.kind(in: graph))", target, member: name)
    }
    if let kept = keptValue(), let original = kept.value {
      let list = LensValue(form: original)
      if let parts = texts(list), Self.isSame(parts.joined(separator: separator), text) {
        target.content = list.content
        return
      }
    }
    target.content = .list(
      Self.parts(of: text, separator).map { LensValue(.scalar(.string($0))) })
  }

  /// Makes a list of texts one text; a list that the way back would split otherwise is lost.
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
    if back.count != parts.count || !Swift.zip(back, parts).allSatisfy({ Self.isSame($0, $1) }) {
      lose(
        .value, name, value: form,
        note: "a list of \(parts.count) comes back as one of \(back.count)")
    }
    target.content = .scalar(.string(text))
  }

  private static func isSame(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }

  /// The strings of a list; nil if it is none, or has other elements.
  private func texts(_ list: LensValue) -> [String]? {
    guard let items = list.openList(in: graph) else { return nil }
    var result: [String] = []
    for item in items {
      guard case .string(let text)? = item.scalar(in: graph) else { return nil }
      result.append(text)
    }
    return result
  }

  /// The parts of a text, byte by byte: characters that look alike are no separators.
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
    }
  }

  mutating func ungroup(_ grouping: LensGrouping, _ value: LensValue) throws(ArchiveError) {
    switch grouping {
    case .elements(let name, let key):
      guard let target = try target(name, value) else { return }
      target.content = .list(try elements(of: target, by: key, name))
    case .lists(let keys, let values, let name): try unzip(keys, values, name, value)
    }
  }

  /// The elements of a list as members, each called by one of its own, which it has no more.
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
          "finds a second element whose '\(key)' is \(DerivedForm.string(text).display)", item)
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

  /// A dictionary has no order: the way back sorts by the keys.
  private mutating func loseOrder(of keys: [String], _ name: String?) {
    let isSorted = Swift.zip(keys, keys.dropFirst()).allSatisfy { Self.isBefore($0, $1) }
    if !isSorted { lose(.order, name, value: .list(keys.map { .string($0) })) }
  }

  private static func isBefore(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  /// The members of a dictionary in the order that was kept of them, the others by their keys.
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

  // MARK: Lists side by side

  /// Makes a list of keys and one of values a dictionary.
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
        "needs a list of \(names.count) in '\(values)'", members[second].value, member: values)
    }
    try count(items.count, value)
    var met: Set<[UInt8]> = []
    for key in names where !met.insert(Array(key.utf8)).inserted {
      throw problem("finds the key \(DerivedForm.string(key).display) twice", value, member: keys)
    }
    loseOrder(of: names, keys)
    let entries = Swift.zip(names, items).map {
      LensValue.Member(name: $0, key: nil, value: $1)
    }
    members[first] = LensValue.Member(name: name, key: nil, value: LensValue(.members(entries)))
    members.remove(at: second)
    value.content = .members(members)
  }

  /// Makes a dictionary a list of its keys and one of its values.
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
