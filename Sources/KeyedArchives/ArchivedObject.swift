// An object of a keyed archive as its class family sees it: fields by name.

import ArchiveBasics
import ArchiveGraph

/// An object in `$objects` that has a class.
package struct ArchivedObject {
  /// The graph that it is in.
  package let graph: ObjectGraph
  let archive: KeyedArchive
  /// The object itself.
  package let node: Node

  /// The value of a field, nil if the object has no such key.
  func field(_ key: KnownKey) -> Node? {
    let pairs = graph.storedPairs(of: node)
    return archive.position(of: key, among: pairs.keys).map { graph.node(pairs.values, $0) }
  }

  /// Whether the object has a class and nothing else, like an empty collection in the older form.
  var isBare: Bool { graph.storedPairs(of: node).keys.count == 1 }

  /// The elements of a field with an array of references.
  func list(_ key: KnownKey) -> Elements? {
    guard let node = field(key), case .array(let elements) = graph.storedValue(of: node) else {
      return nil
    }
    return elements
  }

  /// The values of the keys `prefix0`, `prefix1`, …, the form of collections before
  /// `NS.objects`; the keys may be in any order.
  ///
  /// Nil if they are not consecutive from 0, or one is there twice.
  func indexed(_ prefix: String) -> [Node]? {
    let pairs = graph.storedPairs(of: node)
    var numbered: [Int: Node] = [:]
    for position in 0..<pairs.keys.count {
      guard let key = graph.text(of: graph.node(pairs.keys, position))?.string,
        key.hasPrefix(prefix), let number = Int(key.dropFirst(prefix.count)), number >= 0
      else { continue }
      // `01` and `+1` are 1 as well: showing one of two would lose the other.
      let node = graph.node(pairs.values, position)
      guard numbered.updateValue(node, forKey: number) == nil else { return nil }
    }
    let nodes = (0..<numbered.count).compactMap { numbered[$0] }
    return nodes.count == numbered.count ? nodes : nil
  }

  /// The string that a field leads to.
  func text(_ key: KnownKey) -> Text? { field(key).flatMap { leaf($0) }?.text }

  /// The bytes of a field or of the object that it refers to.
  func data(_ key: KnownKey) -> ByteView? { field(key).flatMap { leaf($0) }?.bytes }

  // MARK: The fields of an archived object by any name, read without following objects further

  /// The display name of the object's class.
  package var className: String {
    graph.classDescription(of: node)?.displayName ?? "object"
  }

  /// The value of a field by its stored name, or by the name of a value that is stored by number; nil if the object has
  /// no such key.
  package func field(_ name: String) -> Node? {
    let pairs = graph.storedPairs(of: node)
    if let position = archive.position(of: name, among: pairs.keys) {
      return graph.node(pairs.values, position)
    }
    return namedField(name)
  }

  /// Whether a field is there and is not nil.
  package func has(_ name: String) -> Bool {
    guard let node = field(name) else { return false }
    if case .null = leaf(node) { return false }
    return true
  }

  // MARK: Leaves

  /// The value of a node without following references: nil for objects and other stored dictionaries.
  func flat(_ node: Node) -> Value? {
    archive.isDictionary(node) ? nil : graph.value(of: node)
  }

  /// The value of a node that is inline or a string, data, date or number object; nil for other objects.
  func leaf(_ node: Node) -> Value? {
    if let value = flat(node) { return value }
    guard let family = archive.family(of: node), family.isLeaf else { return nil }
    return family.value(of: ArchivedObject(graph: graph, archive: archive, node: node))
  }

  func leaf(_ name: String) -> Value? { field(name).flatMap { leaf($0) } }

  /// The string that a field leads to, in place.
  func text(_ name: String) -> Text? { leaf(name)?.text }

  /// The string that a field leads to.
  package func string(_ name: String) -> String? {
    guard let text = text(name) else { return nil }
    graph.spend(text.byteCount)
    return text.string
  }

  /// The integer of a field or of the object that it refers to.
  package func integer(_ name: String) -> Int64? { field(name).flatMap { integer($0) } }

  func integer(_ node: Node) -> Int64? {
    switch leaf(node) {
    case .integer(let number)?: return number
    case .boolean(let flag)?: return flag ? 1 : 0
    case .real(let number)?: return Int64(exactly: number)
    default: return nil
    }
  }

  /// The number of a field or of the object that it refers to.
  package func number(_ name: String) -> Double? { field(name).flatMap { number($0) } }

  func number(_ node: Node) -> Double? { leaf(node)?.number }

  /// The boolean of a field or of the object that it refers to; 0 and 1 are accepted.
  package func flag(_ name: String) -> Bool? { leaf(name)?.flag }

  /// The bytes of a field or of the object that it refers to.
  package func bytes(_ name: String) -> ByteView? {
    guard let bytes = leaf(name)?.bytes else { return nil }
    graph.spend(bytes.count)
    return bytes
  }

  /// The date that a field leads to, in seconds from 2001-01-01T00:00:00Z.
  package func date(_ name: String) -> Double? { leaf(name)?.seconds }

  // MARK: Other objects

  /// The object that a field refers to, nil if it has no class.
  package func object(_ name: String) -> ArchivedObject? { field(name).flatMap { object(at: $0) } }

  /// The object of a node, nil if it has no class.
  func object(at node: Node) -> ArchivedObject? {
    guard archive.isDictionary(node), graph.classIndex(of: node) != nil else { return nil }
    return ArchivedObject(graph: graph, archive: archive, node: node)
  }

  /// The object that a field leads to, if it is of a family.
  func object<Family: ClassFamily>(_ name: String, of family: Family.Type) -> ArchivedObject? {
    guard let node = field(name), archive.family(of: node) == family else { return nil }
    return object(at: node)
  }

  /// The nodes of a list: an array stored in the object itself, or an NSArray or set that a field leads to.
  package func elements(_ name: String) -> [Node]? {
    guard let node = field(name) else { return nil }
    return elements(of: node)
  }

  func elements(of node: Node) -> [Node]? {
    let value: Value
    if let flat = flat(node) {
      value = flat
    } else if let family = archive.family(of: node), family.isCollection {
      value = graph.value(of: node)
    } else {
      return nil
    }
    switch value {
    case .array(let list), .set(let list), .orderedSet(let list):
      graph.spend(list.count * MemoryLayout<Node>.stride)
      return (0..<list.count).map { graph.node(list, $0) }
    default: return nil
    }
  }

  /// The keys and values of the dictionary that a field leads to.
  package func pairs(_ name: String) -> Pairs? {
    guard let node = field(name), archive.family(of: node) == NSDictionaryClass.self,
      case .dictionary(let pairs) = graph.value(of: node)
    else { return nil }
    return pairs
  }

  // MARK: Derived values

  /// A string derived from the object's fields, made once and cached.
  package func derivedText(_ make: () -> String?) -> Value? {
    let value = graph.derivedValue(of: node) { derived in
      make().map { .string(derived.text($0)) } ?? .null
    }
    if case .string = value { return value }
    return nil
  }

  /// An object of the same class with members that interpret the fields.
  ///
  /// - Parameters:
  ///   - fieldNames: the fields that the members represent; every other field stays a member under its own name.
  ///   - keepsNil: whether other fields that are nil stay members as well.
  ///   - members: the members, nil if the fields are not as the class writes them.
  package func derivedObject(
    of fieldNames: [String], keepsNil: Bool = false,
    _ members: () -> [(name: String, value: SyntheticValue)]?
  ) -> Value? {
    guard let owner = graph.classIndex(of: node) else { return nil }
    return graph.derivedValue(of: node, class: owner) {
      members().map { .members($0 + rest(except: fieldNames, keepsNil)) }
    }
  }

  /// The fields but for some, and but for those that are nil unless they are kept.
  private func rest(
    except fieldNames: [String], _ keepsNil: Bool
  ) -> [(name: String, value: SyntheticValue)] {
    let fieldNames = Set(fieldNames)
    let pairs = graph.storedPairs(of: node)
    var rest: [(name: String, value: SyntheticValue)] = []
    for position in 0..<pairs.count {
      guard let key = graph.text(of: graph.node(pairs.keys, position)) else { continue }
      let name = key.string
      if name == "$class" || fieldNames.contains(name) { continue }
      let value = graph.node(pairs.values, position)
      if !keepsNil, case .null? = flat(value) { continue }
      rest.append((key.unmangledKey.string, .node(value)))
    }
    return rest
  }
}

