// The mutations of libFuzzer, and additional ones: references in binary property lists are redirected to few values,
// and archives with shared values are inserted from outside, as are lenses with matching values.

import ArchiveBasics
import ArchivePropertyLists
import Foundation

#if FUZZER
  /// Changes an input; what libFuzzer calls before each run.
  @_cdecl("LLVMFuzzerCustomMutator")
  package func fuzzMutation(
    _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: UInt32
  ) -> Int {
    var numbers = FuzzNumbers(UInt64(seed))
    let target = FuzzTarget.chosen
    // Bytes that are changed at random spoil a lens, or what it asks of its value.
    if numbers.below(16) < (target == .lens ? 6 : 1),
      let made = target.made(numbers.next(), longest: capacity)
    {
      _ = UnsafeMutableBufferPointer(start: data, count: made.count).update(fromContentsOf: made)
      return made.count
    }
    if target.takesBinary, numbers.below(4) == 0 {
      let bytes = UnsafeMutableBufferPointer(start: data, count: count)
      if FuzzReferences.share(in: bytes, &numbers) { return count }
    }
    return libFuzzerMutate(data, count, capacity)
  }

  /// libFuzzer's own ways.
  @_silgen_name("LLVMFuzzerMutate")
  private func libFuzzerMutate(
    _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int
  ) -> Int
#endif

extension FuzzTarget {
  /// Whether inputs are binary property lists for the most part.
  var takesBinary: Bool {
    if let format = Self.format { return format.word == "binary" }
    return switch self {
    case .keyed, .recovery, .integrity, .convert, .writers, .rules, .everything: true
    default: false
    }
  }

  /// An input made of a number, for targets that have such.
  func made(_ seed: UInt64, longest: Int) -> [UInt8]? {
    switch self {
    case .lens: return FuzzLensMaking.input(seed, longest: longest)
    case .records:
      guard let archive = FuzzSharing.archive(seed, longest: longest / 2) else { return nil }
      let line = "{\"data\":\"\(Data(archive).base64EncodedString())\"}\n"
      return line.utf8.count <= longest ? Array(line.utf8) : nil
    default: return takesBinary ? FuzzSharing.archive(seed, longest: longest) : nil
    }
  }
}

/// The references of a binary property list.
enum FuzzReferences {
  /// Turns a run of references of some container, or of entries of the table, to one value.
  static func share(
    in bytes: UnsafeMutableBufferPointer<UInt8>, _ numbers: inout FuzzNumbers
  ) -> Bool {
    guard bytes.count > 48, bytes.prefix(6).elementsEqual("bplist".utf8) else { return false }
    let trailer = bytes.count - 32
    let (offsetWidth, width) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard (1...8).contains(offsetWidth), (1...8).contains(width),
      let count = number(in: bytes, at: trailer + 8, 8), count > 0, count < bytes.count,
      let table = number(in: bytes, at: trailer + 24, 8), table < trailer,
      table + count * offsetWidth <= trailer
    else { return false }
    if numbers.below(4) == 0 {
      copyEntry(in: bytes, table, count, offsetWidth, &numbers)
      return true
    }
    for _ in 0..<8 {
      let entry = table + numbers.below(count) * offsetWidth
      guard let start = number(in: bytes, at: entry, offsetWidth), start + 4 < table,
        let (first, held) = references(in: bytes, at: start),
        held > 0, held < bytes.count, first + held * width <= table
      else { continue }
      let value = numbers.below(count)
      let from = numbers.below(held)
      for position in from..<(from + 1 + numbers.below(held - from)) {
        for place in 0..<width {
          let shift = (width - 1 - place) * 8
          bytes[first + position * width + place] = UInt8(truncatingIfNeeded: value >> shift)
        }
      }
      return true
    }
    return false
  }

  /// Makes entries of the table those of another value.
  private static func copyEntry(
    in bytes: UnsafeMutableBufferPointer<UInt8>, _ table: Int, _ count: Int, _ width: Int,
    _ numbers: inout FuzzNumbers
  ) {
    let source = table + numbers.below(count) * width
    let from = numbers.below(count)
    for position in from..<(from + 1 + numbers.below(count - from)) {
      for place in 0..<width { bytes[table + position * width + place] = bytes[source + place] }
    }
  }

  /// Where the references of an array or a dictionary begin, and how many there are.
  private static func references(
    in bytes: UnsafeMutableBufferPointer<UInt8>, at start: Int
  ) -> (first: Int, count: Int)? {
    let kind = bytes[start] >> 4
    guard kind >= 0xA, kind != 0xB, kind < 0xE else { return nil }
    var (first, count) = (start + 1, Int(bytes[start] & 15))
    if count == 15 {
      let width = 1 << Int(bytes[first] & 3)
      guard let long = number(in: bytes, at: first + 1, width) else { return nil }
      (first, count) = (first + 1 + width, long)
    }
    guard count < bytes.count else { return nil }
    return (first, kind == 0xD ? count * 2 : count)
  }

  private static func number(
    in bytes: UnsafeMutableBufferPointer<UInt8>, at start: Int, _ width: Int
  ) -> Int? {
    guard start >= 0, start + width <= bytes.count else { return nil }
    let value = (start..<(start + width)).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) }
    return value < 1 << 31 ? Int(value) : nil
  }
}
