// A value of an archive, which can be kept, compared and asked for its content.

import ArchiveBasics
import ArchiveGraph

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A value of an archive: a scalar, a container, or an object of a class.
///
/// It keeps its archive alive. Two nodes are equal if they are the same stored value: a shared object is one node, and a
/// cycle comes back to a node seen before.
public struct ArchiveNode {
  /// The archive of the value.
  public let archive: Archive
  let node: Node

  init(_ archive: Archive, _ node: Node) {
    self.archive = archive
    self.node = node
  }

  var graph: ObjectGraph { archive.graph }
  var value: Value { graph.value(of: node) }

  /// The kind of the value.
  public enum Kind: Sendable {
    case null, boolean, integer, real, date, data, string, uid
    case array, set, orderedSet, dictionary, object
  }

  /// The kind of the value.
  ///
  /// Objects of Foundation are what they hold: an NSString is a string, an NSArray an array.
  public var kind: Kind {
    switch value {
    case .null: .null
    case .boolean: .boolean
    case .integer, .unsigned, .wide: .integer
    case .real, .single: .real
    case .date: .date
    case .data: .data
    case .string: .string
    case .uid: .uid
    case .array: .array
    case .set: .set
    case .orderedSet: .orderedSet
    case .dictionary: .dictionary
    case .object: .object
    }
  }

  // MARK: Classes

  /// The name of the class, demangled where it is a Swift class, of Foundation's objects too; nil without one.
  public var className: String? { classDescription?.displayName }

  /// The class and its superclasses as the archive names them; empty without a class.
  public var classChain: [String] { classDescription?.chain ?? [] }

  private var classDescription: ClassDescription? {
    graph.classIndex(of: node).map { graph.classes[$0] }
  }

  // MARK: Scalars

  /// Whether the value is nil, NSNull, or null.
  public var isNull: Bool { kind == .null }

  /// The truth value; nil for anything else, numbers included.
  public var bool: Bool? { if case .boolean(let flag) = value { flag } else { nil } }

  /// The integer, if it fits.
  public var integer: Int? { integer(as: Int.self) }

  /// The integer as a type, if it fits.
  public func integer<Number: FixedWidthInteger>(as type: Number.Type) -> Number? {
    switch value {
    case .integer(let number): Number(exactly: number)
    case .unsigned(let number): Number(exactly: number)
    case .wide(let number): Number(exactly: number.number)
    default: nil
    }
  }

  /// The real, or an integer that a real can represent exactly.
  public var double: Double? {
    switch value {
    case .real(let number): number
    case .single(let number): Double(number)
    case .integer(let number): Double(exactly: number)
    case .unsigned(let number): Double(exactly: number)
    case .wide(let number): Double(exactly: number.number)
    default: nil
    }
  }

  /// The text; of an NSURL or NSUUID its usual form.
  public var string: String? { if case .string(let text) = value { text.string } else { nil } }

  /// The date.
  public var date: Date? {
    if case .date(let seconds) = value {
      Date(timeIntervalSinceReferenceDate: seconds)
    } else {
      nil
    }
  }

  /// A copy of the bytes.
  public var data: Data? { if case .data(let bytes) = value { Data(bytes) } else { nil } }

  // MARK: Containers