// MARK: - Archived values within one line of text

extension ArchivedObject {
  /// A value in a few words: a scalar itself, strings in quotes, an object by its summary or its class.
  func brief(_ node: Node) -> String {
    if let value = leaf(node) { return SummaryText.scalar(value) }
    guard let family = archive.family(of: node), family.isSimple else {
      return graph.classDescription(of: node)?.displayName ?? "dictionary"
    }
    let object = ArchivedObject(graph: graph, archive: archive, node: node)
    if let text = family.summary(of: object) { return text }
    return family.value(of: object).map { SummaryText.scalar($0) } ?? object.className
  }

  /// The string that a field leads to, in quotes, cut where it is long.
  func quoted(_ name: String) -> String? { string(name).map { SummaryText.quoted($0) } }

  /// The name that a field leads to, cut where it is long.
  func clipped(_ name: String) -> String? { string(name).map { SummaryText.clipped($0) } }

  /// The value of a field in a few words, nil if it is nil or missing.
  func brief(_ name: String) -> String? {
    guard let node = field(name) else { return nil }
    if case .null? = leaf(node) { return nil }
    return brief(node)
  }
}

/// Forms for summaries.
enum SummaryText {
  /// How many characters of a string are shown.
  static let width = 60

  /// A number, without a fraction if it is zero.
  static func number(_ number: Double) -> String {
    Int64(exactly: number).map { String($0) } ?? number.description
  }

