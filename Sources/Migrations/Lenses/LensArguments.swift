// The members of an operation in a lens file.

import Basics
import ObjectGraph
import PropertyLists
import Schemas

/// What an operation is given.
struct LensArguments {
  let tree: JSONTree
  let pointer: String

  /// - Throws: `ArchiveError` if there is a member that the operation does not take.
  func check(allowed names: [String]) throws(ArchiveError) {
    for (name, _) in tree.members ?? [] where !names.contains(name) && name != "$comment" {
      throw LensReader.fault(
        "it takes no '\(name)', only \(names.joined(separator: ", "))",
        pointer + "/" + JSONPointer.escaped(name))
    }
  }

  /// The name of a member, which must be given.
  func name(_ argument: String) throws(ArchiveError) -> String {
    if let name = try optionalName(argument) { return name }
    throw LensReader.fault("'\(argument)' is missing", pointer)
  }

  /// The name of a member, nil if none is given.
  func optionalName(_ argument: String) throws(ArchiveError) -> String? {
    guard let value = tree[argument] else { return nil }
    guard let name = value.string else {
      throw LensReader.fault("'\(argument)' is the name of a member", pointer + "/" + argument)
    }
    return name
  }

  /// A member and the one that holds it on the other side; two names, or the way back could not tell them apart.
  func hostAndName() throws(ArchiveError) -> (host: String, name: String) {
    let (host, name) = (try self.name("host"), try self.name("name"))
    guard !host.utf8.elementsEqual(name.utf8) else {
      throw LensReader.fault("'host' and 'name' name one member", pointer)
    }
    return (host, name)
  }

  /// A flag, false unless it is given.
  func flag(_ argument: String) throws(ArchiveError) -> Bool {
    guard let value = tree[argument] else { return false }
    guard let flag = value.boolean else {
      throw LensReader.fault("'\(argument)' is true or false", pointer + "/" + argument)
    }
    return flag
  }

  /// The names that a member has before and after.
  func twoNames() throws(ArchiveError) -> (source: String, destination: String) {
    let (source, destination) = (try name("source"), try name("destination"))
    guard !source.utf8.elementsEqual(destination.utf8) else {
      throw LensReader.fault("'source' and 'destination' name one member", pointer)
    }
    return (source, destination)
  }

  /// The versions that an archive is taken between; nil where a lens is given instead.
  func archiveStep() throws(ArchiveError) -> ArchiveStep? {
    guard let value = tree["archive"] else { return nil }
    if tree["lens"] != nil {
      throw LensReader.fault("'archive' and 'lens' are two ways in; take one", pointer)
    }
    let members = value.members?.map(\.0) ?? []
    guard Set(members) == ["from", "to"], let source = Self.version(value["from"]),
      let target = Self.version(value["to"]), source.family == target.family,
      source.name != target.name
    else {
      throw LensReader.fault(
        "'archive' is {\"from\": \"NAME@VERSION\", \"to\": \"NAME@VERSION\"}, two versions of one family",
        pointer + "/archive")
    }
    return ArchiveStep(family: source.family, source: source.name, target: target.name)
  }

  private static func version(_ tree: JSONTree?) -> (family: String, name: String)? {
    guard let parts = tree?.string?.split(separator: "@"), parts.count == 2 else { return nil }
    return (String(parts[0]), String(parts[1]))
  }

  /// Where `store` puts a scalar.
  func storage() throws(ArchiveError) -> FieldStorage {
    guard let value = tree["as"] else { throw LensReader.fault("'as' is missing", pointer) }
    if let storage = value.string.flatMap({ FieldStorage(rawValue: $0) }) {
      return storage
    }
    throw LensReader.fault("'as' is inline or boxed", pointer + "/as")
  }

  /// The default, nil if none is given.
  func standard() throws(ArchiveError) -> JSONTree? {
    guard let value = tree["default"] else { return nil }
    try Self.checkTags(value, pointer + "/default")
    return value
  }

  /// A tag whose value is wrong would be taken for an object with one member, and an integer of over 64 bits rounded; trees
  /// are of bounded depth.
  static func checkTags(_ value: JSONTree, _ pointer: String) throws(ArchiveError) {
    if case .wide = value { throw LensReader.fault("the integer takes over 64 bits", pointer) }
    for (index, item) in (value.list ?? []).enumerated() {
      try checkTags(item, "\(pointer)/\(index)")
    }
    guard let members = value.members else { return }
    if members.count == 1, let (tag, content) = members.first, DerivedForm.tags.contains(tag),
      DerivedForm.tagged(tag, content) == nil
    {
      throw LensReader.fault(
        "'\(tag)' cannot be \(content.summary)", pointer + "/" + JSONPointer.escaped(tag))
    }
    for (name, member) in members {
      try checkTags(member, pointer + "/" + JSONPointer.escaped(name))
    }
  }
}
