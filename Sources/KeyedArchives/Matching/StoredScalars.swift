// Whether two stored scalars are the same to an unarchiver.

import Basics
import ObjectGraph

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
  static let string = description("NSString")
  /// The class of bare bytes in an archive.
  static let data = description("NSData")
  /// The class of a bare number or boolean in an archive.
  static let number = description("NSNumber")

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