  /// The elements of an array or a set; empty for other values.
  public var elements: ArchiveElements {
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      ArchiveElements(archive, elements)
    default: ArchiveElements(archive, nil)
    }
  }

  /// The keys and values of a dictionary, or the fields of an object; empty for other values.
  public var members: ArchiveMembers {
    switch value {
    case .dictionary(let pairs), .object(_, let pairs): ArchiveMembers(archive, pairs)
    default: ArchiveMembers(archive, nil)
    }
  }

  /// The root of the archive or property list in a data value, or nil.
  public var contents: ArchiveNode? {
    guard case .data = value else { return nil }
    return graph.content(of: node).map { ArchiveNode(archive, $0) }
  }

  /// The value of a member; of a data value that of the archive in it.
  public subscript(name: String) -> ArchiveNode? { step(.key(name)) }

  /// An element; of a data value that of the archive in it.
  public subscript(index: Int) -> ArchiveNode? { index < 0 ? nil : step(.index(index)) }

  /// The value at the end of a path, as archtool prints them: `$.cities[0].name`.
  ///
  /// - Throws: `ArchiveError` if the path cannot be read, or leads nowhere.
  public func node(at path: String) throws(ArchiveError) -> ArchiveNode {
    ArchiveNode(archive, try graph.node(at: GraphPath(parsing: path), from: node))
  }

  private func step(_ step: GraphPath.Step) -> ArchiveNode? {
    do {
      return ArchiveNode(archive, try graph.node(at: GraphPath([step]), from: node))
    } catch {
      return nil
    }
  }

  // MARK: Locations

  /// Where the value begins in the file; nil in text, and in data that was compressed.
  public var offset: Int? { graph.fileOffset(of: node) }
}

extension ArchiveNode: Hashable {
  /// Whether two nodes are one stored value of one archive.
  public static func == (left: ArchiveNode, right: ArchiveNode) -> Bool {
    left.node == right.node && left.archive === right.archive
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(node)
    hasher.combine(ObjectIdentifier(archive))
  }
}

extension ArchiveNode: CustomStringConvertible {
  /// The class, or the kind of the value; for scalars the value.
  public var description: String {
    switch value {
    case .boolean(let flag): "\(flag)"
    case .string(let text): text.string
    default: double.map { "\($0)" } ?? className ?? "\(kind)"
    }
  }
}

// MARK: - The nodes of a container, and of a whole archive, as collections

/// The elements of an array or a set.
public struct ArchiveElements: RandomAccessCollection {
  private let archive: Archive
  private let elements: Elements?

  init(_ archive: Archive, _ elements: Elements?) {
    self.archive = archive
    self.elements = elements
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { elements?.count ?? 0 }

  /// The element at a position.
  public subscript(position: Int) -> ArchiveNode {
    guard let elements, elements.count > position, position >= 0 else {
      preconditionFailure("no element \(position)")
    }
    return ArchiveNode(archive, archive.graph.node(elements, position))
  }
}

/// The keys and values of a dictionary, or the fields of an object, in stored order.
public struct ArchiveMembers: RandomAccessCollection {
  /// A pair.
  public struct Member {
    /// The key, which a dictionary may have of any kind.
    public let key: ArchiveNode
    /// The value.
    public let value: ArchiveNode
    /// The key as the coder named it; nil if it is not a string.
    public let name: String?
  }

  private let archive: Archive
  private let pairs: Pairs?

  init(_ archive: Archive, _ pairs: Pairs?) {
    self.archive = archive
    self.pairs = pairs
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of pairs.
  public var endIndex: Int { pairs?.count ?? 0 }

  /// The pair at a position.
  public subscript(position: Int) -> Member {
    guard let pairs, pairs.count > position, position >= 0 else {
      preconditionFailure("no member \(position)")
    }
    let graph = archive.graph
    return Member(
      key: ArchiveNode(archive, graph.key(pairs, position)),
      value: ArchiveNode(archive, graph.value(pairs, position)),
      name: graph.memberName(pairs, position)?.string)
  }
}

/// Every node reachable from one, each once, itself first; archives in data values are entered.
public struct ArchiveNodes: Sequence, IteratorProtocol {
  private var waiting: [ArchiveNode]
  private var seen: Set<ArchiveNode> = []

  init(from start: ArchiveNode) { waiting = [start] }

  /// The next node.
  public mutating func next() -> ArchiveNode? {
    while let node = waiting.popLast() {
      guard seen.insert(node).inserted else { continue }
      waiting.append(contentsOf: children(of: node).reversed())
      return node
    }
    return nil
  }

  private func children(of node: ArchiveNode) -> [ArchiveNode] {
    switch node.kind {
    case .array, .set, .orderedSet: Array(node.elements)
    case .dictionary, .object: node.members.flatMap { [$0.key, $0.value] }
    case .data: node.contents.map { [$0] } ?? []
    default: []
    }
  }
}
