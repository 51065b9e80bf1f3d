// The objects of an archive that is being assembled: as they are stored, changed, or new.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// The objects of a new archive in the order in which they are met, and the containers that they store.
struct AssembledObjects: ~Copyable {
  /// A value as its holder has it.
  enum Part: Equatable {
    /// A reference to an object; 0 is nil.
    case object(Int)
    /// A value that is stored in its holder, whose UIDs lead to objects of its document.
    case stored(Slot)
    /// A scalar that is stored in its holder, by its index in the new table.
    case built(UInt32)
    /// A container that is stored in its holder, by its number in `contents`.
    case inline(Int)
  }

  /// What an object consists of, or a container that its holder stores.
  enum Content: Equatable {
    /// To be found out.
    case waiting
    /// As it is stored.
    case stored(Slot)
    /// A scalar, by its index in the new table.
    case built(UInt32)
    /// The elements of a list.
    case list([Part])
    /// The fields of an object, or the members of a dictionary: keys and values in turn.
    case pairs([Part])

    /// What it refers to, or is.
    var parts: [Part] {
      switch self {
      case .waiting: []
      case .stored(let slot): [.stored(slot)]
      case .built(let index): [.built(index)]
      case .list(let parts), .pairs(let parts): parts
      }
    }
  }

  enum ClassPart {
    /// Its previous class, where it is stored; nil for a container without a class.
    case kept(Slot?)
    /// A class by its name and its chain.
    case named(String, [String])

    /// A class with the superclasses that are known of it.
    static func foundation(_ name: String) -> ClassPart {
      .named(name, FoundationClass.chain(of: name))
    }

    var isKept: Bool { if case .kept = self { true } else { false } }
  }

  /// What became of an object: the class and the scalar of the one that replaces it.
  private struct Replacement: Hashable {
    let object: UInt64
    let className: String?
    let scalar: UInt32
  }

  let graph: ObjectGraph
  /// The values of the new archive so far.
  var builder: GraphBuilder
  /// The contents of the objects, nil's at 0, and of the containers stored in them.
  private(set) var contents: [Content]
  /// The objects by document and stored number, and those by object.
  private var stored: [UInt64: Int] = [:]
  private var origins: [Int: UInt64] = [:]
  /// The objects of scalars that were made, by their index in the new table.
  private var scalars: [UInt32: Int] = [:]
  /// The objects of scalars that replace others.
  private var replacements: [Replacement: Int] = [:]
  /// The class records; nil until the archive was looked through.
  private var records: ClassRecords?
  /// The object of NSNull, when it is needed.
  private var nullNumber: Int?

  init(_ graph: ObjectGraph) {
    self.graph = graph
    builder = GraphBuilder(capacity: graph.documents[0].table.byteCount + 4096)
    contents = [.built(builder.add("$null"))]
  }

  /// Adds an object, or a container that one stores.
  mutating func add(_ content: Content) -> Int {
    contents.append(content)
    return contents.count - 1
  }

  mutating func set(_ number: Int, to content: Content) { contents[number] = content }

  // MARK: Objects that are stored

  private static func key(_ document: UInt32, _ number: UInt32) -> UInt64 {
    UInt64(document) << 32 | UInt64(number)
  }

  /// The object with a number in a document.
  mutating func object(_ document: UInt32, _ number: UInt32) -> Int {
    if number == 0 { return 0 }
    let key = Self.key(document, number)
    if let known = stored[key] { return known }
    let (start, count) = graph.objectTable(of: document)
    guard let start, number < count else { return 0 }
    let index = graph.documents[Int(document)].table.reference(start, Int(number))
    let object = add(.stored(Slot(document: document, reference: index)))
    stored[key] = object
    origins[object] = key
    return object
  }

  /// The object of a stored value, by its index in `$objects`; nil for one that is stored inline.
  mutating func object(of node: Node) -> Int? {
    graph.objectNumber(of: node).map { object(node.document, $0) }
  }

  /// Where an object was stored; nil for a new one.
  func origin(of object: Int) -> (document: UInt32, number: UInt32)? {
    origins[object].map { (UInt32($0 >> 32), UInt32(truncatingIfNeeded: $0)) }
  }

  /// What a slot has: a reference to an object, or a value that its holder stores.
  mutating func part(in slot: Slot) -> Part {
    guard let number = graph.objectNumber(in: slot) else { return .stored(slot) }
    return .object(object(slot.document, number))
  }

  // MARK: Objects of scalars

  /// A scalar of any document in the new table.
  mutating func scalar(of node: Node) -> UInt32 {
    // An object may have a scalar for its value, as NSMutableData has.
    if graph.classIndex(of: node) != nil { return builder.add(scalar: graph.value(of: node)) }
    return builder.add(copying: node.index, of: graph.documents[Int(node.document)].table)
  }

