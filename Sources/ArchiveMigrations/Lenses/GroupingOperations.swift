// Converts between texts and lists, and between lists and dictionaries.

import ArchiveBasics
import ArchiveGraph

extension LensRun {
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
    let (before, path) = (position.path, position.path(to: name))
    defer { position.path = before }
    var entries: [LensValue.Member] = []
    var met: Set<CodePointString> = []
    for (index, item) in items.enumerated() {
      position.path = path.appending(.index(index))
      var members = try members(item)
      guard let keyIndex = members.index(key),
        case .string(let text)? = members[keyIndex].value.scalar(in: graph)
      else { throw problem("needs a string in '\(key)'", item) }
      guard met.insert(CodePointString(text)).inserted else {
        throw problem(
          "finds a second element whose '\(key)' is \(SyntheticValue.string(text).display)", item,
          about: .refusedContent)
      }
      members.remove(at: keyIndex)
      item.content = .members(members)
      entries.append(LensValue.Member(text, item))
    }
    return entries
  }

  /// The values of a dictionary as a list, each with its key as a member.
  private mutating func elements(
    of entries: [LensValue.Member], by key: String, _ name: String?
  ) throws(ArchiveError) -> [LensValue] {
    let (before, path) = (position.path, position.path(to: name))
    defer { position.path = before }
    for entry in entries {
      position.path = path.appending(.key(entry.name))
      let members = try members(entry.value)
      try requireAbsent(key, in: members, entry.value)
      let text = LensValue(.scalar(.string(entry.name)))
      entry.value.content = .members([LensValue.Member(key, text)] + members)
    }
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
