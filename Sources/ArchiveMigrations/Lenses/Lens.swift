// Lenses: they convert a value of one version to another version, and back.
//
// The vocabulary is Cambria's: Geoffrey Litt, Peter van Hardenberg and Orion Henry, "Project Cambria: Translate your
// data with lenses", Ink & Switch, 2020.

import ArchiveGraph
import ArchivePropertyLists

/// A list of operations, each of which runs in both directions.
package struct Lens: Sendable {
  /// The operations, in the order of the forward direction.
  package let operations: [LensOperation]
  /// Whether it has only a forward direction: its file states that there is no inverse.
  package internal(set) var isOneWay = false
  /// The lenses that its file names, for `use`; empty for nested lenses.
  package internal(set) var named: [String: Lens] = [:]
  /// The member that identifies the elements of a list in `map`; nil to use their positions.
  package internal(set) var elementName: String?
  /// The regular expression that the names of the members match that `map` applies to; nil for all.
  package internal(set) var memberPattern: String?

  /// Whether it leaves every value unchanged.
  package var isIdentity: Bool { operations.isEmpty }

  /// The operations in the order of a direction.
  package func operations(_ direction: LensDirection) -> [LensOperation] {
    direction == .forward ? operations : operations.reversed()
  }
}

/// The direction in which a lens is applied.
package enum LensDirection: String, Sendable {
  /// As written in the file.
  case forward
  /// From its target to its source.
  case backward

  /// The other direction.
  package var reversed: LensDirection { self == .forward ? .backward : .forward }
}

/// One operation of a lens file.
package struct LensOperation: Sendable {
  /// The kind of an operation, in the forward direction.
  package indirect enum Kind: Sendable {
    /// Renames a member.
    case rename(source: String, destination: String)
    /// Adds a member to the object; without a default it is absent.
    case add(name: String, default: JSONTree?)
    /// Removes a member; the inverse adds it with the default, or leaves it absent without one.
    case remove(name: String, default: JSONTree?)
    /// Moves a member of a member to the object; `prunes` removes the host if nothing is left in it.
    case hoist(host: String, name: String, prunes: Bool)
    /// Moves a member into another member; `creates` states that the host does not exist before.
    case plunge(host: String, name: String, creates: Bool)
    /// Wraps a member in a list; an absent one becomes an empty list. Without a name, the value itself.
    case wrap(name: String?)
    /// Replaces a list with its first element; an empty list becomes an absent member.
    ///
    /// Without a name, the value itself.
    case head(name: String?)
    /// Applies a lens to a member.
    case `in`(name: String, lens: Lens)
    /// Migrates the archive in the data of a member, or without a name of the value itself, to another version.
    case archive(name: String?, ArchiveStep)
    /// Applies a lens to every element of a list, or to the values of an object's members.
    case map(lens: Lens)
    /// Converts a member, or without a name the value itself.
    case convert(name: String?, ScalarConversion)
    /// Changes the class of the object in a member, or without a name of the value itself.
    case `class`(name: String?, source: String, destination: String)
    /// Stores a scalar directly in the object that it is a member of, or as a separate object.
    case store(name: String, as: FieldStorage)
    /// Sets a member that is absent or null; the inverse leaves it unchanged.
    case `default`(name: String, value: JSONTree)
    /// Makes a null member absent, and backward an absent one null; or the reverse.
    case nullable(name: String, becomesAbsent: Bool)
    /// Copies a member of the object to another name; the inverse removes the copy.
    case copy(source: String, destination: String)
    /// Splits a text into a list of its parts. Without a name, the value itself.
    case split(name: String?, separator: String)
    /// Joins a list of texts into one text. Without a name, the value itself.
    case join(name: String?, separator: String)
    /// Wraps a value in an object as its only member. Without a name, the value itself.
    case nest(name: String?, member: String)
    /// Replaces an object with one of its members. Without a name, the value itself.
    case pluck(name: String?, member: String)
    /// Converts a list to a dictionary.
    case group(LensGrouping)
    /// Converts a dictionary to a list.
    case ungroup(LensGrouping)
    /// Applies a lens to objects that satisfy a condition; the results satisfy the other condition.
    case when(LensCondition, after: LensCondition, lens: Lens)
    /// Applies a lens that the file names.
    case use(name: String)
  }

  /// The kind of the operation.
  package let kind: Kind
  /// Its location in the lens file, a JSON Pointer: `/lens/2/in/lens/0`.
  package let pointer: String
  /// Whether an absent member, null and what the operation gives for them mean the same: `"absent": "same"`.
  package internal(set) var ignoresAbsence = false

  /// The nested lens of `in`, `map` and `when`.
  package var inner: Lens? {
    switch kind {
    case .in(_, let lens), .map(let lens), .when(_, _, let lens): lens
    default: nil
    }
  }
}

// MARK: - The names of operations, for lens files and for plans

