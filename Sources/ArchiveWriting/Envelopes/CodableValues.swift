// The copies of scalars, of keys, and of objects for which Codable has a form of its own.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// Makes copies in a property list, each of a scalar or a key once.
struct CodableValues: ~Copyable {
  /// The copy of a key, the place of the member that it names, and the tag of that place.
  typealias KeyCopy = (index: UInt32, member: Int, tag: UInt32)

  private let graph: ObjectGraph
  private let shape: any TypeHints
  private let unknown: CodableCopy.UnknownMembers
  let nulls: CodableCopy.Nulls
  /// The JSON notation for types that JSON lacks; nil in a property list.
  private let json: JSONCoding?
  var builder: GraphBuilder
  /// Where in `keyCopies` the keys are, by the place of the dictionary that has them: archives store each key once.
  private var keys: NodeMemo
  private var keyCopies: [KeyCopy] = []
  /// The copies of scalars, by the tag of their place.
  var scalars: NodeMemo

  init(
    _ graph: ObjectGraph, _ shape: any TypeHints, _ unknown: CodableCopy.UnknownMembers,
    _ nulls: CodableCopy.Nulls, _ json: JSONCoding?, capacity: Int
  ) {
    self.graph = graph
    self.shape = shape
    self.unknown = unknown
    self.nulls = nulls
    self.json = json
    builder = GraphBuilder(capacity: capacity)
    let count = graph.documents.reduce(0) { $0 + $1.table.count }
    keys = NodeMemo(for: min(count / 4, 1024))
    // Of an archive's values more than half are objects and references.
    scalars = NodeMemo(for: count / 2)
  }

  // MARK: Keys

  /// The copy of a key that was met at this place before.
  @inline(__always)
  func knownCopy(ofKey key: Node, isField: Bool, _ schemaIndex: Int) -> KeyCopy? {
    keys.find(key, Self.keyTag(isField, schemaIndex)).map { keyCopies[Int($0)] }
  }

  /// The copy of a key; nil if its member is left out.
  mutating func copy(
    ofKey key: Node, isField: Bool, _ schemaIndex: Int
  ) throws(ArchiveError) -> KeyCopy? {
    if let known = knownCopy(ofKey: key, isField: isField, schemaIndex) { return known }
    guard let copy = try newCopy(ofKey: key, isField, schemaIndex) else { return nil }
    keys.set(
      key, Self.keyTag(isField, schemaIndex), UInt32(truncatingIfNeeded: keyCopies.count))
    keyCopies.append(copy)
    return copy
  }

