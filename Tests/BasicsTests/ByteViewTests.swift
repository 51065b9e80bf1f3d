import ArchiveBasics
import Foundation
import Testing

/// What a view of bytes gives, compared with an array of the same bytes.
@Suite struct ByteViewTests {
  private static let bytes = (0..<40).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 5) }

  @Test(arguments: [0, 1, 7, 8, 9, 40])
  func aViewIsACollectionOfItsBytes(count: Int) {
    let bytes = Array(Self.bytes.prefix(count))
    bytes.withByteView { view in
      #expect(Array(view) == bytes)
      #expect(view.count == count && view.isEmpty == bytes.isEmpty)
      #expect(view.reversed().elementsEqual(bytes.reversed()))
      #expect(view.indices.map { view[$0] } == bytes)
      #expect(view.dropFirst(3).firstIndex(of: 190) == bytes.dropFirst(3).firstIndex(of: 190))
      #expect(String(decoding: view, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
      #expect(view.withContiguousStorageIfAvailable { Array($0) } == bytes)
    }
  }

  @Test func partsAreThoseOfAnArray() {
    Self.bytes.withByteView { view in
      for lower in 0...view.count {
        for upper in lower...view.count {
          let wanted = Array(Self.bytes[lower..<upper])
          #expect(Array(view.part(lower..<upper)) == wanted)
          #expect(Array(view[lower..<upper]) == wanted)
          #expect(Array(ByteView(rebasing: view[lower..<upper])) == wanted)
        }
        #expect(Array(view.part(from: lower)) == Array(Self.bytes[lower...]))
      }
    }
  }

  @Test(arguments: [Int.min, -1, 0, 1, 39, 40, .max])
  func aByteOutsideIsNil(position: Int) {
    let wanted = Self.bytes.indices.contains(position) ? Self.bytes[position] : nil
    #expect(Self.bytes.withByteView { $0.byte(at: position) } == wanted)
    #expect(ByteView().byte(at: position) == nil)
  }

  @Test func numbersAreReadWhereverTheyFit() {
    Self.bytes.withByteView { view in
      for offset in 0...view.count - 4 {
        let wanted = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(Self.bytes[offset + $1]) }
        #expect(view.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian == wanted)
      }
    }
  }

  /// The bytes, in a process that ends without the runtime's backtrace, which takes seconds.
  private static func twoBytes() -> [UInt8] {
    for number in [SIGILL, SIGTRAP] { signal(number, SIG_DFL) }
    return [1, 2]
  }

  @Test func readingOutsideEndsTheProgram() async {
    await #expect(processExitsWith: .failure) { _ = Self.twoBytes().withByteView { $0[2] } }
    await #expect(processExitsWith: .failure) { _ = Self.twoBytes().withByteView { $0[-1] } }
    await #expect(processExitsWith: .failure) {
      _ = Self.twoBytes().withByteView { $0.part(1..<3).count }
    }
    await #expect(processExitsWith: .failure) {
      _ = Self.twoBytes().withByteView { $0[1..<3].count }
    }
    await #expect(processExitsWith: .failure) {
      _ = Self.twoBytes().withByteView { $0.loadUnaligned(fromByteOffset: 1, as: UInt16.self) }
    }
    await #expect(processExitsWith: .success) { _ = Self.twoBytes().withByteView { $0[1] } }
  }
}
