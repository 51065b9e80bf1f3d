// A graph read as it is stored: what an unarchiver sees of a value, and its scalars.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

/// A graph, read as it is stored: what an unarchiver would see of its values.
package struct StoredGraph {
  /// A stored value after its UID was followed.
  struct Resolved {
    let node: Node
    /// Whether it is behind a UID.
    let isBoxed: Bool
    /// Whether it is of an archive of objects.
    let isArchived: Bool
    /// Whether it is the UID of nil.
    let isNil: Bool
  }

  /// A field of an object, or an entry of a dictionary.
  struct Entry {
    let name: CodePointString
    /// The key of an entry, whose class counts; nil for the name of a field.
    let key: Node?
    let value: Node
  }

  /// What a stored value consists of.
  enum Content {
    case scalar(Value)
    case list([Node])
    case set([Node])
    case entries([Entry], isObject: Bool)

    var phrase: String {
      switch self {
      case .scalar(let value): value.phrase
      case .list: "a list"
      case .set: "a set"
      case .entries(_, let isObject): isObject ? "an object" : "a dictionary"
      }
    }
  }

  let graph: ObjectGraph

  package init(_ graph: ObjectGraph) { self.graph = graph }

  /// Whether a value is of a property list or JSON, not of an archive of objects.
  func isPlain(_ node: Node) -> Bool { graph.documents[Int(node.document)].archive == nil }

  func resolved(_ stored: Node) -> Resolved {
    let isArchived = !isPlain(stored)
    let slot = Slot(document: stored.document, reference: stored.index)
    if isArchived, let number = graph.objectNumber(in: slot) {
      return Resolved(
        node: graph.node(in: slot), isBoxed: true, isArchived: true, isNil: number == 0)
    }
    // The root of an archive is an object, though nothing that is matched refers to it.
    let isObject = isArchived && graph.classIndex(of: stored) != nil
    return Resolved(
      node: stored, isBoxed: isObject, isArchived: isArchived,
      isNil: isArchived && graph.isNullMark(stored))
  }

  /// Whether a value is nil, NSNull or the null of a property list.
  func isNull(_ value: Resolved) -> Bool { value.isNil || graph.isNull(value.node) }

  /// Whether it matters that an object is one: not for what never changes and has only a value.
  func hasIdentity(_ node: Node, _ areCollectionsValues: Bool) -> Bool {
    guard let name = graph.classDescription(of: node)?.name else {
      return graph.value(of: node).isContainer
    }
    if FoundationClass.isMutable(name) { return true }
    switch graph.value(of: node) {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      return elements.count > 0 && !areCollectionsValues
    case .dictionary(let pairs): return pairs.count > 0 && !areCollectionsValues
    case .object: return !FoundationClass.isOfValues(name)
    default: return false
    }
  }

  /// The class of a stored value; that of a bare string, number or data value is Foundation's.
  package func classDescription(of node: Node) -> ClassDescription? {
    if isPlain(node) { return nil }
    if let known = graph.classDescription(of: node) { return known }
    switch graph.value(of: node) {
    case .string: return FoundationClass.string
    case .data: return FoundationClass.data
    case .boolean, .integer, .unsigned, .wide, .real, .single: return FoundationClass.number
    default: return nil
    }
  }

  // MARK: Contents

  func content(of node: Node) -> Content {
    switch graph.value(of: node) {
    case .array(let elements), .orderedSet(let elements): return .list(nodes(elements))
    case .set(let elements): return .set(nodes(elements))
    case .dictionary(let pairs): return .entries(entries(pairs), isObject: pairs.isFields)
    case .object(let index, let pairs):
      return .entries(entries(pairs, ofClass: index), isObject: true)
    case let value: return .scalar(value)
    }
  }

  /// Elements as they are held; what a class derives from its fields has no holder.
  private func nodes(_ elements: Elements) -> [Node] {
    (0..<elements.count).map { held(elements, $0) }
  }

  private func held(_ elements: Elements, _ position: Int) -> Node {
    graph.slot(elements, position).map { Node(document: $0.document, index: $0.reference) }
      ?? graph.node(elements, position)
  }

  /// The members of a container, without the fields that the class derives from others.
  private func entries(_ pairs: Pairs, ofClass index: ClassIndex? = nil) -> [Entry] {
    (0..<pairs.count).compactMap { position in
      let name = name(pairs, position)
      if let index, ClassRegistry.isDerived(name.text, of: graph.classes[index].name) {
        return nil
      }
      let key = held(pairs.keys, pairs.position(position))
      return Entry(
        name: name, key: pairs.isFields ? nil : key,
        value: held(pairs.values, pairs.position(position)))
    }
  }

  /// The name of a member; for a key that is not text its value.
  package func name(_ pairs: Pairs, _ position: Int) -> CodePointString {
    if let name = graph.memberName(pairs, position) { return CodePointString(name.string) }
    let key = graph.key(pairs, position)
    switch graph.value(of: key) {
    case .boolean, .integer, .unsigned, .wide, .real, .single, .date:
      return CodePointString(graph.value(of: key).phrase)
    default:
      let digits = (ModelDigest.bytes(of: key, in: graph) ?? []).map { String($0, radix: 16) }
      return CodePointString(digits.joined())
    }
  }

  func digest(of stored: Node) -> [UInt8] {
    ModelDigest.bytes(of: resolved(stored).node, in: graph) ?? []
  }

  /// The fields of an object that its displayed value does not contain, by their stored names.
  ///
  /// For collections, strings and data these are the fields besides their contents; for other classes with a
  /// displayed value all fields.
  func furtherFields(of node: Node) -> [Entry] {
    guard !isPlain(node), let (index, fields) = graph.objectFields(of: node) else { return [] }
    let isWhole: Bool
    switch graph.value(of: node) {
    case .object: return []
    case .array, .set, .orderedSet, .dictionary: isWhole = true
    // The text of a string, and the bytes of data, are compared as values.
    case .string, .data:
      let name = classDescription(of: node).map { FoundationClass.immutable($0.name) }
      isWhole = name == "NSString" || name == "NSData"
    default: isWhole = false
    }
    return entries(fields, ofClass: index).filter { field in
      let key = field.name.text
      // The class itself is not listed: `$class` is a field of that name, stored as `$$class`.
      return !isWhole || key == "$class"
        || !FoundationClass.isCollectionKey(key) && !Self.contents.contains(key)
    }
  }

  /// What strings, data and ordered sets have besides.
  private static let contents: Set<String> = ["NS.count", "NS.string", "NS.bytes", "NS.data"]
}