  /// A number in the type that a schema gives it, as a coder would write it.
  mutating func scalar(of node: Node, as shape: NumberShape) -> UInt32 {
    switch (graph.value(of: node), shape) {
    case (.integer(let number), .boolean) where number == 0 || number == 1:
      return builder.add(number == 1)
    case (.integer(let number), .real) where Int64(exactly: Double(number)) == number:
      return builder.add(Double(number))
    case (.real(let number), .integer):
      guard let whole = Int64(exactly: number) else { return scalar(of: node) }
      return builder.add(whole)
    default: return scalar(of: node)
    }
  }

  /// The object of a scalar: of the class that has it in a field, or bare, where equal ones are one.
  ///
  /// As the objects in a slot were shared or apart, those that replace them are.
  mutating func object(
    of scalar: UInt32, as className: String? = nil, replacing slot: Slot? = nil
  ) -> Int {
    var key: Replacement?
    if let slot, graph.isArchived(graph.node(in: slot)), let number = graph.objectNumber(in: slot),
      number > 0
    {
      let object = Self.key(slot.document, number)
      key = Replacement(object: object, className: className, scalar: scalar)
    }
    if let known = key.map({ replacements[$0] }) ?? (className == nil ? scalars[scalar] : nil) {
      return known
    }
    let object: Int
    if let className {
      object = self.object(of: className, scalar)
    } else {
      object = add(.built(scalar))
    }
    if let key { replacements[key] = object } else if className == nil { scalars[scalar] = object }
    return object
  }

  /// The object of a string; a bare "$null" is nil to every decoder.
  mutating func object(of text: String) -> Int {
    object(of: builder.add(text), as: text == "$null" ? "NSString" : nil)
  }

  /// A field that an object is made with, unless it is made of fields or of a value of the graph itself.
  mutating func part(of value: StoredValue) -> Part {
    switch value {
    case .null, .object, .member: .object(0)
    case .integer(let number): .built(builder.add(number))
    case .real(let number): .built(builder.add(number))
    case .single(let number): .built(builder.add(number))
    case .boolean(let flag): .built(builder.add(flag))
    case .bytes(let bytes): .built(bytes.withByteView { builder.add(data: $0) })
    case .boxed(let number): .object(object(of: builder.add(number)))
    case .text(let text):
      .object(object(of: builder.add(text), as: text.equals("$null") ? "NSString" : nil))
    case .string(let text): .object(object(of: text))
    case .data(let bytes, let isMutable):
      .object(
        object(
          of: bytes.withByteView { builder.add(data: $0) },
          as: isMutable ? "NSMutableData" : nil))
    case .date(let seconds): .object(object(of: builder.add(seconds), as: "NSDate"))
    case .emptyDictionary:
      .object(add(collection(keys: [], values: [], .foundation("NSDictionary"))))
    }
  }

  /// A value that was stored in its holder, as an object of its own.
  mutating func box(_ slot: Slot) -> Int {
    let table = graph.documents[Int(slot.document)].table
    if table.marker(of: slot.reference) >> 4 < Marker.array {
      return object(of: builder.add(copying: slot.reference, of: table))
    }
    return add(.stored(slot))
  }

  mutating func null() -> Int {
    if let nullNumber { return nullNumber }
    let object = object(of: "NSNull", nil)
    nullNumber = object
    return object
  }

  /// An object of a Foundation class that has a scalar in a field.
  private mutating func object(of className: String, _ scalar: UInt32?) -> Int {
    var parts: [Part] = []
    if let scalar {
      let key =
        switch FoundationClass.immutable(className) {
        case "NSDate": "NS.time"
        case "NSData": "NS.data"
        default: "NS.string"
        }
      parts = [.built(builder.add(key)), .built(scalar)]
    }
    appendClass(record(.foundation(className)), to: &parts)
    return add(.pairs(parts))
  }

  // MARK: Classes

  /// Adds the record of an object's class to its fields.
  mutating func appendClass(_ record: Part?, to parts: inout [Part]) {
    guard let record else { return }
    parts += [.built(builder.add("$class")), record]
  }

  /// The class record of an object; nil for a container without a class.
  mutating func record(_ name: ClassPart) -> Part? {
    switch name {
    case .kept(let slot): return slot.map { part(in: $0) }
    case .named(let name, let chain):
      if records == nil { records = storedRecords() }
      if let known = records?[name, chain] { return .object(Int(known)) }
      let object = add(.built(builder.classRecord(name, chain: chain)))
      records?[name, chain] = UInt64(object)
      return .object(object)
    }
  }

  /// The class records of the archive, so that none is written twice.
  private mutating func storedRecords() -> ClassRecords {
    var records = ClassRecords(of: nil)
    let table = graph.documents[0].table
    guard graph.documents[0].isKeyedArchive, let start = graph.objectTable(of: 0).start else {
      return records
    }
    for number in 0..<graph.objectTable(of: 0).count {
      let index = table.reference(start, number)
      guard ClassRecords.content(of: index, in: table) != nil else { continue }
      let object = object(0, UInt32(truncatingIfNeeded: number))
      records.add(index, of: table, number: UInt64(object))
    }
    return records
  }

  // MARK: Collections

