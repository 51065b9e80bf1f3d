// Arrays, sets, dictionaries and map tables.

import ArchiveGraph

// MARK: - Lists: NSArray, and NSSet and NSOrderedSet, which hold their elements as NSArray archives them
// (swift-corelibs-foundation: NSSet.swift)

/// A class that is the list of its elements.
protocol ListClass: FrameworkClass {
  static func list(_ elements: Elements) -> Value
}

extension ListClass {
  static var shown: String { "the elements" }
  static var storedForm: StoredForm { .value }
  static var isCollection: Bool { true }

  static func value(of object: ArchivedObject) -> Value? {
    object.listedElements().map { list($0) }
  }
}

enum NSArrayClass: ListClass {
  static let classNames = ["NSArray", "NSMutableArray"]

  static func list(_ elements: Elements) -> Value { .array(elements) }
}

enum NSSetClass: ListClass {
  static let classNames = ["NSSet", "NSMutableSet"]

  static func list(_ elements: Elements) -> Value { .set(elements) }
}

enum NSOrderedSetClass: ListClass {
  static let classNames = ["NSOrderedSet", "NSMutableOrderedSet"]
  static let shown = "the elements in their order"

  static func list(_ elements: Elements) -> Value { .orderedSet(elements) }
}

// MARK: - NSCountedSet

enum NSCountedSetClass: FrameworkClass {
  static let classNames = ["NSCountedSet"]
  static let shown = "its elements with their counts"

  static func value(of object: ArchivedObject) -> Value? {
    guard let found = elements(of: object) else { return nil }
    return object.derivedObject(of: found.fieldNames) {
      let forms = found.elements.map { element -> SyntheticValue in
        .members([("element", .node(element.node)), ("count", .integer(element.count))])
      }
      return [("elements", .list(forms))]
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    guard let elements = elements(of: object)?.elements else { return nil }
    let start = elements.prefix(4).map { "\($0.count) × \(object.brief($0.node))" }
    return elements.isEmpty
      ? "empty" : start.joined(separator: ", ") + (elements.count > 4 ? ", …" : "")
  }

  private static func elements(
    of object: ArchivedObject
  ) -> (elements: [(node: Node, count: Int64)], fieldNames: [String])? {
    if let nodes = object.elements("NS.objects") {
      guard let counts = object.elements("NS.counts"), counts.count == nodes.count else {
        return nil
      }
      let numbers = counts.compactMap { object.integer($0) }
      guard numbers.count == nodes.count else { return nil }
      return (Array(zip(nodes, numbers)), ["NS.objects", "NS.counts", "NS.count"])
    }
    for (objectKey, countKey) in [("NS.object", "NS.count"), ("NS.object.", "NS.count.")] {
      guard let nodes = object.indexed(objectKey), let counts = object.indexed(countKey),
        nodes.count == counts.count, !nodes.isEmpty
      else { continue }
      let numbers = counts.compactMap { object.integer($0) }
      guard numbers.count == nodes.count else { return nil }
      let fieldNames = nodes.indices.flatMap { ["\(objectKey)\($0)", "\(countKey)\($0)"] }
      return (Array(zip(nodes, numbers)), fieldNames + ["NS.count"])
    }
    return object.integer("NS.count") == 0 ? ([], ["NS.count"]) : nil
  }

  static let storedForm = StoredForm.never(
    shown: ["elements"], reason: "what is shown is not how its counts are stored")
}

// MARK: - NSDictionary

enum NSDictionaryClass: FrameworkClass {
  static let classNames = ["NSDictionary", "NSMutableDictionary"]
  static let shown = "the keys and values"
  static let storedForm = StoredForm.value

  static func value(of object: ArchivedObject) -> Value? {
    if let keys = object.list(.keys), let values = object.list(.objects) {
      guard keys.count == values.count else { return nil }
      return .dictionary(Pairs(keys: keys, values: values))
    }
    if object.field(.keys) != nil || object.field(.objects) != nil { return nil }
    let remembered = object.graph.derivedValue(of: object.node) { derived in
      guard let keys = object.indexed("NS.key."), let values = object.indexed("NS.object."),
        keys.count == values.count, !keys.isEmpty || object.isBare
      else { return .null }
      return .dictionary(Pairs(keys: derived.elements(keys), values: derived.elements(values)))
    }
    if case .dictionary = remembered { return remembered }
    return nil
  }

  static func fault(in object: ArchivedObject) -> String? {
    guard let keys = object.list(.keys), let values = object.list(.objects),
      keys.count != values.count
    else { return nil }
    return unequal(keys: keys.count, objects: values.count)
  }

  /// The message about different numbers of keys and objects.
  static func unequal(keys: Int, objects: Int) -> String {
    "NS.keys holds \(keys) keys, but NS.objects holds \(objects) objects"
  }
}

// MARK: - NSMapTable, NSHashTable and NSPointerArray

/// NSMapTable and NSHashTable, of which only the number of entries is certain.
enum NSTableClass: SimpleClass {
  static let classNames = [
    "NSMapTable", "NSConcreteMapTable", "NSHashTable", "NSConcreteHashTable", "NSPointerArray",
    "NSConcretePointerArray",
  ]
  static let shown = "how many entries it has, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    let count =
      object.integer("NS.count") ?? object.elements("NS.keys").map { Int64($0.count) }
      ?? object.elements("NS.objects").map { Int64($0.count) }
    guard let count, count >= 0 else { return nil }
    return count == 1 ? "1 entry" : "\(count) entries"
  }
}

// MARK: - _NSKeyedCoderOldStyleArray

/// The array of a C array in an NSValue: `NS.count` elements of the type whose letter is `NS.type`, in `$0`, `$1`, ….
enum OldStyleArrayClass: FrameworkClass {
  static let classNames = ["_NSKeyedCoderOldStyleArray"]
  static let shown = "the elements of a C array"

  static func value(of object: ArchivedObject) -> Value? {
    guard let count = object.integer("NS.count"), let nodes = object.indexed("$"),
      Int64(nodes.count) == count
    else { return nil }
    let fieldNames = ["NS.count", "NS.size", "NS.type"] + nodes.indices.map { "$\($0)" }
    return object.derivedObject(of: fieldNames) {
      [("elements", .list(nodes.map { .node($0) }))]
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    guard let count = object.integer("NS.count"), let type = object.integer("NS.type"),
      let scalar = UInt32(exactly: type).flatMap({ Unicode.Scalar($0) }), scalar.isASCII,
      let nodes = object.indexed("$"), Int64(nodes.count) == count
    else { return nil }
    let elements = nodes.prefix(16).map { object.leaf($0).map { SummaryText.scalar($0) } ?? "…" }
    return
      "[\(count)\(scalar)] {\(elements.joined(separator: ", "))\(nodes.count > 16 ? ", …" : "")}"
  }

  static let storedForm = StoredForm.never(
    shown: ["elements"], reason: "the type of its elements is not shown")
}

// MARK: - The elements of collections

extension ArchivedObject {
  /// The elements of a collection under either kind of keys.
  func listedElements() -> Elements? {
    if let elements = list(.objects) { return elements }
    if field(.objects) != nil { return nil }
    let remembered = graph.derivedValue(of: node) { derived in
      guard let nodes = indexed("NS.object."), !nodes.isEmpty || isBare else { return .null }
      return .array(derived.elements(nodes))
    }
    if case .array(let elements) = remembered { return elements }
    return nil
  }
}
