// A schema's requirements for archived values besides the values: classes, storage, mutability.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// What is known about the class and the storage of the values at one location of a model.
package struct StructureRule: Hashable, Sendable {
  /// Patterns of the class names that an object may have, best first; empty for any.
  package var classes: [String] = []
  /// The class and its superclasses up to the root; empty where they are not known.
  package var chain: [String] = []
  /// The possible storage of a field, best first; empty for any.
  package var storages: [FieldStorage] = []
  /// Whether a collection, string or data value is of a mutable class; nil for either.
  package var isMutable: Bool?
  /// The class of a dictionary's keys; nil for any.
  package var keyClass: KeyClass?

  /// Makes a rule without requirements.
  package init() {}

  /// The class that a new object gets: the first of the classes, unless that is a pattern.
  package var className: String? { classes.first.flatMap { $0.contains("*") ? nil : $0 } }

  /// The storage that a new value gets.
  package var storage: FieldStorage? { storages.first }
}

/// The class of a dictionary's keys.
package enum KeyClass: String, Sendable, CaseIterable {
  case string = "NSString"
  case number = "NSNumber"
  case uuid = "NSUUID"
  case url = "NSURL"
  case date = "NSDate"
  case data = "NSData"
  case decimal = "NSDecimalNumber"

  /// The class of a key by the name of the class that is stored; nil for a class of no such keys.
  package init?(className: String) {
    self.init(rawValue: FoundationClass.immutable(className))
  }

  /// The scalar that a key's text represents; nil for text that no key of the class is written as.
  func scalar(of text: String, in builder: inout GraphBuilder) -> UInt32? {
    switch self {
    case .number:
      if let number = Int64(text), String(number).hasSameScalars(as: text) {
        return builder.add(number)
      }
      if let number = UInt64(text), String(number).hasSameScalars(as: text) {
        return builder.add(unsigned: number)
      }
      guard let number = Double(text), number.description.hasSameScalars(as: text) else {
        return nil
      }
      return builder.add(number)
    case .date: return Timestamp(text: text).map { builder.add($0.secondsFromReference) }
    case .data: return Base64.canonicalBytes(of: text)?.withUnsafeBytes { builder.add(data: $0) }
    default: return nil
    }
  }
}
