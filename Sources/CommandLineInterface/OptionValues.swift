// The options of a command line with their values: a few, which a search finds sooner than a hash.

/// The values of options by their long names; a flag has a name and no values.
struct OptionValues: Sendable {
  private var names: [String] = []
  /// The values of all options, as they were given.
  private var texts: [String] = []
  /// For each value the place of its option among `names`.
  private var owners: [Int] = []

  /// Whether an option was given.
  func contains(_ name: String) -> Bool { names.contains(name) }

  /// The values of an option, in order; none if it is a flag or was not given.
  subscript(name: String) -> [String] {
    guard let place = names.firstIndex(of: name) else { return [] }
    var values: [String] = []
    for number in texts.indices where owners[number] == place { values.append(texts[number]) }
    return values
  }

  /// The last value of an option; nil if there is none.
  func last(_ name: String) -> String? {
    guard let place = names.firstIndex(of: name) else { return nil }
    return owners.lastIndex(of: place).map { texts[$0] }
  }

  /// Adds a flag, or a value to those of an option; nil for a flag.
  mutating func add(_ value: String?, to name: String) {
    let place = place(of: name)
    guard let value else { return }
    texts.append(value)
    owners.append(place)
  }

  /// Sets the values of an option.
  mutating func set(_ name: String, to values: [String]) {
    drop(valuesOf: place(of: name))
    for value in values { add(value, to: name) }
  }

  /// Removes an option.
  mutating func remove(_ name: String) {
    guard let place = names.firstIndex(of: name) else { return }
    drop(valuesOf: place)
    names.remove(at: place)
    for number in owners.indices where owners[number] > place { owners[number] -= 1 }
  }

  private mutating func place(of name: String) -> Int {
    if let place = names.firstIndex(of: name) { return place }
    names.append(name)
    return names.count - 1
  }

  private mutating func drop(valuesOf place: Int) {
    guard owners.contains(place) else { return }
    let kept = owners.indices.filter { owners[$0] != place }
    texts = kept.map { texts[$0] }
    owners = kept.map { owners[$0] }
  }
}

/// The order in which options were given is no part of what they say.
extension OptionValues: Hashable {
  static func == (first: Self, second: Self) -> Bool {
    first.names.count == second.names.count
      && first.names.allSatisfy { second.contains($0) && first[$0] == second[$0] }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(names.sorted()) }
}
