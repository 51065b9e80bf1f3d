// A model as JSONDecoder would read it: dates and data according to the schema are no longer text or numbers.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// Reads dates, data and the names of members out of a model in JSON.
///
/// What cannot be read stays as it is, for the schema to name.
package struct JSONDecodedModel: ~Copyable {
  /// Deeper values are left unchanged.
  private static let depthLimit = 512

  private let graph: ObjectGraph
  private let shape: any TypeHints
  private let coding: JSONCoding
  /// Whether the JSON is that of dump, in which objects have their class as a member, or as tags.
  private let hasClasses: Bool

  /// The model of a JSON value.
  ///
  /// - Parameters:
  ///   - root: the value in the JSON.
  ///   - shape: which of its values are dates and data, and what its members are called.
  ///   - coding: the form of dates and member names.
  ///   - hasClasses: whether objects may have their class as the member `$class`, which is left out, and objects of
  ///     frameworks that the shape names are their values.
  /// - Returns: the root itself if nothing in it is read as something else.
  package static func root(
    of root: Node, in graph: ObjectGraph, shape: any TypeHints, coding: JSONCoding,
    hasClasses: Bool = false
  ) -> Node {
    let model = JSONDecodedModel(
      graph: graph, shape: shape, coding: coding, hasClasses: hasClasses)
    return model.form(root, shape.root, depth: 0).map { graph.add($0, near: root) } ?? root
  }

  /// The decoded value; nil if it is plain.
  private borrowing func form(_ node: Node, _ schemaIndex: Int, depth: Int) -> SyntheticValue? {
    guard schemaIndex != 0, depth < min(Self.depthLimit, graph.limits.depth) else { return nil }
    switch graph.value(of: node) {
    case .array(let elements): return list(elements, shape.element(schemaIndex), depth)
    case .dictionary(let pairs): return members(pairs, schemaIndex, depth)
    case .object(_, let pairs) where hasClasses: return members(pairs, schemaIndex, depth)
    case .string(let text)
    where hasClasses && graph.classIndex(of: node) != nil
      && shape.structure(schemaIndex)?.className != nil:
      return .string(text.string)
    case .string(let text): return scalar(.text(text.string), schemaIndex)
    case .integer(let number): return scalar(.number(Double(number)), schemaIndex)
    case .unsigned(let number): return scalar(.number(Double(number)), schemaIndex)
    case .wide(let number): return scalar(.number(Double(number.number)), schemaIndex)
    case .real(let number): return scalar(.number(number), schemaIndex)
    default: return nil
    }
  }

  private borrowing func scalar(_ encoded: JSONCoding.EncodedDate, _ schemaIndex: Int)
    -> SyntheticValue?
  {
    switch shape.exactType(schemaIndex) {
    case .any: return nil
    case .date: return coding.read(encoded).map { .date($0) }
    case .data:
      guard case .text(let text) = encoded else { return nil }
      return Base64.canonicalBytes(of: text).map { .data($0) }
    }
  }

  private borrowing func list(_ elements: Elements, _ schemaIndex: Int, _ depth: Int)
    -> SyntheticValue?
  {
    if schemaIndex == 0 { return nil }
    var isChanged = false
    var items: [SyntheticValue] = []
    items.reserveCapacity(elements.count)
    for index in 0..<elements.count {
      let node = graph.node(elements, index)
      let form = form(node, schemaIndex, depth: depth + 1)
      isChanged = isChanged || form != nil
      items.append(form ?? .node(node))
    }
    return isChanged ? .list(items) : nil
  }

  private borrowing func members(_ pairs: Pairs, _ schemaIndex: Int, _ depth: Int)
    -> SyntheticValue?
  {
    var isChanged = false
    var members: [(key: SyntheticValue, value: SyntheticValue)] = []
    for position in 0..<pairs.count {
      let (key, value) = (graph.key(pairs, position), graph.value(pairs, position))
      guard let name = graph.memberName(pairs, position) else {
        members.append((.node(key), .node(value)))
        continue
      }
      if hasClasses, name.equals("$class"), !shape.names("$class", in: schemaIndex) {
        isChanged = true
        continue
      }
      let renamed = rename(name.string, schemaIndex)
      let form = form(
        value, shape.schemaIndex(of: renamed ?? name.string, in: schemaIndex), depth: depth + 1)
      isChanged = isChanged || form != nil || renamed != nil
      members.append((renamed.map { .string($0) } ?? .node(key), form ?? .node(value)))
    }
    return isChanged ? .pairs(members) : nil
  }

  /// The name of a member in snake case; nil if the shape does not know it.
  private borrowing func rename(_ name: String, _ schemaIndex: Int) -> String? {
    guard coding.hasSnakeCaseKeys else { return nil }
    let camel = JSONCoding.camelCase(name)
    return camel != name && shape.names(camel, in: schemaIndex) ? camel : nil
  }
}
