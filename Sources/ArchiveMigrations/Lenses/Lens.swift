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
  /// The kind of an operation, in the forward direction; of two that are inverses, one is the other's `isInverse`.
  indirect enum Kind: Sendable {
    /// Renames a member.
    case rename(source: String, destination: String)
    /// Adds a member to the object, without a default an absent one; the inverse is `remove`.
    case add(name: String, default: JSONTree?, isInverse: Bool)
    /// Moves a member of a member to the object, and removes a host that it leaves empty.
    ///
    /// The inverse, `plunge`, moves a member into another one, and makes a host that is absent.
    case hoist(host: String, name: String, ownsHost: Bool, isInverse: Bool)
    /// Wraps a member in a list; an absent one becomes an empty list. Without a name, the value itself.
    ///
    /// The inverse, `head`, replaces a list with its first element; an empty list becomes an absent member.
    case wrap(name: String?, isInverse: Bool)
    /// Changes a member that is present, or without a name the value itself.
    case change(name: String?, ValueChange)
    /// Applies a lens to a member.
    case `in`(name: String, lens: Lens)
    /// Applies a lens to every element of a list, or to the values of an object's members.
    case map(lens: Lens)
    /// Sets a member that is absent or null; the inverse leaves it unchanged.
    case `default`(name: String, value: JSONTree)
    /// Makes a null member absent, and backward an absent one null; or the reverse.
    case nullable(name: String, becomesAbsent: Bool)
    /// Copies a member of the object to another name; the inverse removes the copy.
    case copy(source: String, destination: String)
    /// Makes a dictionary of two parallel lists, such as `NS.keys` and `NS.objects`; or the lists of a dictionary.
    case combine(keys: String, values: String, into: String, isInverse: Bool)
    /// Applies a lens to objects that satisfy a condition; the results satisfy the other condition.
    case when(LensCondition, after: LensCondition, lens: Lens)
    /// Applies a lens that the file names.
    case use(name: String)
  }

  let kind: Kind
  /// Its location in the lens file, a JSON Pointer: `/lens/2/in/lens/0`.
  let pointer: String
  /// Whether an absent member, null and what the operation gives for them mean the same: `"absent": "same"`.
  var ignoresAbsence = false

  /// The nested lens of `in`, `map` and `when`.
  var inner: Lens? {
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
    case .hoist(let host, let name, _, let isInverse):
      isInverse ? "plunge \(name) into \(host)" : "hoist \(name) out of \(host)"
    case .add(let name, _, let isInverse): "\(isInverse ? "remove" : "add") \(name)"
    case .in(let name, _): "in \(name)"
    case .default(let name, _): "default \(name)"
    case .use(let name): "use \(name)"
    case .wrap(let name, let isInverse):
      "\(isInverse ? "head of" : "wrap") \(name ?? "the value")"
    case .change(let name, let change): change.title(of: name ?? "the value")
    case .map(let lens): lens.memberPattern.map { "map \($0)" } ?? "map"
    case .nullable(let name, let becomesAbsent):
      "nullable \(name), null to \(becomesAbsent ? "absent" : "present")"
    case .copy(let source, let destination): "copy \(source) to \(destination)"
    case .combine(let keys, let values, let name, let isInverse):
      "\(isInverse ? "ungroup" : "group") \(keys) and \(values) into \(name)"
    case .when(let condition, _, _): "when \(condition.title)"
    }
  }
}

// MARK: - The changes of a value that stays where it is

/// A change of a value.
enum ValueChange: Sendable {
  /// Converts a scalar, or a value of a few parts.
  case convert(ScalarConversion)
  /// Migrates the archive in data to another version.
  case archive(ArchiveStep)
  /// Changes the class of an object.
  case `class`(source: String, destination: String)
  /// Stores a scalar directly in the object that it is a member of, or as a separate object.
  case store(as: FieldStorage)
  /// Splits a text into a list of its parts; the inverse, `join`, joins a list of texts.
  case split(separator: String, isInverse: Bool)
  /// Wraps a value in an object as its only member; the inverse, `pluck`, replaces an object with a member.
  case nest(member: String, isInverse: Bool)
  /// Converts a list to a dictionary; the inverse, `ungroup`, a dictionary to a list.
  case group(LensGrouping, isInverse: Bool)

