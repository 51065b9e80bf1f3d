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
}
