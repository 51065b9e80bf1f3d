// Converts between texts and lists, and between lists and dictionaries.

import ArchiveBasics
import ArchiveGraph

extension LensInterpreter {
  // MARK: Texts

  /// Splits a text into a list of its parts; the empty text has none.
  mutating func split(_ target: LensValue, _ separator: String) throws(ArchiveError) {
    guard let text = target.text(in: graph) else { throw problem(wanting: "a string", target) }
    if let original = keptValue()?.value {
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
  mutating func join(_ target: LensValue, _ separator: String) throws(ArchiveError) {
    let form = target.form
    guard let parts = texts(target) else { throw problem(wanting: "a list of strings", target) }
    let text = parts.joined(separator: separator)
    let back = Self.parts(of: text, separator)
    if !back.haveSameScalars(as: parts) {
      let note = "a list of \(parts.count) would come back as one of \(back.count)"
      lose(.value, value: form, note: note)
    }
    target.content = .scalar(.string(text))
  }

  /// The strings of a list; nil if it is not a list of strings.
  private func texts(_ list: LensValue) -> [String]? {
    guard let items = list.openList(in: graph) else { return nil }
    let texts = items.compactMap { $0.text(in: graph) }
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

  mutating func group(_ list: LensValue, _ grouping: LensGrouping) throws(ArchiveError) {
    let items = try items(list)
    let entries =
      switch grouping {
      case .elements(let key): try entries(of: items, by: key)
      case .alternating(let type): try entries(inTurn: items, type, list)
      }
    loseOrder(of: entries.map(\.name))
    list.content = .members(entries)
  }

  mutating func ungroup(_ dictionary: LensValue, _ grouping: LensGrouping) throws(ArchiveError) {
    let entries = try ordered(dictionary)
    switch grouping {
    case .elements(let key): dictionary.content = .list(try elements(of: entries, by: key))
    case .alternating(let type):
      var items: [LensValue] = []
      for entry in entries {
        items += [LensValue(.scalar(try key(entry.name, type, dictionary))), entry.value]
      }
      dictionary.content = .list(items)
    }
  }

  /// The elements of a list as members; each is named by one of its own members, which is removed from it.
  private mutating func entries(
    of items: [LensValue], by key: String
  ) throws(ArchiveError) -> [LensValue.Member] {
    let path = position.path
    defer { position.path = path }
    var entries: [LensValue.Member] = []
    var met: Set<CodePointString> = []
    for (index, item) in items.enumerated() {
      position.path = path.appending(.index(index))
      var members = try members(item)
      guard let keyIndex = members.index(key),
        let text = members[keyIndex].value.text(in: graph)
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
    of entries: [LensValue.Member], by key: String
  ) throws(ArchiveError) -> [LensValue] {
    let path = position.path
    defer { position.path = path }
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
  private mutating func loseOrder(of keys: [String], in member: String? = nil) {
    let isSorted = zip(keys, keys.dropFirst()).allSatisfy {
      CodePointString($0) < CodePointString($1)
    }
    if !isSorted { lose(.order, member, value: .list(keys.map { .string($0) })) }
  }

  /// The members of a dictionary in the order that was kept, the others by their keys.
  private mutating func ordered(
    _ dictionary: LensValue, at member: String? = nil
  ) throws(ArchiveError) -> [LensValue.Member] {
    let members = try members(dictionary, at: member, wanted: "a dictionary")
    var ranks: [CodePointString: Int] = [:]
    let kept = keptValue()?.value(of: .order)
    for (index, key) in (kept.flatMap(texts) ?? []).enumerated() {
      ranks[CodePointString(key)] = index
    }
    return members.map { (key: CodePointString($0.name), member: $0) }
      .sorted { (ranks[$0.key] ?? .max, $0.key) < (ranks[$1.key] ?? .max, $1.key) }.map(\.member)
  }

  // MARK: Keys and values in turn

  /// The members that a list of keys and values in turn consists of.
  private mutating func entries(
    inTurn items: [LensValue], _ type: LensGrouping.AlternatingKeys, _ list: LensValue
  ) throws(ArchiveError) -> [LensValue.Member] {
    guard items.count % 2 == 0 else {
      throw problem(
        "needs keys and values in turn, found a list of \(items.count)", list,
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
          list)
      }
      try requireNew(key, &met, list)
      entries.append(LensValue.Member(key, items[position + 1]))
    }
    return entries
  }

  private func requireNew(
    _ key: String, _ met: inout Set<CodePointString>, _ list: LensValue, in member: String? = nil
  ) throws(ArchiveError) {
    guard met.insert(CodePointString(key)).inserted else {
      throw problem(
        "finds the key \(SyntheticValue.string(key).display) twice", list, member: member,
        about: .refusedContent)
    }
  }

  /// A key of a dictionary, as it is listed among keys and values.
  private func key(
    _ text: String, _ type: LensGrouping.AlternatingKeys, _ dictionary: LensValue
  ) throws(ArchiveError) -> SyntheticValue {
    if type == .string { return .string(text) }
    guard let number = Int64(text), "\(number)" == text else {
      throw problem(
        "needs an integer for a key, found \(SyntheticValue.string(text).display)", dictionary,
        about: .refusedContent)
    }
    return .integer(number)
  }

  // MARK: Parallel lists

  /// Converts a list of keys and a list of values to a dictionary.
  mutating func combine(
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
    for key in names { try requireNew(key, &met, value, in: keys) }
    loseOrder(of: names, in: keys)
    let entries = zip(names, items).map { LensValue.Member($0, $1) }
    members[first] = LensValue.Member(name, LensValue(.members(entries)))
    members.remove(at: second)
    value.content = .members(members)
  }

  /// Converts a dictionary to a list of its keys and a list of its values.
  mutating func separate(
    _ keys: String, _ values: String, _ name: String, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    for name in [keys, values] { try requireAbsent(name, in: members, value) }
    guard let position = members.index(name) else { return }
    let entries = try ordered(members[position].value, at: name)
    let names = entries.map { LensValue(.scalar(.string($0.name))) }
    members[position] = LensValue.Member(keys, LensValue(.list(names)))
    members.insert(
      LensValue.Member(values, LensValue(.list(entries.map(\.value)))), at: position + 1)
    value.content = .members(members)
  }
}
