// Search in bytes and texts. The standard library's own is in its module of regular expressions, which the program
// would carry, and whose tables the system would prepare at every start, for nothing else.

import CMemory

extension ByteView {
  /// Whether `bytes` occur; the time grows with the sum of both lengths.
  package func includes(_ bytes: [UInt8]) -> Bool {
    guard let start = baseAddress else { return bytes.isEmpty }
    return archtool_includes(start, count, bytes, bytes.count) != 0
  }
}

extension Collection where Element == UInt8 {
  /// Where `bytes` first occur; nil if they do not.
  ///
  /// The time grows with the product of both lengths at worst.
  package func firstOccurrence(of bytes: some Collection<UInt8>) -> Range<Index>? {
    guard let first = bytes.first else { return startIndex..<startIndex }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      if self[start...].starts(with: bytes) {
        return start..<index(start, offsetBy: bytes.count)
      }
      rest = rest[index(after: start)...]
    }
    return nil
  }
}

extension StringProtocol {
  /// Where the UTF-8 text of `text` first occurs; nil if it does not.
  package func firstOccurrence(of text: some StringProtocol) -> Range<Index>? {
    utf8.firstOccurrence(of: text.utf8)
  }

  /// Whether the UTF-8 text of `text` occurs.
  package func includes(_ text: some StringProtocol) -> Bool {
    firstOccurrence(of: text) != nil
  }
}

// MARK: - Search in what is in order

extension Range<Int> {
  /// The first number for which a condition holds that holds for all after it; the upper bound if there is none.
  package func firstNumber(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

// MARK: - Bytes compared at once

/// Whether two runs of bytes are the same.
package func haveSameBytes(_ one: ByteView, _ other: ByteView) -> Bool {
  guard one.count == other.count else { return false }
  guard let first = one.baseAddress, let second = other.baseAddress else { return true }
  return memcmp(first, second, one.count) == 0
}

/// Whether two short runs of bytes are the same; a call of memcmp would take longer.
///
/// - Parameter count: how many bytes are at both addresses.
@inlinable @inline(__always)
package func haveSameBytes(
  _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int
) -> Bool {
  func isSame<Word: BitwiseCopyable & Equatable>(_ position: Int, as type: Word.Type) -> Bool {
    one.loadUnaligned(fromByteOffset: position, as: type)
      == other.loadUnaligned(fromByteOffset: position, as: type)
  }
  guard count >= 8 else {
    return (0..<max(count, 0)).allSatisfy { isSame($0, as: UInt8.self) }
  }
  // The last eight bytes may be compared twice in part.
  let last = count &- 8
  var position = 0
  while position < last {
    guard isSame(position, as: UInt64.self) else { return false }
    position &+= 8
  }
  return isSame(last, as: UInt64.self)
}
