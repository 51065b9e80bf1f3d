// Keys that stand more than once in a dictionary of a text.

import ObjectGraph

extension GraphBuilder {
  /// Keeps of each key in the dictionary that is open its first place and its last value, as CoreFoundation reads
  /// XML.
  ///
  /// - Returns: a key that was repeated, nil if there is none.
  mutating func keepLastOfRepeatedKeys() -> UInt32? {
    guard let repeated = Self.repeatedKey(openValues) else { return nil }
    let values = Array(openValues)
    discardOpen()
    open()
    for index in Self.withoutRepeats(values) { append(index) }
    return repeated
  }

  /// Equal keys are one value, so their numbers tell them.
  private static func repeatedKey(_ values: ArraySlice<UInt32>) -> UInt32? {
    let keys = stride(from: values.startIndex, to: values.endIndex, by: 2)
    if values.count <= 16 {
      for place in keys {
        for earlier in stride(from: values.startIndex, to: place, by: 2)
        where values[earlier] == values[place] {
          return values[place]
        }
      }
      return nil
    }
    var known = Set<UInt32>(minimumCapacity: values.count / 2)
    for place in keys where !known.insert(values[place]).inserted { return values[place] }
    return nil
  }

  private static func withoutRepeats(_ values: [UInt32]) -> [UInt32] {
    var places: [UInt32: Int] = [:]
    var kept: [UInt32] = []
    for position in stride(from: 0, to: values.count - 1, by: 2) {
      if let place = places[values[position]] {
        kept[place + 1] = values[position + 1]
      } else {
        places[values[position]] = kept.count
        kept += [values[position], values[position + 1]]
      }
    }
    return kept
  }
}

extension ArchiveError {
  /// The warning of a key that stands twice in a dictionary which is read as it is stored.
  public static func repeatedKey(_ name: String, offset: Int?) -> ArchiveError {
    ArchiveError(
      .malformed,
      "the key '\(name.prefix(40))' \(repeated) in a dictionary; decoders differ in the value they take",
      offset: offset)
  }

  /// Whether a warning of a reader is about a key that stands twice in a dictionary.
  public var tellsOfRepeatedKey: Bool {
    code == .malformed && message.contains("the key '") && message.contains("' \(repeated)")
  }
}

/// What every reader says of such a key.
private let repeated = "stands more than once"
