// NSArray, NSSet and NSOrderedSet: `NS.objects`, or `NS.object.0`, `NS.object.1`, … in older archives
// and in every ordered set (swift-corelibs-foundation: NSArray.swift, NSSet.swift, NSOrderedSet.swift).

import ObjectGraph

/// NSArray and NSMutableArray.
enum NSArrayClass: ArchivedClass {
  static let classNames = ["NSArray", "NSMutableArray"]
  static let shown = "the elements"
  static let isCollection = true

  static func value(of object: ArchivedObject) -> Value? {
    listedElements(of: object).map { .array($0) }
  }
}

/// NSSet and NSMutableSet.
enum NSSetClass: ArchivedClass {
  static let classNames = ["NSSet", "NSMutableSet"]
  static let shown = "the elements"
  static let isCollection = true

  static func value(of object: ArchivedObject) -> Value? {
    listedElements(of: object).map { .set($0) }
  }
}

/// NSOrderedSet and NSMutableOrderedSet.
enum NSOrderedSetClass: ArchivedClass {
  static let classNames = ["NSOrderedSet", "NSMutableOrderedSet"]
  static let shown = "the elements in their order"
  static let isCollection = true

  static func value(of object: ArchivedObject) -> Value? {
    listedElements(of: object).map { .orderedSet($0) }
  }
}

/// The elements of a collection in either spelling.
private func listedElements(of object: ArchivedObject) -> Elements? {
  if let elements = object.list(.objects) { return elements }
  if object.field(.objects) != nil { return nil }
  let remembered = object.graph.derivedValue(of: object.node) { derived in
    guard let nodes = object.indexed("NS.object."), !nodes.isEmpty || object.isBare else {
      return .null
    }
    return .array(derived.elements(nodes))
  }
  if case .array(let elements) = remembered { return elements }
  return nil
}