extension LensOperation {
  /// The operation as a plan describes it: `remove note`, `hoist calories out of nutrition`.
  package var title: String {
    switch kind {
    case .rename(let source, let destination): "rename \(source) to \(destination)"
    case .hoist(let host, let name, _): "hoist \(name) out of \(host)"
    case .plunge(let host, let name, _): "plunge \(name) into \(host)"
    case .head(let name): "head of \(name ?? "the value")"
    case .add(let name, _): "add \(name)"
    case .remove(let name, _): "remove \(name)"
    case .in(let name, _): "in \(name)"
    case .default(let name, _): "default \(name)"
    case .use(let name): "use \(name)"
    case .wrap(let name): "wrap \(name ?? "the value")"
    case .convert(let name, _): "convert \(name ?? "the value")"
    case .archive(let name, let step):
      "in the archive of \(name ?? "the value") from \(step.labels.source) to \(step.target)"
    case .map(let lens): lens.memberPattern.map { "map \($0)" } ?? "map"
    case .class(let name, let source, let destination):
      "class of \(name ?? "the value") from \(source) to \(destination)"
    case .store(let name, let storage): "store \(name) \(storage.rawValue)"
    case .nullable(let name, let becomesAbsent):
      "nullable \(name), null to \(becomesAbsent ? "absent" : "present")"
    case .copy(let source, let destination): "copy \(source) to \(destination)"
    case .split(let name, let separator): "split \(name ?? "the value") at \"\(separator)\""
    case .join(let name, let separator): "join \(name ?? "the value") at \"\(separator)\""
    case .nest(let name, let member): "nest \(name ?? "the value") as \(member)"
    case .pluck(let name, let member): "pluck \(member) of \(name ?? "the value")"
    case .group(let grouping): "group \(grouping.title)"
    case .ungroup(let grouping): "ungroup \(grouping.title)"
    case .when(let condition, _, _): "when \(condition.title)"
    }
  }
}

// MARK: - The conditions of `when`

/// A condition on a member.
package struct LensCondition: Sendable, Equatable {
  /// A test of a member.
  package enum Test: Sendable, Equatable {
    /// Whether it equals this scalar.
    case equals(JSONTree)
    /// Whether it is present and not null; or whether it is not.
    case isPresent(Bool)
  }

  /// The member.
  package let member: String
  /// The test.
  package let test: Test

  /// The text for plans and messages: `type is "url"`.
  var title: String {
    switch test {
    case .equals(let value): "\(member) is \(SyntheticValue(value).display)"
    case .isPresent(let flag): flag ? "there is \(member)" : "there is no \(member)"
    }
  }
}

// MARK: - The lists that `group` converts to dictionaries

/// A list and a dictionary with equivalent contents.
package enum LensGrouping: Sendable, Equatable {
  /// A list of objects, each with a member that becomes its key; without a name, the value itself.
  case elements(name: String?, by: String)
  /// Two parallel lists, such as the members `NS.keys` and `NS.objects`.
  case lists(keys: String, values: String, into: String)
  /// A list of keys and values in turn, as Codable writes other dictionaries than those with names.
  ///
  /// Without a name, the value itself.
  case alternating(name: String?, keys: AlternatingKeys)

  /// The keys in a list of keys and values in turn.
  package enum AlternatingKeys: String, Sendable {
    /// Texts.
    case string
    /// Integers, which are written in decimal as names.
    case integer
  }

  /// The member that it applies to; nil for the value itself, and for parallel lists.
  var name: String? {
    switch self {
    case .elements(let name, _), .alternating(let name, _): name
    case .lists: nil
    }
  }

  /// The text for plans.
  var title: String {
    switch self {
    case .elements(let name, let key): "\(name ?? "the value") by \(key)"
    case .lists(let keys, let values, let name): "\(keys) and \(values) into \(name)"
    case .alternating(let name, _): "\(name ?? "the value") of keys and values in turn"
    }
  }
}

// MARK: - One-way lenses on an archive's path

extension MigrationTask {
  /// Why the path cannot be used; nil if it can.
  var oneWayRefusal: String? {
    guard let step = path.first(where: \.isAgainstOneWay) else { return nil }
    let file = step.file
    return
      "the lens \(file.name) is one-way, from \(file.source) to \(file.target) (its 'direction' is forward)"
  }
}

// MARK: - Operations as they apply in a direction: backwards, each is its inverse

extension LensOperation.Kind {
  /// The operation whose forward direction equals this one in a direction.
  func resolved(for direction: LensDirection) -> LensOperation.Kind {
    if direction == .forward { return self }
    switch self {
    case .rename(let source, let destination):
      return .rename(source: destination, destination: source)
    case .add(let name, let standard): return .remove(name: name, default: standard)
    case .remove(let name, let standard): return .add(name: name, default: standard)
    case .hoist(let host, let name, let prunes):
      return .plunge(host: host, name: name, creates: prunes)
    case .plunge(let host, let name, let creates):
      return .hoist(host: host, name: name, prunes: creates)
    case .wrap(let name): return .head(name: name)
    case .head(let name): return .wrap(name: name)
    case .archive(let name, let step): return .archive(name: name, step.resolved(for: .backward))
    case .class(let name, let source, let destination):
      return .class(name: name, source: destination, destination: source)
    case .store(let name, let storage): return .store(name: name, as: storage.other)
    case .nullable(let name, let becomesAbsent):
      return .nullable(name: name, becomesAbsent: !becomesAbsent)
    case .copy(_, let destination): return .remove(name: destination, default: nil)
    case .split(let name, let separator): return .join(name: name, separator: separator)
    case .join(let name, let separator): return .split(name: name, separator: separator)
    case .nest(let name, let member): return .pluck(name: name, member: member)
    case .pluck(let name, let member): return .nest(name: name, member: member)
    case .group(let grouping): return .ungroup(grouping)
    case .ungroup(let grouping): return .group(grouping)
    case .when(let condition, let after, let lens):
      return .when(after, after: condition, lens: lens)
    // The inverse of `default` depends on the kept values: without them it leaves values unchanged.
    case .in, .map, .convert, .default, .use: return self
    }
  }
}
