// What the strings seen in one place have in common: bounded facts, however many there were.

/// The strings seen in a place.
struct ObservedStrings {
  /// Longer strings are prose, not the names that an `enum` lists, and have no format.
  static let longest = 256

  var count = 0
  var lengths = ObservedRange()
  /// How often each string was seen; empty once there are too many.
  private(set) var values: [String: Int] = [:]
  /// Whether there were too many different strings, or too long ones.
  private(set) var isOverflowing = false
  /// The formats that every string had so far, as bits.
  private(set) var formats: UInt32 = .max

  /// Whether another string can teach nothing but its length.
  var isExhausted: Bool { isOverflowing && formats == 0 }

  mutating func add(_ text: String, _ options: SchemaInference.Options) {
    note(text, times: 1, limit: options.enumValues)
    guard formats != 0 else { return }
    guard let accepts = options.acceptsFormat, text.utf8.count <= Self.longest else {
      formats = 0
      return
    }
    for (bit, name) in options.formats.prefix(32).enumerated() where formats & 1 << bit != 0 {
      if !accepts(name, text) { formats &= ~(1 << bit) }
    }
  }

  /// Notes that some string could not be looked at.
  mutating func overflow() {
    isOverflowing = true
    values = [:]
  }

  private mutating func note(_ text: String, times: Int, limit: Int) {
    guard !isOverflowing else { return }
    guard text.utf8.count <= Self.longest else { return overflow() }
    if let index = values.index(forKey: text) {
      // Swift holds strings equal that Unicode does; an `enum` that lists one would refuse the other.
      guard values[index].key.utf8.elementsEqual(text.utf8) else { return overflow() }
      values.values[index] += times
    } else if values.count < limit {
      values[text] = times
    } else {
      overflow()
    }
  }

  mutating func merge(_ other: ObservedStrings, limit: Int) {
    count += other.count
    lengths.merge(other.lengths)
    formats &= other.formats
    if other.isOverflowing { return overflow() }
    for (text, times) in other.values { note(text, times: times, limit: limit) }
  }
}
