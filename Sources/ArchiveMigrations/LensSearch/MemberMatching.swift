// The members of an object while operations are found that lead to those of another.

import ArchiveGraph
import ArchivePropertyLists

/// An object between two versions.
struct MemberWork {
  /// The old object after the operations so far.
  private(set) var old: SchemaShape
  let new: SchemaShape
  /// The values of samples after the operations so far.
  private(set) var seen: [LensWitness]
  private(set) var operations: [JSONTree] = []
  /// The names of members about which a question is open.
  var reserved: Set<String> = []
  /// The copies of other members, which are as these are.
  private(set) var copied: Set<String> = []

  /// The members that only the old object has.
  var removed: [SchemaShape.Member] {
    old.members.filter { new.member($0.name) == nil && !reserved.contains($0.name) }
  }

  /// The members that only the new object has.
  var added: [SchemaShape.Member] {
    new.members.filter { old.member($0.name) == nil && !reserved.contains($0.name) }
  }

  mutating func append(_ operations: [JSONTree]) { self.operations += operations }

  mutating func rename(_ source: String, _ destination: String) {
    guard source != destination, let member = old.member(source) else { return }
    old.remove(source)
    old.set(destination, member.schema, isRequired: member.isRequired)
    seen = seen.changing { value in
      value.setting(source, nil).setting(destination, value.member(source))
    }
    operations.append(LensTrees.rename(source, destination))
  }

  /// Moves a member of a member out of it, and the host away with the last.
  mutating func hoist(_ name: String, from host: String) {
    guard let holder = old.member(host) else { return }
    var inside = old.document.shape(holder.schema)
    guard let member = inside.member(name) else { return }
    inside.remove(name)
    let isEmpty = inside.members.isEmpty && new.member(host) == nil
    old.set(host, isEmpty ? nil : inside.tree, isRequired: !isEmpty && holder.isRequired)
    old.set(name, member.schema, isRequired: member.isRequired && holder.isRequired)
    seen = seen.changing { value in
      guard let held = value.member(host) else { return value }
      return value.setting(host, isEmpty ? nil : held.setting(name, nil))
        .setting(name, held.member(name))
    }
    operations.append(
      LensTrees.operation(
        "hoist", ("host", .string(host)), ("name", .string(name)),
        ("prune", isEmpty ? .boolean(true) : nil)))
  }

  /// Moves a member into a member, which is made with the first.
  mutating func plunge(_ name: String, into host: String) {
    guard let member = old.member(name) else { return }
    let holder = old.member(host)
    var inside = holder.map { old.document.shape($0.schema) } ?? .empty(in: old.document)
    inside.set(name, member.schema, isRequired: member.isRequired)
    old.remove(name)
    old.set(host, inside.tree, isRequired: holder?.isRequired == true || member.isRequired)
    seen = seen.changing { value in
      guard let moved = value.member(name) else { return value }
      let held = value.member(host) ?? .members([])
      return value.setting(name, nil).setting(host, held.setting(name, moved))
    }
    operations.append(
      LensTrees.operation(
        "plunge", ("host", .string(host)), ("name", .string(name)),
        ("create", holder == nil ? .boolean(true) : nil)))
  }

  /// Adds a copy of a member.
  mutating func copy(_ source: String, _ destination: String) {
    guard let member = old.member(source) else { return }
    old.set(destination, member.schema, isRequired: member.isRequired)
    copied.insert(destination)
    operations.append(
      LensTrees.operation("copy", on: nil, ["source": source, "destination": destination]))
  }

  /// Makes a dictionary of a list of keys and a list of values, or the reverse.
  mutating func group(_ word: String, keys: String, values: String, into map: String) {
    let isGroup = word == "group"
    for name in isGroup ? [keys, values] : [map] { old.remove(name) }
    for name in isGroup ? [map] : [keys, values] {
      if let member = new.member(name) {
        old.set(name, .boolean(true), isRequired: member.isRequired)
      }
    }
    operations.append(
      LensTrees.operation(word, on: nil, ["keys": keys, "values": values, "into": map]))
  }
}
