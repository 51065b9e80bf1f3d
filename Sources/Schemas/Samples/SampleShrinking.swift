// Finds a small value with the same fault: drops members and elements, and simplifies scalars, while the fault stays.

import ObjectGraph

/// Shrinks values.
package struct SampleShrinking {
  /// How many values are tried.
  private let limit: Int
  private var tried = 0

  /// Specifies how many values are tried.
  package init(limit: Int = 400) { self.limit = limit }

  /// The smallest value found that still has the fault.
  ///
  /// - Parameter fails: whether a value has the fault.
  package mutating func smallest(
    _ value: SyntheticValue, while fails: (SyntheticValue) -> Bool
  ) -> SyntheticValue {
    var value = value
    var isSmaller = true
    while isSmaller, tried < limit {
      isSmaller = false
      // Outer parts first: what is in them is gone with them.
      for depth in 0..<8 {
        var position = 0
        while tried < limit, let candidates = Self.simpler(value, depth, &position) {
          guard let next = candidates.first(where: { tries($0, fails) }) else {
            position += 1
            continue
          }
          value = next
          isSmaller = true
        }
      }
    }
    return value
  }

  private mutating func tries(
    _ value: SyntheticValue, _ fails: (SyntheticValue) -> Bool
  ) -> Bool {
    guard tried < limit else { return false }
    tried += 1
    return fails(value)
  }

  /// The simpler forms of a value in which only the part with a number at a depth differs; nil if there is no such part.
  private static func simpler(
    _ value: SyntheticValue, _ depth: Int, _ position: inout Int
  ) -> [SyntheticValue]? {
    var number = position
    return variants(value, depth, &number)
  }

  private static func variants(
    _ value: SyntheticValue, _ depth: Int, _ number: inout Int
  ) -> [SyntheticValue]? {
    if depth == 0 {
      number -= 1
      return number < 0 ? simpler(value) : nil
    }
    switch value {
    case .list(let items):
      for (index, item) in items.enumerated() {
        guard let forms = variants(item, depth - 1, &number) else { continue }
        return forms.map { form in
          var items = items
          items[index] = form
          return .list(items)
        }
      }
    case .members(let members):
      for (index, member) in members.enumerated() {
        guard let forms = variants(member.value, depth - 1, &number) else { continue }
        return forms.map { form in
          var members = members
          members[index].value = form
          return .members(members)
        }
      }
    default: break
    }
    return nil
  }

  /// The simpler forms of one value, simplest first.
  private static func simpler(_ value: SyntheticValue) -> [SyntheticValue] {
    switch value {
    case .list(let items):
      let halves: [SyntheticValue] =
        items.count < 4
        ? []
        : [
          .list(Array(items.prefix(items.count / 2))), .list(Array(items.suffix(items.count / 2))),
        ]
      return (items.isEmpty ? [] : [.list([])]) + halves
        + items.indices.map { index in
          .list(items.enumerated().filter { $0.offset != index }.map(\.element))
        }
    case .members(let members):
      return (members.count < 2 ? [] : [.members([])])
        + members.indices.map { index in
          .members(members.enumerated().filter { $0.offset != index }.map(\.element))
        }
    case .string(let text):
      let half = String(text.unicodeScalars.prefix(text.unicodeScalars.count / 2))
      return ["", "x", half].filter { $0.unicodeScalars.count < text.unicodeScalars.count }.map {
        .string($0)
      }
    case .integer(let number):
      return [0, 1, number / 2].filter { $0.magnitude < number.magnitude }.map { .integer($0) }
    case .unsigned(let number): return [.integer(0), .unsigned(number / 2)]
    case .real(let number):
      return [.integer(0)]
        + [0, 1, number.rounded(.towardZero), number.truncatingRemainder(dividingBy: 1)]
        .filter { abs($0) < abs(number) }.map { .real($0 == 0 ? 0 : $0) }
    case .date(let seconds):
      return [.string("")]
        + [0, seconds.rounded(.towardZero)].filter { abs($0) < abs(seconds) }.map { .date($0) }
    case .data(let bytes):
      return [.string("")]
        + (bytes.isEmpty ? [] : [.data([]), .data(Array(bytes.prefix(bytes.count / 2)))])
    case .boolean(let flag): return flag ? [.boolean(false)] : []
    default: return []
    }
  }
}
