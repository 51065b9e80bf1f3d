// Offsets and references of every width: reading 8 bytes at once finds what reading byte by byte does.

import ArchiveBasics
import TestSupport
import Testing

@testable import ArchiveGraph

@Suite struct StoredNumberTests {
  private static let count = 40

  /// The number that bytes spell, most significant first.
  private func spelled(_ bytes: Slice<UnsafeMutableRawBufferPointer>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  @Test(arguments: 1...8)
  func readsEveryNumberOfATable(_ width: Int) throws {
    var numbers = SeededNumbers(seed: UInt64(width))
    let size = Self.count * width
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 7, alignment: 1)
    defer { bytes.deallocate() }
    for place in bytes.indices { bytes[place] = UInt8.random(in: 0...255, using: &numbers) }
    let base = UnsafeRawPointer(try #require(bytes.baseAddress))
    let table = ValueTable(
      base: base, byteCount: size, offsets: base, offsetWidth: width, referenceWidth: width,
      count: Self.count)
    for index in 0..<Self.count {
      let expected = spelled(bytes[index * width..<(index + 1) * width])
      #expect(table.offset(of: UInt32(index)) == Int(truncatingIfNeeded: expected))
      #expect(table.reference(base, index) == UInt32(truncatingIfNeeded: expected))
      #expect(bigEndian(base + index * width, width) == expected)
    }
  }

  @Test(arguments: 1...16)
  func readsTheLowHalfOfEveryUIDAndNothingBehindIt(_ width: Int) throws {
    var numbers = SeededNumbers(seed: UInt64(width))
    // The memory ends with the number: the address sanitizer sees a look beyond.
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 + width, alignment: 1)
    defer { bytes.deallocate() }
    let place = UnsafeRawPointer(try #require(bytes.baseAddress))
    for _ in 0..<Self.count {
      for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &numbers) }
      bytes[0] = 0x80 | UInt8(width - 1)
      #expect(ValueTable.uid(at: place) == spelled(bytes[1...]))
    }
  }

  @Test(arguments: 1...16)
  func readsTheLowHalfOfEveryUIDOfADocument(_ width: Int) throws {
    var numbers = SeededNumbers(seed: UInt64(width))
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 + width + 7, alignment: 1)
    defer { bytes.deallocate() }
    let place = UnsafeRawPointer(try #require(bytes.baseAddress))
    for _ in 0..<Self.count {
      for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &numbers) }
      bytes[0] = 0x80 | UInt8(width - 1)
      let number = UInt64(bitPattern: Int64(ValueTable.number(ofPaddedUID: place)))
      #expect(number == spelled(bytes[1...width]))
    }
  }

  @Test(arguments: [1, 15, 16, 17, 4095, 4096, 1 << 21])
  func readsTheLastNumberOfABufferThatIsFull(_ capacity: Int) {
    var buffer = ByteBuffer(capacity: capacity)
    for position in 0..<max(capacity, 16) { buffer.append(UInt8(truncatingIfNeeded: position)) }
    let last = UnsafeRawPointer(buffer.base) + buffer.count - 1
    #expect(bigEndian(padded: last, 1) == UInt64((buffer.count - 1) & 0xFF))
  }
}
