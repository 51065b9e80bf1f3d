// What differs between two stored graphs, by kind: the losses of a migration, and why an edit is refused.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

/// A difference between two stored graphs.
package struct StoredDifference: Sendable {
  /// What differs, as the table of losses in archtool-migrate(1) has it.
  package enum Kind: String, Sendable, CaseIterable {
    /// A member, an element or a digit.
    case value
    /// Whether a value is nil, null or absent.
    case absence
    /// Whether references lead to one object.
    case sharing
    /// The class of a dictionary's key.
    case key
    /// The class of an object, or its superclasses.
    case `class`
    /// Whether a value is inline or a separate object, and the precision of a real.
    case storage
    /// Whether a collection, a string or data is mutable.
    case mutability
  }

  /// The kind.
  package let kind: Kind
  /// The path of the value in the first graph.
  package let path: GraphPath
  /// What the value is, and what it becomes: `NSArray, which becomes NSSet`.
  package let text: String
  /// The number of values with this difference whose paths differ in nothing but the positions of elements.
  package internal(set) var count = 1

  /// Makes a difference.
  package init(kind: Kind, path: GraphPath, text: String) {
    (self.kind, self.path, self.text) = (kind, path, text)
  }
}

/// The differences found so far: one for each kind, text and path without the positions of elements.
///
/// All are counted. Beyond a number that nobody would read, those of one kind have the first one's path and text.
package struct StoredDifferences {
  private struct Key: Hashable {
    let kind: StoredDifference.Kind
    let text: CodePointString?
    let pattern: Int
    let isSplit: Bool
  }

  private static let most = 10_000
  /// How many steps all paths in the list may have: a path may be long.
  private static let mostSteps = 1 << 20

  /// Differences for which the answers are not the same are told apart; nil if none need be.
  let split: ((StoredDifference.Kind, GraphPath) -> Bool)?
  var trails = PathTrails()
  private(set) var list: [StoredDifference] = []
  private var known: [Key: Int] = [:]
  private var stepCount = 0

  init(split: ((StoredDifference.Kind, GraphPath) -> Bool)? = nil) { self.split = split }

  /// Adds a difference of the value at a path.
  mutating func add(_ kind: StoredDifference.Kind, _ text: String, _ trail: Int) {
    let isSplit = split.map { $0(kind, trails.path(trail)) } ?? false
    let isFull = list.count >= Self.most || stepCount >= Self.mostSteps
    let key = Key(
      kind: kind, text: isFull ? nil : CodePointString(text),
      pattern: isFull ? PathTrails.root : trails.pattern(of: trail), isSplit: isSplit)
    if let position = known[key] {
      list[position].count += 1
      return
    }
    let path = trails.path(trail)
    stepCount += path.steps.count
    known[key] = list.count
    list.append(StoredDifference(kind: kind, path: path, text: text))
  }
}

// MARK: - Whether two stored scalars are the same to an unarchiver

/// Compares scalars as they are stored.
enum StoredScalars {
  enum Answer: Equatable {
    case equal
    /// The same number in another precision, with the words for it.
    case precision(String)
    case different
  }

  /// Compares two scalars; a boolean is a number in an archive, where NSNumber has both, and not in a property list.
  static func compare(
    _ one: (node: Node, value: Value), of source: ObjectGraph,
    _ other: (node: Node, value: Value), of target: ObjectGraph, isStored: Bool = false
  ) -> Answer {
    let isPlain = source.documents[Int(one.node.document)].archive == nil
    let rule: ScalarEquality = isStored ? .stored : isPlain ? .exact : .model
    switch (one.value, other.value) {
    case _ where !rule.areEqual(one.value, other.value): return .different
    case (.single, .real): return .precision("of single precision, which becomes double")
    case (.real, .single): return .precision("of double precision, which becomes single")
    default: return .equal
    }
  }

  /// A scalar in words.
  static func text(_ value: Value) -> String {
    switch value {
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

  private static func description(_ name: String) -> ClassDescription {
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
