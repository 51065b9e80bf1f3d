// A pattern for names, in which `*` stands for any run of characters.

/// A glob pattern that is matched in at most (name length × pattern length) steps.
struct NamePattern {
  private let pattern: [UInt8]

  init(_ pattern: String) {
    self.pattern = Array(pattern.utf8)
  }

  /// Tells whether the pattern fits the whole name.
  func matches(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }

  /// Matches from left to right, trying only the last `*` again.
  ///
  /// What stood before it has matched in the shortest way, and a longer way could not leave more of
  /// the name to the rest. This is what keeps the work bounded.
  private func matches(_ name: UnsafeRawBufferPointer) -> Bool {
    let star = UInt8(ascii: "*")
    var inName = 0
    var inPattern = 0
    var retry: (name: Int, pattern: Int)?
    while inName < name.count {
      if inPattern < pattern.count, pattern[inPattern] == star {
        inPattern += 1
        retry = (inName, inPattern)
      } else if inPattern < pattern.count, pattern[inPattern] == name[inName] {
        inName += 1
        inPattern += 1
      } else if let last = retry {
        inName = last.name + 1
        inPattern = last.pattern
        retry = (inName, inPattern)
      } else {
        return false
      }
    }
    return pattern[inPattern...].allSatisfy { $0 == star }
  }
}
