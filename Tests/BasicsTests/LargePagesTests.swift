import Testing

@testable import Basics

/// Memory that grows beyond the size from which it is of large pages.
@Suite struct LargePagesTests {
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
    while buffer.count + piece.count <= count { piece.withUnsafeBytes { buffer.append($0) } }
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
}
