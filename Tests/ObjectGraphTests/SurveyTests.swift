// The check of a table: what is accepted at sight for usual widths is what the check of each value finds.

import TestSupport
import Testing

@testable import ArchiveGraph

@Suite struct SurveyTests {
  private static let widths = [
    (1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (4, 2), (4, 3), (4, 4), (8, 4),
  ]

  /// A table of values at random places, most of them whole.
  private func table(
    _ bytes: UnsafeMutableRawBufferPointer, _ widths: (offset: Int, reference: Int),
    _ numbers: inout SeededNumbers
  ) -> ValueTable? {
    guard let base = bytes.baseAddress else { return nil }
    let count = Int.random(in: 1...40, using: &numbers)
    let byteCount = Int.random(in: 60...200, using: &numbers)
    let kinds: [UInt8] = [0x00, 0x09, 0x10, 0x13, 0x14, 0x23, 0x33, 0x41, 0x53, 0x5F]
    let markers =
      kinds + [0x62, 0x72, 0x77, 0x80, 0x81, 0x82, 0x83, 0x87]
      + [0xA1, 0xA2, 0xA3, 0xAF, 0xD1, 0xD2, 0xD3, 0xDF]
    for place in 0..<byteCount { bytes[place] = UInt8.random(in: 0...3, using: &numbers) }
    var writer = 0
    func store(_ value: Int, _ width: Int, _ place: Int) {
      for byte in 0..<width {
        bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - byte)))
      }
    }
    for index in 0..<count {
      writer = Int.random(in: 0..<byteCount, using: &numbers)
      bytes[writer] =
        Int.random(in: 0..<30, using: &numbers) == 0
        ? UInt8.random(in: 0...255, using: &numbers)
        : markers[Int.random(in: 0..<markers.count, using: &numbers)]
      let isBeyond = Int.random(in: 0..<400, using: &numbers) == 0
      let offset = isBeyond ? byteCount + 5 : writer
      store(
        min(offset, widths.offset == 1 ? 255 : .max), widths.offset,
        byteCount + index * widths.offset)
    }
    copyKeys(bytes, byteCount, widths.reference, &numbers)
    return ValueTable(
      base: UnsafeRawPointer(base), byteCount: byteCount,
      offsets: UnsafeRawPointer(base + byteCount), offsetWidth: widths.offset,
      referenceWidth: widths.reference, count: count)
  }

  /// Gives some dictionaries the keys of others with as many, as those of one kind have.
  private func copyKeys(
    _ bytes: UnsafeMutableRawBufferPointer, _ byteCount: Int, _ width: Int,
    _ numbers: inout SeededNumbers
  ) {
    for marker in 0xD1...0xD3 as ClosedRange<UInt8> {
      let places = (0..<byteCount).filter { bytes[$0] == marker }
      guard let first = places.first else { continue }
      for place in places.dropFirst() where numbers.below(2) == 0 {
        for byte in 1...Int(marker & 0x0F) * width where place + byte < byteCount {
          bytes[place + byte] = bytes[first + byte]
        }
      }
    }
  }

  private func text(_ survey: ValueTable.Survey) -> String {
    let fault = survey.fault.map { "\($0.index) \($0.error)" } ?? "sound"
    let repeated = survey.repeatedKey.map { "\($0)" } ?? "none"
    return """
      \(fault) uid \(survey.highestUID.map { "\($0)" } ?? "none") repeated \(repeated) \
      backward \(survey.hasBackwardContainer) wide \(survey.hasWideInteger)
      """
  }

  @Test(arguments: widths)
  func findsWhatTheCheckOfEachValueFinds(_ widths: (Int, Int)) {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
    defer { bytes.deallocate() }
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    var numbers = SeededNumbers(seed: UInt64(widths.0 * 8 + widths.1))
    var sound = 0
    for _ in 0..<20_000 {
      guard let table = table(bytes, widths, &numbers) else { continue }
      let slow = text(TableCheck(table).surveySlowly())
      for notes in [false, true] {
        let survey = TableCheck(table).survey(notingContainers: notes)
        if survey.fault == nil { sound += 1 }
        let quick = text(survey)
        #expect(quick == slow, "notes \(notes)")
        if quick != slow { return }
      }
    }
    #expect(sound > 40)
  }
}
