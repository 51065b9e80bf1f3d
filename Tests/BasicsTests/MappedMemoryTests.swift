import Testing

@testable import ArchiveBasics

/// Memory that grows beyond the size from which it has pages of its own.
@Suite struct MappedMemoryTests {
  @Test(arguments: [1, 7, 1 << 20, 3 << 20])
  func aStackKeepsItsValuesWhileItGrows(count: Int) {
    var stack = RawStack<Int>()
    var other = RawStack<UInt32>()
    for number in 0..<count {
      stack.push(number)
      // Another that grows as well is in the way of the first.
      other.push(UInt32(truncatingIfNeeded: ~number))
    }
    #expect(stack.count == count && other.count == count)
    #expect((0..<count).allSatisfy { stack[$0].pointee == $0 })
    #expect(
      (0..<count).allSatisfy { other[$0].pointee == UInt32(truncatingIfNeeded: ~$0) })
  }

  @Test(arguments: [0, 100, (2 << 20) - 1, 2 << 20, (2 << 20) + 1, 40 << 20])
  func aBufferKeepsItsBytesAsStorage(count: Int) {
    var buffer = ByteBuffer(capacity: 16)
    let piece = Array((0..<251).map { UInt8($0) })
    while buffer.count + piece.count <= count { piece.withByteView { buffer.append($0) } }
    while buffer.count < count { buffer.append(UInt8(buffer.count % 251)) }
    let storage = buffer.intoStorage()
    #expect(storage.bytes.count == count)
    #expect(
      stride(from: 0, to: count, by: 4093).allSatisfy { storage.bytes[$0] == UInt8($0 % 251) })
  }

  @Test(arguments: [4 << 20, 9 << 20, 64 << 20])
  func aBufferOfASizeTakesThatMany(capacity: Int) {
    var buffer = ByteBuffer(capacity: capacity)
    (buffer.reserve(capacity) + capacity - 1).storeBytes(of: 7, as: UInt8.self)
    buffer.filled(capacity)
    buffer.append(9)
    #expect(buffer.bytes[capacity - 1] == 7 && buffer.bytes[capacity] == 9)
  }

  /// Pages come some at once; what is appended may be more than that, or end anywhere among them.
  @Test(arguments: [1, 255 << 10, 256 << 10, (256 << 10) + 1, 700 << 10, 5 << 20])
  func aBufferTakesPiecesOfAnySize(size: Int) {
    var buffer = ByteBuffer(capacity: 16)
    var numbers: [UInt8] = []
    for number in 0..<(9 << 20) / size where number < 24 {
      let byte = UInt8(number % 251)
      if number % 3 == 1 { buffer.expect(size * 2) }
      buffer.append(ByteView())
      (buffer.reserve(size) + size - 1).storeBytes(of: byte, as: UInt8.self)
      buffer.filled(size)
      numbers.append(byte)
    }
    #expect(buffer.count == numbers.count * size)
    #expect(numbers.indices.allSatisfy { buffer.bytes[($0 + 1) * size - 1] == numbers[$0] })
  }

  #if os(Linux)
    /// Memory that is only expected is not touched: there are pages for what was appended, and for the next bytes.
    @Test(arguments: [0, 1, 3 << 20])
    func whatIsOnlyExpectedHasNoPages(filled: Int) {
      let expected = 64 << 20
      var buffer = ByteBuffer(capacity: 16)
      buffer.expect(expected)
      for _ in 0..<filled { buffer.append(7) }
      var pages = [UInt8](repeating: 0, count: expected / Int(getpagesize()))
      #expect(mincore(buffer.base, expected, &pages) == 0)
      let present = pages.count { $0 & 1 == 1 } * Int(getpagesize())
      // Some systems give pages of 2 MB to whoever does not ask for them.
      #expect(present >= filled && present <= filled + (4 << 20))
    }
  #endif
}
