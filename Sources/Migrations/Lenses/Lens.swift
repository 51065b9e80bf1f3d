// Lenses: how a value of one version becomes a value of another, and back.
//
// The vocabulary is Cambria's: Geoffrey Litt, Peter van Hardenberg and Orion Henry, "Project Cambria: Translate your
// data with lenses", Ink & Switch, 2020.

import PropertyLists

/// A list of operations, each of which runs in both directions.
public struct Lens: Sendable {
  /// The operations, in the order of the forward direction.
  public let operations: [LensOperation]
  /// The member by which `map` follows the elements of a list that the lens is applied to; nil for their positions.
  public let elementName: String?

  /// Makes a lens.
  public init(operations: [LensOperation], elementName: String? = nil) {
    self.operations = operations
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
    /// Applies a lens to every element of a list, or to every value of a dictionary.
    case map(lens: Lens)
    /// Converts a member, or without a name the value itself.
    case convert(name: String?, ScalarConversion)
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

  /// The operation as a plan names it: `remove note`, `hoist calories out of nutrition`.
  public var title: String {
    switch kind {
    case .rename(let source, let destination): "rename \(source) to \(destination)"
    case .add(let name, _): "add \(name)"
    case .remove(let name, _): "remove \(name)"
    case .hoist(let host, let name, _): "hoist \(name) out of \(host)"
    case .plunge(let host, let name, _): "plunge \(name) into \(host)"
    case .wrap(let name): "wrap \(name ?? "the value")"
    case .head(let name): "head of \(name ?? "the value")"
    case .in(let name, _): "in \(name)"
    case .map: "map"
    case .convert(let name, _): "convert \(name ?? "the value")"
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
    case .in: "in"
    case .map: "map"
    case .convert: "convert"
    }
  }

  /// The lens inside, of `in` and `map`.
  public var inner: Lens? {
    switch kind {
    case .in(_, let lens), .map(let lens): lens
    default: nil
    }
  }
}