  fileprivate func title(of subject: String) -> String {
    switch self {
    case .convert: "convert \(subject)"
    case .archive(let step):
      "in the archive of \(subject) from \(step.labels.source) to \(step.target)"
    case .class(let source, let destination): "class of \(subject) from \(source) to \(destination)"
    case .store(let storage): "store \(subject) \(storage.rawValue)"
    case .split(let separator, let isInverse):
      "\(isInverse ? "join" : "split") \(subject) at \"\(separator)\""
    case .nest(let member, let isInverse):
      isInverse ? "pluck \(member) of \(subject)" : "nest \(subject) as \(member)"
    case .group(.elements(let key), let isInverse):
      "\(isInverse ? "ungroup" : "group") \(subject) by \(key)"
    case .group(.alternating, let isInverse):
      "\(isInverse ? "ungroup" : "group") \(subject) of keys and values in turn"
    }
  }

  /// The opposite change; a conversion has its own two directions.
  fileprivate var inverse: ValueChange {
    switch self {
    case .convert: self
    case .archive(let step): .archive(step.resolved(for: .backward))
    case .class(let source, let destination): .class(source: destination, destination: source)
    case .store(let storage): .store(as: storage.other)
    case .split(let separator, let isInverse): .split(separator: separator, isInverse: !isInverse)
    case .nest(let member, let isInverse): .nest(member: member, isInverse: !isInverse)
    case .group(let grouping, let isInverse): .group(grouping, isInverse: !isInverse)
    }
  }
}

/// A list that has the contents of a dictionary.
enum LensGrouping: Sendable, Equatable {
  /// Objects, each with a member that becomes its key.
  case elements(by: String)
  /// Keys and values in turn, as Codable writes other dictionaries than those with names.
  case alternating(keys: AlternatingKeys)

  /// The keys in a list of keys and values in turn.
  enum AlternatingKeys: String, Sendable {
    case string
    /// Integers, which are written in decimal as names.
    case integer
  }
}

// MARK: - The conditions of `when`

/// A condition on a member.
struct LensCondition: Sendable, Equatable {
  enum Test: Sendable, Equatable {
    /// Whether it equals this scalar.
    case equals(JSONTree)
    /// Whether it is present and not null; or whether it is not.
    case isPresent(Bool)
  }

  let member: String
  let test: Test

  /// The text for plans and messages: `type is "url"`.
  var title: String {
    switch test {
    case .equals(let value): "\(member) is \(SyntheticValue(value).display)"
    case .isPresent(let flag): flag ? "there is \(member)" : "there is no \(member)"
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
    direction == .forward ? self : inverse
  }

  private var inverse: LensOperation.Kind {
    switch self {
    case .rename(let source, let destination): .rename(source: destination, destination: source)
    case .add(let name, let standard, let isInverse):
      .add(name: name, default: standard, isInverse: !isInverse)
    case .hoist(let host, let name, let ownsHost, let isInverse):
      .hoist(host: host, name: name, ownsHost: ownsHost, isInverse: !isInverse)
    case .wrap(let name, let isInverse): .wrap(name: name, isInverse: !isInverse)
    case .change(let name, let change): .change(name: name, change.inverse)
    case .nullable(let name, let becomesAbsent):
      .nullable(name: name, becomesAbsent: !becomesAbsent)
    case .copy(_, let destination): .add(name: destination, default: nil, isInverse: true)
    case .combine(let keys, let values, let name, let isInverse):
      .combine(keys: keys, values: values, into: name, isInverse: !isInverse)
    case .when(let condition, let after, let lens): .when(after, after: condition, lens: lens)
    // The inverse of `default` depends on the kept values: without them it leaves values unchanged.
    case .in, .map, .default, .use: self
    }
  }
}
