// Codable's form of a dictionary: by names, or as a list of alternating keys and values.

import ArchiveGraph
import KeyedArchives

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
      guard graph.isContainerOrData(key), let index = graph.classIndex(of: key) else {
        return .text
      }
      let name = FoundationClass.immutable(graph.classes[index].name)
      return name == "NSString" ? .text : .object(name)
    case .array, .set, .orderedSet, .dictionary: return .container
    case .object(let index, _): return .object(graph.classes[index].name)
    case .uid: return .integer
    }
  }
}