extension Value {
  /// A scalar in words.
  var phrase: String {
    switch self {
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .wide(let number): "\(number)"
    case .real(let number): "\(number)"
    case .single(let number): "\(number)"
    case .string(let text): "\"\(text.string.prefix(60))\""
    case .null: "null"
    case .date(let seconds): Timestamp(secondsFromReference: seconds)?.text ?? "a date"
    case .data(let bytes): "\(bytes.count) bytes of data"
    case .uid(let number): "UID \(number)"
    case .array, .orderedSet: "a list"
    case .set: "a set"
    case .dictionary: "a dictionary"
    case .object: "an object"
    }
  }
}

extension FoundationClass {
  /// The class of a bare string in an archive.
  package static let string = description("NSString")
  /// The class of bare bytes in an archive.
  package static let data = description("NSData")
  /// The class of a bare number or boolean in an archive.
  package static let number = description("NSNumber")

  static func description(_ name: String) -> ClassDescription {
    ClassDescription(name: name, displayName: name, chain: chain(of: name))
  }

  /// Whether a class is a framework's whose objects are no collections.
  package static func isFramework(_ name: String) -> Bool {
    ClassRegistry.isFoundation(name) && !collections.contains(immutable(name))
  }

  private static let collections: Set<String> = [
    "NSArray", "NSDictionary", "NSOrderedSet", "NSSet",
  ]
  private static let valueClasses: Set<String> = [
    "NSDictionary", "NSArray", "NSString", "NSNumber", "NSData", "NSDate", "NSNull",
  ]

  /// Whether a class is one that every writer chooses for immutable values.
  static func isChosenForValues(_ description: ClassDescription) -> Bool {
    valueClasses.contains(description.name)
      && description.chain.haveSameScalars(as: chain(of: description.name))
  }
}