  /// A collection's object, in the collection's previous form.
  ///
  /// - Parameters:
  ///   - name: its class, and its record.
  ///   - old: the collection that it was; nil for a new one.
  mutating func collection(
    keys: [Part]?, values: [Part], _ name: ClassPart, _ record: Part? = nil, _ old: Node? = nil
  ) -> Content {
    var parts: [Part] = []
    let isIndexed = isIndexed(name, old)
    for (elements, name, list) in [
      (keys, "NS.key.", "NS.keys"), (values, "NS.object.", "NS.objects"),
    ] {
      guard let elements else { continue }
      if isIndexed {
        for (position, element) in elements.enumerated() {
          parts += [.built(builder.add("\(name)\(position)")), element]
        }
      } else {
        parts += [.built(builder.add(list)), .inline(add(.list(elements)))]
      }
    }
    // One that keeps its class keeps its further fields.
    if name.isKept, let old {
      for (key, value) in graph.storedFields(of: old) {
        let text = graph.documents[Int(key.document)].table.text(at: key.reference)?.string
        guard let text, !FoundationClass.isCollectionKey(text) else { continue }
        parts += [.stored(key), part(in: value)]
      }
    }
    appendClass(record ?? self.record(name), to: &parts)
    return .pairs(parts)
  }

  /// Whether a collection has a key for each element, as older archivers write it, and all write ordered sets.
  private func isIndexed(_ name: ClassPart, _ old: Node?) -> Bool {
    if let old { return graph.slot(of: "NS.object.0", in: old) != nil }
    guard case .named(let name, _) = name else { return false }
    return FoundationClass.immutable(name) == "NSOrderedSet"
  }

  // MARK: References

  /// The objects that a part refers to, directly or through inline values.
  mutating func targets(of part: Part) -> [Int] {
    var found: [Int] = []
    var waiting = [[part]]
    while let parts = waiting.popLast() {
      for part in parts {
        switch part {
        case .object(let object): found.append(object)
        case .stored(let slot): scan(slot, &found)
        case .inline(let number): waiting.append(contents[number].parts)
        case .built: break
        }
      }
    }
    return found
  }

  private mutating func scan(_ slot: Slot, _ found: inout [Int]) {
    let table = graph.documents[Int(slot.document)].table
    var waiting = [slot.reference]
    var seen: Set<UInt32> = []
    while let index = waiting.popLast() {
      if table.marker(of: index) >> 4 == Marker.uid {
        guard let number = UInt32(exactly: table.uid(at: index)) else { continue }
        found.append(object(slot.document, number))
      } else if seen.insert(index).inserted {
        waiting += table.children(of: index)
      }
    }
  }

  /// Whether two objects were made alike.
  func areSame(_ left: Int, _ right: Int) -> Bool {
    var compared: Set<[Int]> = []
    var waiting: [(Part, Part)] = [(.object(left), .object(right))]
    while let parts = waiting.popLast() {
      if parts.0 == parts.1 { continue }
      let pair: [Int]
      switch parts {
      case (.object(let a), .object(let b)), (.inline(let a), .inline(let b)): pair = [a, b]
      default: return false
      }
      guard compared.insert(pair).inserted else { continue }
      switch (contents[pair[0]], contents[pair[1]]) {
      case (.list(let a), .list(let b)), (.pairs(let a), .pairs(let b)):
        guard a.count == b.count else { return false }
        waiting += zip(a, b)
      case (let a, let b): guard a == b, a != .waiting else { return false }
      }
    }
    return true
  }
}

extension ObjectGraph {
  /// Whether a node is a value that a keyed archive stores.
  func isArchived(_ node: Node) -> Bool { documents[Int(node.document)].isKeyedArchive }

  /// Whether a stored value is an object of fields, not a dictionary.
  func isObject(_ node: Node) -> Bool {
    if case .object = value(of: node) { true } else { false }
  }

  /// Where a key's value is stored in an object.
  func slot(of key: StaticString, in node: Node) -> Slot? {
    let table = documents[Int(node.document)].table
    guard table.marker(of: node.index) >> 4 == Marker.dictionary else { return nil }
    return table.value(key, of: node.index).map { Slot(document: node.document, reference: $0) }
  }

  /// The keys and values of a stored dictionary.
  func storedFields(of node: Node) -> [(key: Slot, value: Slot)] {
    let pairs = storedPairs(of: node)
    return (0..<pairs.count).compactMap { position in
      guard let key = slot(pairs.keys, position), let value = slot(pairs.values, position) else {
        return nil
      }
      return (key, value)
    }
  }
}

extension GraphBuilder {
  /// Adds a scalar of another table as it is encoded there.
  mutating func add(copying index: UInt32, of table: ValueTable) -> UInt32 {
    // UTF-8 is not an encoding of the format.
    if let text = table.text(at: index), text.form == .utf8 { return add(text) }
    // References of a container are to another table.
    guard table.marker(of: index) >> 4 < Marker.array else { return addNull() }
    return add(encoded: table.bytes(of: index))
  }
}
