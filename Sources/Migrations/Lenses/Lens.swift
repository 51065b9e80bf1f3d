// Lenses: how a value of one version becomes a value of another, and back.
//
// The vocabulary is Cambria's: Geoffrey Litt, Peter van Hardenberg and Orion Henry, "Project Cambria: Translate your
// data with lenses", Ink & Switch, 2020.

import ObjectGraph
import PropertyLists

/// A list of operations, each of which runs in both directions.
public struct Lens: Sendable {
  /// The operations, in the order of the forward direction.
  public let operations: [LensOperation]
  /// Whether it leads forward only: its file says that there is no way back.
  public let isOneWay: Bool
  /// The lenses that its file names, for `use`; empty for lenses within others.
  public let named: [String: Lens]
  /// The member by which `map` follows the elements of a list that the lens is applied to; nil for their positions.
  public let elementName: String?

  /// Makes a lens.
  public init(
    operations: [LensOperation], isOneWay: Bool = false, named: [String: Lens] = [:],
    elementName: String? = nil
  ) {
    self.operations = operations
    self.isOneWay = isOneWay
    self.named = named
    self.elementName = elementName
  }

  /// Whether it leaves every value as it is.
  public var isIdentity: Bool { operations.isEmpty }

  /// The operations in the order of a direction.
  public func operations(_ direction: LensDirection) -> [LensOperation] {
    direction == .forward ? operations : operations.reversed()
  }
}

/// Which way a lens is looked through.
public enum LensDirection: String, Sendable {
  /// As the file has it.
  case forward
  /// From its target to its source.
  case backward

  /// The other direction.
  public var reversed: LensDirection { self == .forward ? .backward : .forward }
}

/// One operation of a lens file.
public struct LensOperation: Sendable {
  /// What an operation does, looked at in the forward direction.
  public indirect enum Kind: Sendable {
    /// Gives a member another name.
    case rename(source: String, destination: String)
    /// Gives the object a member; without a default it is absent.
    case add(name: String, default: JSONTree?)
    /// Takes a member away; the way back gives it the default, or leaves it absent without one.
    case remove(name: String, default: JSONTree?)
    /// Takes a member out of a member; `prunes` takes away the host when nothing is left in it.
    case hoist(host: String, name: String, prunes: Bool)
    /// Puts a member into another member; `creates` says that the host is not there before.
    case plunge(host: String, name: String, creates: Bool)
    /// Makes a member a list of itself; an absent one an empty list. Without a name the value itself.
    case wrap(name: String?)
    /// Makes a list its first element; an empty list an absent member. Without a name the value itself.
    case head(name: String?)
    /// Applies a lens to a member.
    case `in`(name: String, lens: Lens)
    /// Takes the archive that a member, or without a name the value itself, holds as data between versions of its family.
    case archive(name: String?, ArchiveStep)
    /// Applies a lens to every element of a list, or to every value of a dictionary.
    case map(lens: Lens)
    /// Converts a member, or without a name the value itself.
    case convert(name: String?, ScalarConversion)
    /// Gives the object that a member is, or without a name the value itself, another class.
    case `class`(name: String?, source: String, destination: String)
    /// Stores a scalar in the object that it is a member of, or as an object of its own.
    case store(name: String, as: FieldStorage)
    /// Gives the object a member that is absent or null; the way back leaves it.
    case `default`(name: String, value: JSONTree)
    /// Makes a member that is null absent, and backward an absent one null; or the other way about.
    case nullable(name: String, becomesAbsent: Bool)
    /// Gives a member to the object a second time, by another name; the way back takes that away.
    case copy(source: String, destination: String)
    /// Makes a text a list of its parts. Without a name the value itself.
    case split(name: String?, separator: String)
    /// Makes a list of texts one text. Without a name the value itself.
    case join(name: String?, separator: String)
    /// Makes a value an object that has it as its only member. Without a name the value itself.
    case nest(name: String?, member: String)
    /// Makes an object one of its members. Without a name the value itself.
    case pluck(name: String?, member: String)
    /// Makes a list a dictionary.
    case group(LensGrouping)
    /// Makes a dictionary a list.
    case ungroup(LensGrouping)
    /// Applies a lens to objects of which a condition holds; of what it makes the other condition holds.
    case when(LensCondition, after: LensCondition, lens: Lens)
    /// Applies a lens that the file names.
    case use(name: String)
  }

  /// What it does.
  public let kind: Kind
  /// Its place in the lens file, a JSON Pointer: `/lens/2/in/lens/0`.
  public let pointer: String

  /// Makes an operation.
  public init(_ kind: Kind, pointer: String) {
    self.kind = kind
    self.pointer = pointer
  }

