// Bytes that were read do not change when their file does.

import Basics
import FileTransactions
import Foundation
import ObjectGraph
import Testing

@Suite struct ByteStorageTests {
  /// Sizes below and above a megabyte.
  @Test(arguments: [4_096, 3 << 20])
  func bytesOutliveTheirFile(_ size: Int) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "archtool-bytes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    let old = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try old.write(to: url)
    let storage = try ByteStorage.open(path: url.path)
    let handle = try FileHandle(forWritingTo: url)
    try handle.write(contentsOf: Data(repeating: 0xEE, count: size))
    #expect(Data(storage.bytes) == old)
    try handle.truncate(atOffset: 0)
    try handle.close()
    #expect(Data(storage.bytes) == old)
  }

  /// Sizes at which a buffer is pages of its own, and at which one more step of reading begins.
  @Test(arguments: [
    (1 << 20) - 2, (1 << 20) - 1, 1 << 20, (5 << 18) - 1, 5 << 18, (5 << 18) + 1, (3 << 20) + 5,
  ])
  func allBytesOfALargeInputArriveInOrder(_ size: Int) throws {
    // Each four bytes are others, so that no step can stand in the place of another.
    let numbers = [UInt32](0..<UInt32(size / 4 + 1))
    let wanted = numbers.withUnsafeBytes { Data($0.prefix(size)) }
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "archtool-steps-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    try wanted.write(to: url)
    let opened = try ByteStorage.open(path: url.path)
    withExtendedLifetime(opened) { #expect(Data(opened.bytes) == wanted) }
    let pipe = Pipe()
    let writer = Thread {
      try? pipe.fileHandleForWriting.write(contentsOf: wanted)
      try? pipe.fileHandleForWriting.close()
    }
    writer.start()
    let piped = try ByteStorage.read(descriptor: pipe.fileHandleForReading.fileDescriptor)
    withExtendedLifetime(piped) { #expect(Data(piped.bytes) == wanted) }
  }
}
