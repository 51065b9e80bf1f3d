// The settings of an application's JSONEncoder: the form of dates in its JSON, and of member names.
//
// Source: Foundation, JSONEncoder.DateEncodingStrategy and KeyEncodingStrategy.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// The settings of a JSONEncoder, and of the JSONDecoder that reads its output; data is Base64.
package struct JSONCoding: Sendable, Equatable {
  /// The form of dates in JSON.
  package enum Dates: Sendable, Equatable {
    /// A number; JSONEncoder's default counts from 2001.
    case number(DateEpoch)
    /// A string of a whole second: `2019-04-06T03:50:00Z`.
    case iso8601
    /// A string of a DateFormatter's pattern in UTC.
    case format(DatePattern)
  }

  /// The form of dates.
  package var dates: Dates
  /// Whether members that the schema names are written in snake case.
  package var hasSnakeCaseKeys: Bool
  /// Whether dates in ISO 8601 may have fractions of a second, which JSONEncoder's strategy neither writes nor reads.
  package var readsFractions: Bool

  /// Makes settings; without any, those of a new JSONEncoder.
  package init(
    dates: Dates = .number(.reference), hasSnakeCaseKeys: Bool = false, readsFractions: Bool = false
  ) {
    self.dates = dates
    self.readsFractions = readsFractions
    self.hasSnakeCaseKeys = hasSnakeCaseKeys
  }

  // MARK: Dates

  /// A date in JSON.
  enum EncodedDate {
    case number(Double)
    case text(String)
  }

  /// The JSON form of a date; nil if it cannot be represented.
  func encode(_ seconds: Double) -> EncodedDate? {
    guard seconds.isFinite else { return nil }
    let encoded: EncodedDate
    switch dates {
    case .number(let epoch): encoded = .number(epoch.number(of: seconds))
    case .iso8601:
      guard Timestamp.isGregorian(seconds), let moment = Timestamp(secondsFromReference: seconds),
        moment.year <= 9999
      else { return nil }
      encoded = .text(moment.text)
    case .format(let pattern):
      guard let text = pattern.text(of: seconds) else { return nil }
      encoded = .text(text)
    }
    return read(encoded) == seconds ? encoded : nil
  }

  /// The date of a number or a text in JSON; nil for other values.
  func read(_ encoded: EncodedDate) -> Double? {
    switch (dates, encoded) {
    case (.number(let epoch), .number(let number)): return epoch.reference(of: number)
    case (.iso8601, .text(let text)):
      if !readsFractions, text.utf8.contains(UInt8(ascii: ".")) { return nil }
      let seconds = Timestamp(text: text)?.secondsFromReference
      return seconds.flatMap { Timestamp.isGregorian($0) ? $0 : nil }
    case (.format(let pattern), .text(let text)): return pattern.seconds(of: text)
    default: return nil
    }
  }

  /// The setting as messages name it.
  var datesName: String {
    switch dates {
    case .number(.unixMilliseconds): "unixMilliseconds"
    case .number(let epoch): epoch.rawValue
    case .iso8601: "iso8601"
    case .format(let pattern): pattern.text
    }
  }

  // MARK: Keys

  /// A member's name in snake case; nil if JSONDecoder would not find it again by that.
  package static func snakeCase(_ name: String) -> String? {
    let letters = Array(name)
    var words: [String] = []
    var start = 0
    var next = 1
    while let upper = (next..<max(next, letters.count)).first(where: { letters[$0].isUppercase }) {
      words.append(String(letters[start..<upper]))
      start = upper
      guard let lower = (upper..<letters.count).first(where: { letters[$0].isLowercase }) else {
        next = letters.count
        break
      }
      // Of several capitals the last begins the word that follows.
      if lower > upper + 1 {
        words.append(String(letters[upper..<lower - 1]))
        start = lower - 1
      }
      next = lower + 1
    }
    words.append(String(letters[start...]))
    let result = words.map { $0.lowercased() }.joined(separator: "_")
    return camelCase(result) == name ? result : nil
  }

  /// The name that JSONDecoder makes of one in snake case.
  package static func camelCase(_ name: String) -> String {
    let inner = name.drop { $0 == "_" }
    let leading = name.prefix(name.count - inner.count)
    let trailing = inner.reversed().prefix { $0 == "_" }
    let words = inner.dropLast(trailing.count).split(separator: "_")
    guard words.count > 1, let first = words.first else { return name }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
    return leading + first.lowercased() + rest.joined() + String(trailing)
  }
}

// MARK: - Dates as numbers

/// The epoch from which the number of a date counts.
package enum DateEpoch: String, Sendable, Equatable {
  /// Seconds from 1970-01-01T00:00:00Z.
  case unix
  /// Milliseconds from 1970-01-01T00:00:00Z.
  case unixMilliseconds = "unix-milliseconds"
  /// Seconds from 2001-01-01T00:00:00Z, like `timeIntervalSinceReferenceDate`.
  case reference

  /// Seconds from 1970-01-01 to 2001-01-01.
  private static let gap = 978_307_200.0

  /// Seconds from 2001-01-01T00:00:00Z of a number.
  package func reference(of number: Double) -> Double {
    switch self {
    case .unix: number - Self.gap
    case .unixMilliseconds: number / 1000 - Self.gap
    case .reference: number
    }
  }

  /// The number of seconds from 2001-01-01T00:00:00Z.
  package func number(of seconds: Double) -> Double {
    switch self {
    case .unix: seconds + Self.gap
    case .unixMilliseconds: (seconds + Self.gap) * 1000
    case .reference: seconds
    }
  }
}

// MARK: - A model as JSONDecoder would read it: dates and data are no longer text or numbers

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
  ///   - schemaIndex: the number of the model's schema; nil for that of the whole shape.
  ///   - coding: the form of dates and member names.
  ///   - hasClasses: whether objects may have their class as the member `$class`, which is left out, and objects of
  ///     frameworks that the shape names are their values.
  /// - Returns: the root itself if nothing in it is read as something else.
  package static func root(
    of root: Node, in graph: ObjectGraph, shape: any TypeHints, from schemaIndex: Int? = nil,
    coding: JSONCoding, hasClasses: Bool = false
  ) -> Node {
    let model = JSONDecodedModel(
      graph: graph, shape: shape, coding: coding, hasClasses: hasClasses)
    return model.form(root, schemaIndex ?? shape.root, depth: 0).map { graph.add($0, near: root) }
      ?? root
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
    case let value: return value.number.flatMap { scalar(.number($0), schemaIndex) }
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