  /// What distinguishes the copies of one key.
  @inline(__always)
  private static func keyTag(_ isField: Bool, _ schemaIndex: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: schemaIndex &* 2 &+ (isField ? 1 : 0))
  }

  @inline(never)
  private mutating func newCopy(
    ofKey key: Node, _ isField: Bool, _ schemaIndex: Int
  ) throws(ArchiveError) -> KeyCopy? {
    // A key is not a value: "$null" is its text.
    if let text = graph.keyText(of: key) {
      let name = isField ? text.unmangledKey : text
      guard let member = shape.member(schemaIndex, name) ?? (unknown == .keep ? 0 : nil) else {
        return nil
      }
      let index =
        try snakeCaseName(name, key, schemaIndex).map { builder.add($0) } ?? builder.add(name)
      return (index, member, tag(of: member))
    }
    if case .integer(let number) = graph.value(of: key) {
      return (builder.add(String(number)), 0, tag(of: 0))
    }
    throw graph.unrepresentable("Codable has no form for a key of this type", key)
  }

  /// A member's name in snake case; nil if it stays as it is.
  private func snakeCaseName(
    _ name: Text, _ key: Node, _ schemaIndex: Int
  ) throws(ArchiveError) -> String? {
    guard json?.hasSnakeCaseKeys == true, shape.names(name.string, in: schemaIndex) else {
      return nil
    }
    guard let snakeCaseName = JSONCoding.snakeCase(name.string) else {
      throw graph.unrepresentable(
        "JSONDecoder would not find '\(name.string)' from its snake case", key)
    }
    return snakeCaseName
  }

  // MARK: Scalars

  /// What distinguishes the copies of one scalar: the type of its number; for JSON the place also says what has a form.
  @inline(__always)
  func tag(of schemaIndex: Int) -> UInt32 {
    if json != nil { return UInt32(truncatingIfNeeded: schemaIndex) }
    switch shape.number(schemaIndex) {
    case .any: return 0
    case .boolean: return 1
    case .integer: return 2
    case .real: return 3
    }
  }

  /// Adds a scalar; nil for a container.
  ///
  /// - Parameter value: what the node is; a string is added as it is.
  @inline(__always)
  mutating func add(
    _ value: Value, _ node: Node, _ schemaIndex: Int
  ) throws(ArchiveError) -> UInt32? {
    switch value {
    case .null: return nulls == .marked ? builder.add("$null") : builder.addNull()
    case .boolean(let flag): return addBoolean(flag, schemaIndex)
    case .integer(let number): return addInteger(number, schemaIndex)
    case .unsigned(let number): return builder.add(unsigned: number)
    case .wide(let number): return builder.add(wide: number.number)
    case .real(let number): return addReal(number, schemaIndex)
    case .single(let number):
      let isKept =
        shape.number(schemaIndex) == .any || shape.number(schemaIndex) == .real && json == nil
      return isKept ? builder.add(number) : addReal(Double(number), schemaIndex)
    case .date(let seconds): return try addDate(seconds, node, schemaIndex)
    case .data(let bytes): return try addData(bytes, node, schemaIndex)
    case .array, .set, .orderedSet, .dictionary, .object: return nil
    case .uid:
      throw graph.unrepresentable("Codable has no form for a UID outside a keyed archive", node)
    case .string(let text): return builder.add(text)
    }
  }

  private mutating func addDate(
    _ seconds: Double, _ node: Node, _ schemaIndex: Int?
  ) throws(ArchiveError) -> UInt32 {
    guard let json else { return builder.add(date: seconds) }
    if let schemaIndex, shape.exactType(schemaIndex) != .date {
      throw graph.unrepresentable(
        "JSON has no dates; the schema must name this one with x-plist-type date, or a lens convert it",
        node)
    }
    switch json.encode(seconds) {
    case .number(let number)?: return builder.add(number)
    case .text(let text)?: return builder.add(text)
    case nil:
      throw graph.unrepresentable(
        "the date cannot be written exactly as '\(json.datesName)' of x-archive; 'reference' can represent every date",
        node)
    }
  }

  private mutating func addData(
    _ bytes: ByteView, _ node: Node, _ schemaIndex: Int
  ) throws(ArchiveError) -> UInt32 {
    guard json != nil else { return builder.add(data: bytes) }
    guard shape.exactType(schemaIndex) == .data else {
      throw graph.unrepresentable(
        "JSON has no data; the schema must name this with x-plist-type data, or a lens convert it",
        node)
    }
    return builder.add(Base64.text(bytes))
  }

  private mutating func addBoolean(_ flag: Bool, _ schemaIndex: Int) -> UInt32 {
    switch shape.number(schemaIndex) {
    case .integer: return builder.add(Int64(flag ? 1 : 0))
    case .real: return builder.add(flag ? 1.0 : 0.0)
    case .any, .boolean: return builder.add(flag)
    }
  }

  private mutating func addInteger(_ number: Int64, _ schemaIndex: Int) -> UInt32 {
    switch shape.number(schemaIndex) {
    case .real where Int64(exactly: Double(number)) == number: return builder.add(Double(number))
    case .boolean where number == 0 || number == 1: return builder.add(number == 1)
    default: return builder.add(number)
    }
  }

  private mutating func addReal(_ number: Double, _ schemaIndex: Int) -> UInt32 {
    switch shape.number(schemaIndex) {
    // No integer and no boolean is -0.0.
    case _ where number == 0 && number.sign == .minus: break
    case .integer:
      if let integer = Int64(exactly: number) { return builder.add(integer) }
    case .boolean where number == 0 || number == 1: return builder.add(number == 1)
    default: break
    }
    return builder.add(number)
  }

  // MARK: Codable forms

  /// Codable's form; in JSON that of JSONEncoder, unless the schema names a member of the property list's.
  func form(of node: Node, _ schemaIndex: Int) -> SyntheticValue? {
    let form = CodableForms.form(of: node, in: graph)
    if json == nil { return form }
    if case .members(let members)? = form,
      members.contains(where: { shape.names($0.name, in: schemaIndex) })
    {
      return form
    }
    return CodableForms.jsonForm(of: node, in: graph)
  }

  /// The Codable form of an object whose value is a string, nil if that is the string itself.
  func ownForm(of node: Node, _ schemaIndex: Int) throws(ArchiveError) -> SyntheticValue? {
    if let form = self.form(of: node, schemaIndex) { return form }
    // A predicate's text, for example, is for people; Codable encodes it differently.
    guard let description = graph.classDescription(of: node) else { return nil }
    guard ClassRegistry.isText(description) else {
      throw graph.unrepresentable(
        "\(description.displayName) has no Codable form that is known", node)
    }
    return nil
  }

  mutating func add(_ form: SyntheticValue) throws(ArchiveError) -> UInt32 {
    switch form {
    case .node(let node): return try addScalar(node)
    case .list(let elements):
      var indexes: [UInt32] = []
      for element in elements { indexes.append(try add(element)) }
      return builder.add(list: indexes)
    case .members(let members):
      var pairs: [(UInt32, UInt32)] = []
      for (key, value) in members { pairs.append((builder.add(key), try add(value))) }
      return builder.add(pairs: pairs)
    case .string(let text): return builder.add(text)
    case .boolean(let flag): return builder.add(flag)
    case .integer(let number): return builder.add(number)
    case .real(let number): return builder.add(number)
    default: return builder.addNull()
    }
  }

  private mutating func addScalar(_ node: Node) throws(ArchiveError) -> UInt32 {
    let value = graph.value(of: node)
    if case .date(let seconds) = value { return try addDate(seconds, node, nil) }
    if case .null = value, nulls == .marked { return builder.add("$null") }
    return builder.add(scalar: value)
  }
}

