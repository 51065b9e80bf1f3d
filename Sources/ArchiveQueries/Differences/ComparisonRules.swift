// When two values mean the same: the rules for a pair of inputs.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting

struct ComparisonRules: Sendable, Equatable {
  /// Whether the classes of objects are compared: both graphs have objects of applications' classes.
  var comparesClasses = true
  /// Whether one graph has objects where the other has dictionaries: an object is its members, nil ones left out, and a
  /// Foundation value is the form that Codable writes for it.
  var comparesForms = false
  /// Whether a date is compared as text and data as Base64, since JSON has neither.
  var hasTextualDates = false
  /// Whether numbers are compared as their digits, since OpenStep property lists without GNUstep's notation have none.
  var hasTextualNumbers = false
  /// Whether a boolean equals 0 or 1: in keyed archives it may be stored as either (NSNumber), elsewhere it is a type.
  var hasNumericBooleans = false
  /// Reals that differ by at most this are equal; nil for exact comparison.
  var tolerance: Double?
  /// Whether values that mean the same differ if they are stored in different ways: with mutable classes or other
  /// superclasses, as other types of numbers, inline or as objects.
  var isExact = false

  /// Whether a real of single precision is the double of its bits: one graph is XML, which has no others.
  var widensSingles = false

  var scalars: ScalarEquality {
    ScalarEquality(
      isExact ? .stored : widensSingles ? .exact : .shown, hasNumericBooleans: hasNumericBooleans)
  }

  /// Whether two scalars are equal, also as a real of single precision and the double of its bits.
  func areEqual(_ one: Value, _ two: Value) -> Bool {
    [ScalarEquality.Numbers.shown, .exact].contains {
      ScalarEquality($0, hasNumericBooleans: hasNumericBooleans).areEqual(one, two)
    }
  }

  init(_ old: ObjectGraph, _ new: ObjectGraph, tolerance: Double? = nil) {
    let encodings = [old.documents[0].encoding.name, new.documents[0].encoding.name]
    if encodings[0] != encodings[1] {
      hasTextualDates = encodings.contains("JSON")
      widensSingles = [old, new].contains { $0.documents[0].encoding == .xmlPropertyList }
      hasTextualNumbers = [old, new].contains {
        $0.documents[0].encoding.traits.contains(.textualNumbers)
      }
    }
    hasNumericBooleans = Self.isArchive(old) != Self.isArchive(new)
    self.tolerance = tolerance
  }

  /// Whether the value of a graph is stored in a keyed archive, not in a property list that an archive may hold.
  private static func isArchive(_ graph: ObjectGraph) -> Bool {
    var node = graph.root
    while let content = graph.content(of: node) { node = content }
    return graph.document(of: node).archive != nil
  }

  /// The class of a value as far as it matters; nil for the usual class of its type.
  ///
  /// Mutable classes count as the immutable ones.
  func className(of node: Node, _ value: Value, in graph: ObjectGraph) -> String? {
    guard let index = graph.classIndex(of: node) else { return nil }
    if isExact {
      let description = graph.classes[index]
      return ([description.name] + description.chain + ["?"] + description.hints)
        .joined(separator: "\u{0}")
    }
    if case .object = value { return graph.classes[index].name }
    let name = FoundationClass.immutable(graph.classes[index].name)
    return Self.usualClasses.contains(name) ? nil : name
  }

  private static let usualClasses: Set<String> = [
    "NSArray", "NSData", "NSDate", "NSDictionary", "NSNull", "NSNumber", "NSOrderedSet", "NSSet",
    "NSString",
  ]
}

// MARK: - The members and elements that a comparison leaves out

/// Members and elements by their container and position.
package struct IgnoredValues {
  private struct ChildPosition: Hashable {
    let container: Node
    let position: Int
  }

  private var positions: Set<ChildPosition> = []
  /// Whether the whole input is ignored.
  package private(set) var isRootIgnored = false

  /// No values.
  package init() {}

  /// The results of queries in a graph.
  ///
  /// - Throws: `ArchiveError` with code `limit` if a query visits too many values.
  package init(_ queries: [JSONPath], in graph: ObjectGraph) throws(ArchiveError) {
    for query in queries {
      var run = QueryRun(query, in: graph, visits: .once)
      while try run.next() != nil {
        if let (container, position) = run.location {
          positions.insert(ChildPosition(container: container, position: position))
        } else {
          isRootIgnored = true
        }
      }
    }
  }

  /// Whether the child at a position is ignored.
  package func contains(_ container: Node, _ position: Int) -> Bool {
    !positions.isEmpty
      && positions.contains(ChildPosition(container: container, position: position))
  }
}
