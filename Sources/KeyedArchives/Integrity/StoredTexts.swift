// Strings of a table identified by numbers, so that each is read once for any number of comparisons.

import ObjectGraph

/// Gives equal strings equal numbers.
final class StoredTexts {
  private unowned let input: CheckedInput
  private var numbers: [UInt32]
  private var known: [String: UInt32] = [:]

  /// Represents values that are not strings.
  private static let none = UInt32.max - 1

  init(_ input: CheckedInput) {
    self.input = input
    numbers = [UInt32](repeating: .max, count: input.table.count)
  }

  /// The number of the string at an index: that of the first equal string; nil for other values.
  func number(_ index: UInt32) -> UInt32? {
    if numbers[Int(index)] == .max { numbers[Int(index)] = recognise(index) }
    let number = numbers[Int(index)]
    return number == Self.none ? nil : number
  }

  private func recognise(_ index: UInt32) -> UInt32 {
    guard let text = input.text(index) else { return Self.none }
    let string = text.string
    if let number = known[string] { return number }
    known[string] = index
    return index
  }
}
