// Numbers that decoding by another type changes or refuses.

import ObjectGraph

/// Checks every number once, at any location.
enum NumberLint: IntegrityLint {
  static let lints: [Lint] = [.wideInteger, .impreciseInteger, .nonfiniteReal, .singleReal]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    // Typedstreams record the type of each number, and nobody decodes the numbers of bookmarks.
    guard !input.isTranslated else { return }
    for index in input.indexes where input.tree.contains(index) {
      guard let kind = input.kind(index), (Marker.integer...Marker.date).contains(kind),
        let (lint, message) = objection(to: index, in: input)
      else { continue }
      report.add(lint, in: input, at: index) { message }
    }
  }

  private static func objection(to index: UInt32, in input: CheckedInput) -> (Lint, String)? {
    switch input.table.scalar(at: index) {
    case .wide:
      return (.wideInteger, "the integer has more than 64 bits; Foundation keeps the low ones")
    case .integer(let number) where number < 0 && input.table.marker(of: index) == 0x14:
      return (.wideInteger, "the integer \(number) has 16 bytes; Foundation reads it as unsigned")
    case .unsigned(let number):
      return (
        .wideInteger,
        "the integer \(number) is above Int64.max: decodeInteger(forKey:) raises NSRangeException"
      )
    // NSNotFound is Int64.max.
    case .integer(let number) where number != .max && Int64(exactly: Double(number)) != number:
      return (
        .impreciseInteger,
        "the integer \(number) becomes \(Double(number)) when it is decoded as Double"
      )
    case .real(let number) where !number.isFinite:
      return (.nonfiniteReal, "the real is \(number), which JSON cannot represent")
    case .single(let number) where !number.isFinite:
      return (.nonfiniteReal, "the real is \(number), which JSON cannot represent")
    case .single(let number) where Double("\(number)") != Double(number):
      return (.singleReal, "the real \(number) of 4 bytes becomes \(Double(number)) as Double")
    case .date(let seconds) where !seconds.isFinite:
      return (.nonfiniteReal, "the date is \(seconds) seconds from 2001, no moment")
    default: return nil
    }
  }
}
