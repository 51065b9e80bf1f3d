// The options of a command line with their values: a few, which a search finds sooner than a hash.

/// The values of options by their long names; a flag has a name and no values.
struct OptionValues: Sendable {
  private var names: [String] = []
  /// The values of all options, those of one option together.
  private var texts: [String] = []
  /// Where in `texts` the values of each option end; they begin where those of the option before it end.
  private var ends: [Int] = []

  /// Whether an option was given.
  func contains(_ name: String) -> Bool { names.contains(name) }

  /// The values of an option, in order; none if it is a flag or was not given.
  subscript(name: String) -> [String] {
    guard let place = names.firstIndex(of: name) else { return [] }
    return Array(texts[start(place)..<ends[place]])
  }

  /// The last value of an option; nil if there is none.
  func last(_ name: String) -> String? {
    guard let place = names.firstIndex(of: name), start(place) < ends[place] else { return nil }
    return texts[ends[place] - 1]
  }

  /// Sets the values of an option: none for a flag.
  mutating func set(_ name: String, to values: [String]) {
    remove(name)
    names.append(name)
    texts += values
    ends.append(texts.count)
  }

  /// Adds a value to those of an option.
  mutating func append(_ value: String, to name: String) {
    set(name, to: self[name] + [value])
  }

  /// Removes an option.
  mutating func remove(_ name: String) {
    guard let place = names.firstIndex(of: name) else { return }
    let range = start(place)..<ends[place]
    names.remove(at: place)
    ends.remove(at: place)
    texts.removeSubrange(range)
    for later in place..<ends.count { ends[later] -= range.count }
  }

  private func start(_ place: Int) -> Int { place == 0 ? 0 : ends[place - 1] }
}

/// The order in which options were given is no part of what they say.
extension OptionValues: Hashable {
  static func == (first: Self, second: Self) -> Bool {
    first.names.count == second.names.count
      && first.names.allSatisfy { second.contains($0) && first[$0] == second[$0] }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(names.sorted()) }
}