// MARK: - Codable's form of a dictionary: by names, or as a list of alternating keys and values

/// What Codable makes of a dictionary's keys.
///
/// Swift's Dictionary encodes String and Int keys as names, and a dictionary of any other keys as keys and values in turn.
enum DictionaryKeys {
  /// Names, integers among them.
  case names
  /// Keys and values in turn.
  case inTurn
  /// Keys of several types, for which Codable has no dictionary.
  case mixed

  private enum Kind: Hashable {
    case null, text, integer, number, boolean, date, data, container
    case object(String)
  }

  /// The kind of a dictionary's keys.
  init(of pairs: Pairs, in graph: ObjectGraph) {
    // The keys of most are strings, which their copying looks at.
    guard pairs.count > 0, graph.text(of: graph.key(pairs, 0)) == nil else {
      self = .names
      return
    }
    var kinds: Set<Kind> = []
    for position in 0..<pairs.count {
      kinds.insert(Self.kind(of: graph.key(pairs, position), in: graph))
    }
    if kinds == [.text] || kinds == [.integer] {
      self = .names
    } else {
      // A key that is nil is one of an optional type, and some of the reals may be integral.
      if kinds.remove(.null) != nil, kinds.isEmpty { kinds = [.null] }
      if kinds.contains(.number) { kinds.remove(.integer) }
      self = kinds.count == 1 ? .inTurn : .mixed
    }
  }

  private static func kind(of key: Node, in graph: ObjectGraph) -> Kind {
    switch graph.value(of: key) {
    case .null: return .null
    case .boolean: return .boolean
    case .integer: return .integer
    case .unsigned, .wide, .real, .single: return .number
    case .date: return .date
    case .data: return .data
    case .string:
      guard graph.isContainerOrData(key), let type = graph.classDescription(of: key) else {
        return .text
      }
      let name = FoundationClass.immutable(type.name)
      return name == "NSString" ? .text : .object(name)
    case .array, .set, .orderedSet, .dictionary: return .container
    case .object(let index, _): return .object(graph.classes[index].name)
    case .uid: return .integer
    }
  }
}