  /// The lens inside, of `in`, `map` and `when`.
  public var inner: Lens? {
    switch kind {
    case .in(_, let lens), .map(let lens), .when(_, _, let lens): lens
    default: nil
    }
  }
}

// MARK: - The words of operations, for lens files and for plans

extension LensOperation {
  /// The operation as a plan names it: `remove note`, `hoist calories out of nutrition`.
  public var title: String {
    switch kind {
    case .rename(let source, let destination): "rename \(source) to \(destination)"
    case .hoist(let host, let name, _): "hoist \(name) out of \(host)"
    case .plunge(let host, let name, _): "plunge \(name) into \(host)"
    case .head(let name): "head of \(name ?? "the value")"
    case .add(let name, _), .remove(let name, _), .in(let name, _), .default(let name, _),
      .use(let name):
      "\(word) \(name)"
    case .wrap(let name), .convert(let name, _): "\(word) \(name ?? "the value")"
    case .archive(let name, let step):
      "in the archive of \(name ?? "the value") from \(step.labels.source) to \(step.target)"
    case .map: "map"
    case .class(let name, let source, let destination):
      "class of \(name ?? "the value") from \(source) to \(destination)"
    case .store(let name, let storage): "store \(name) \(storage.rawValue)"
    case .nullable(let name, let becomesAbsent):
      "nullable \(name), null to \(becomesAbsent ? "absent" : "present")"
    case .copy(let source, let destination): "copy \(source) to \(destination)"
    case .split(let name, let separator), .join(let name, let separator):
      "\(word) \(name ?? "the value") at \"\(separator)\""
    case .nest(let name, let member): "nest \(name ?? "the value") as \(member)"
    case .pluck(let name, let member): "pluck \(member) of \(name ?? "the value")"
    case .group(let grouping), .ungroup(let grouping): "\(word) \(grouping.title)"
    case .when(let condition, _, _): "when \(condition.title)"
    }
  }

  /// The operation's word in lens files.
  public var word: String {
    switch kind {
    case .rename: "rename"
    case .add: "add"
    case .remove: "remove"
    case .hoist: "hoist"
    case .plunge: "plunge"
    case .wrap: "wrap"
    case .head: "head"
    case .in, .archive: "in"
    case .map: "map"
    case .convert: "convert"
    case .class: "class"
    case .store: "store"
    case .default: "default"
    case .nullable: "nullable"
    case .copy: "copy"
    case .split: "split"
    case .join: "join"
    case .nest: "nest"
    case .pluck: "pluck"
    case .group: "group"
    case .ungroup: "ungroup"
    case .when: "when"
    case .use: "use"
    }
  }
}

// MARK: - What `when` asks of an object

/// A condition on a member.
public struct LensCondition: Sendable, Equatable {
  /// What is asked.
  public enum Test: Sendable, Equatable {
    /// Whether it is this scalar.
    case equals(JSONTree)
    /// Whether it is there, and not null; or whether it is not.
    case isPresent(Bool)
  }

  /// The member.
  public let member: String
  /// What is asked of it.
  public let test: Test

  /// Makes a condition.
  public init(member: String, _ test: Test) {
    self.member = member
    self.test = test
  }

  /// As plans and messages name it: `type is "url"`.
  var title: String {
    switch test {
    case .equals(let value): "\(member) is \(SyntheticValue(value).display)"
    case .isPresent(let flag): flag ? "there is \(member)" : "there is no \(member)"
    }
  }
}

// MARK: - Which lists `group` makes dictionaries

/// A list and a dictionary that tell the same.
public enum LensGrouping: Sendable, Equatable {
  /// A list of objects by a member of each, which becomes the key; without a name the value itself.
  case elements(name: String?, by: String)
  /// Two lists side by side, as in the members `NS.keys` and `NS.objects`.
  case lists(keys: String, values: String, into: String)

  /// As plans name it.
  var title: String {
    switch self {
    case .elements(let name, let key): "\(name ?? "the value") by \(key)"
    case .lists(let keys, let values, let name): "\(keys) and \(values) into \(name)"
    }
  }
}

// MARK: - Lenses that lead forward only, on the way of an archive

extension Travel {
  /// The names of the lenses on the way that lead forward only.
  var oneWay: [String] {
    way.filter { $0.file.lens.isOneWay && !$0.file.lens.isIdentity }.map(\.file.name)
  }

  /// Why the way cannot be gone; nil if it can.
  var oneWayRefusal: String? {
    guard let step = way.first(where: \.isAgainstOneWay) else { return nil }
    let file = step.file
    return
      "the lens \(file.name) is one-way, from \(file.source) to \(file.target) (its 'direction' is forward)"
  }
}