  /// A date in ISO 8601.
  static func date(_ seconds: Double) -> String {
    Timestamp(secondsFromReference: seconds)?.text ?? "\(number(seconds)) s from 2001"
  }

  /// A string in quotes, cut where it is long.
  static func quoted(_ text: String) -> String { inQuotes(start(of: text)) }

  /// A string in quotes, whole, with what would end it escaped.
  static func inQuotes(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") })
    else { return "\"\(text)\"" }
    return "\"" + text.escaping { $0 == "\"" || $0 == "\\" ? "\\\($0)" : nil } + "\""
  }

  /// A name, cut where it is long; in quotes where nothing or space at its ends would not be seen.
  static func clipped(_ text: String) -> String {
    guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace
    else { return quoted(text) }
    return start(of: text)
  }

  /// A string, cut where it is long.
  static func start(of text: String) -> String {
    let start = text.prefix(width)
    return start.endIndex == text.endIndex ? text : start + "…"
  }

  /// The parts that are known, one after another; nil if none is.
  static func joined(_ parts: [String?], separator: String = ", ") -> String? {
    let known = parts.compactMap { $0 }
    return known.isEmpty ? nil : known.joined(separator: separator)
  }

  /// A count with its noun: `1 run`, `2 runs`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// A scalar; containers by how much they hold.
  static func scalar(_ value: Value) -> String {
    switch value {
    case .null: return "nil"
    case .boolean(let flag): return flag ? "true" : "false"
    case .integer(let integer): return String(integer)
    case .unsigned(let integer): return String(integer)
    case .wide(let integer): return "\(integer)"
    case .real(let real): return number(real)
    case .single(let real): return Int64(exactly: real).map { String($0) } ?? real.description
    case .date(let seconds): return date(seconds)
    case .data(let bytes): return "data (\(count(bytes.count, "byte")))"
    case .string(let text): return quoted(text.string)
    case .uid(let number): return "UID \(number)"
    case .array(let list), .set(let list), .orderedSet(let list):
      return count(list.count, "element")
    case .dictionary(let pairs): return count(pairs.count, "pair")
    case .object(_, let pairs): return count(pairs.count, "field")
    }
  }
}
