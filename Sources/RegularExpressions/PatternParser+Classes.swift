// Character classes of a regular expression: ranges, escapes, and marks that mean themselves.

extension PatternParser {
  /// A class with its brackets.
  mutating func characterClass() throws(PatternFault) -> ScalarSet {
    let start = position
    position += 1
    var set = ScalarSet([])
    set.isNegated = skip("^")
    while !skip("]") {
      guard peek() != nil else { throw fault("the class is not closed", at: start) }
      let place = position
      let lower = try classAtom()
      // A dash before the closing bracket, or beside a class escape, means itself.
      guard peek() == "-", let next = peek(1), next != "]" else {
        set.insert(lower)
        continue
      }
      position += 1
      let upper = try classAtom()
      if case .scalar(let first) = lower, case .scalar(let last) = upper {
        guard first <= last else { throw fault("range out of order", at: place) }
        set.ranges.append(first...last)
      } else {
        set.insert(lower)
        set.insert(.scalar(0x2D))
        set.insert(upper)
      }
    }
    return set
  }

  private mutating func classAtom() throws(PatternFault) -> Escaped {
    guard let scalar = peek() else { throw fault("the class is not closed") }
    guard scalar == "\\" else {
      position += 1
      return .scalar(scalar.value)
    }
    if peek(1) == "b" {
      position += 2
      return .scalar(0x08)
    }
    return try escape()
  }
}

extension ScalarSet {
  /// Adds what an escape stands for.
  fileprivate mutating func insert(_ escaped: PatternParser.Escaped) {
    switch escaped {
    case .scalar(let scalar): ranges.append(scalar...scalar)
    case .set(let set): formUnion(set)
    }
  }
}
