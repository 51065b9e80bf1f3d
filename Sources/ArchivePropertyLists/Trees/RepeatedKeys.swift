// Repeated keys in a dictionary: of a text that is read, and of values that become text.

import ArchiveBasics
import ArchiveGraph

/// The repeated keys of a text, whose last values count, as when CoreFoundation reads XML.
struct RepeatedKeys: ~Copyable {
  /// A warning for each dictionary that has one; their offsets are positions of the parser.
  private(set) var warnings: [ArchiveError] = []
  /// The positions of the keys of all open dictionaries; -1 for those that have none.
  private var positions = RawStack<Int>()

  /// Adds a key of the open dictionary.
  @inline(__always)
  mutating func add(_ position: Int?) { positions.push(position ?? -1) }

  /// Ends the open dictionary: keeps for each key its first position and its last value.
  @inline(__always)
  mutating func end(_ builder: inout GraphBuilder) {
    let others = max(positions.count - builder.openCount / 2, 0)
    if let pair = builder.repeatedPair() { end(&builder, pair) }
    positions.truncate(to: others)
  }

  @inline(never)
  private mutating func end(_ builder: inout GraphBuilder, _ pair: Int) {
    let pairs = builder.openCount / 2
    if warnings.count < 100, positions.count >= pairs {
      let key = (builder.string(at: builder.openValues[pair * 2]) ?? "").shortened(to: 40)
      let position = positions[positions.count - pairs + pair].pointee
      warnings.append(
        ArchiveError(
          .malformed, "the key '\(key)' is repeated; its last value is used",
          offset: position < 0 ? nil : position, about: .repeatedKey))
    }
    let values = Array(builder.openValues)
    builder.discardOpen()
    builder.open()
    for index in Self.withoutRepeats(values) { builder.append(index) }
  }

  private static func withoutRepeats(_ values: [UInt32]) -> [UInt32] {
    var indexes: [UInt32: Int] = [:]
    var kept: [UInt32] = []
    for position in stride(from: 0, to: values.count - 1, by: 2) {
      if let index = indexes[values[position]] {
        kept[index + 1] = values[position + 1]
      } else {
        indexes[values[position]] = kept.count
        kept += [values[position], values[position + 1]]
      }
    }
    return kept
  }
}

extension ArchiveError {
  /// The warning about a repeated key in a dictionary that is read as it is stored.
  package static func repeatedKey(_ name: String, offset: Int?) -> ArchiveError {
    ArchiveError(
      .malformed,
      "the key '\(name.prefix(40))' is repeated in a dictionary; decoders differ in the value they use",
      offset: offset, about: .repeatedKey)
  }
}

// MARK: - Texts of the same characters

/// The position of a text whose characters an earlier one has; nil if there is none.
///
/// - Parameter text: the text at a position; nil for one that is left out.
private func repeatedText(_ count: Int, _ text: (Int) -> Text?) -> Int? {
  var seen = KeySketch()
  for position in 0..<count {
    guard let key = text(position), !seen.insert(key) else { continue }
    // All texts before this one are ASCII. Few of them are quicker compared than hashed.
    guard count <= 64, key.isSevenBit else { return repeatedTextOfMany(count, text) }
    for earlier in 0..<position where text(earlier)?.sameCharacters(as: key) == true {
      return position
    }
  }
  return nil
}

private func repeatedTextOfMany(_ count: Int, _ text: (Int) -> Text?) -> Int? {
  var known = Set<TextKey>(minimumCapacity: count)
  return (0..<count).first { position in
    text(position).map { !known.insert(TextKey(text: $0)).inserted } ?? false
  }
}

/// A text that equals all texts of the same characters.
private struct TextKey: Hashable {
  let text: Text

  static func == (left: TextKey, right: TextKey) -> Bool {
    left.text.sameCharacters(as: right.text)
  }

  func hash(into hasher: inout Hasher) {
    text.withCharacterBytes { hasher.combine(bytes: $0) }
  }
}

/// A few bits of each key, which quickly exclude repeated keys in most dictionaries.
private struct KeySketch {
  private var bits: UInt64 = 0

  /// Adds a key.
  ///
  /// - Returns: false if it may have the characters of one before it: their bits collide, or it may be stored in
  ///   several forms.
  @inline(__always)
  mutating func insert(_ key: Text) -> Bool {
    guard key.isSevenBit else { return false }
    let ends = Int(key.bytes.first ?? 0) &* 7 &+ Int(key.bytes.last ?? 0) &* 13
    let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: (key.byteCount &* 31 &+ ends) & 63)
    defer { bits |= bit }
    return bits & bit == 0
  }
}

extension TreeSyntax {
  /// Refuses a dictionary with a repeated key, because the format's readers keep only one of its values.
  ///
  /// A damaged table may have many strings of the same characters. What follows a key that is not a string has an error
  /// of its own.
  func refuseRepeatedKeys(
    _ dictionary: UInt32, in table: ValueTable
  ) throws(ArchiveError) {
    let (start, count) = table.counted(dictionary)
    guard count > 1 else { return }
    func text(_ position: Int) -> Text? { table.text(at: table.reference(start, position)) }
    let strings = (0..<count).first { text($0) == nil } ?? count
    guard let key = repeatedText(strings, text).flatMap(text) else { return }
    throw unrepresentable("a dictionary with the key '\(key.string.prefix(40))' twice")
  }
}

extension ObjectGraph {
  /// Whether two of some string keys have the same characters: readers of JSON keep only one of the values.
  func repeatKeys(_ keys: ArraySlice<Node>) -> Bool {
    repeatedText(keys.count) { keyText(of: keys[keys.startIndex + $0]) } != nil
  }
}

// MARK: - Keys that are stored twice: two strings of the same characters in one dictionary

extension ValueTable {
  /// Dictionaries whose keys were looked at: many have the keys of one before.
  private static let knownCount = 64
  /// The longest keys that are compared: hostile dictionaries might share very long ones.
  private static let longestKey = 1024

  /// The first dictionary with two keys that are two equal strings, and one of them.
  func equalKeys() -> (dictionary: UInt32, key: UInt32)? {
    var known = [(start: UnsafeRawPointer?, count: Int)](
      repeating: (nil, 0), count: Self.knownCount)
    for index in 0..<UInt32(truncatingIfNeeded: count)
    where marker(of: index) >> 4 == Marker.dictionary {
      let (start, count) = counted(index)
      guard count > 1 else { continue }
      let slot = Int(reference(start, 0) &+ reference(start, count - 1) &* 7) % Self.knownCount
      if let keys = known[slot].start, known[slot].count == count,
        memcmp(keys, start, count * referenceWidth) == 0
      {
        continue
      }
      known[slot] = (start, count)
      let repeated = repeatedText(count) { position in
        text(at: reference(start, position)).flatMap {
          $0.byteCount <= Self.longestKey ? $0 : nil
        }
      }
      if let repeated { return (index, reference(start, repeated)) }
    }
    return nil
  }
}
