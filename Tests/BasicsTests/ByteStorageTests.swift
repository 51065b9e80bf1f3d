// Bytes that were read do not change when their file does.

import ArchiveBasics
import ArchiveGraph
import FileTransactions
import Foundation
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

  /// The first zeros show that a device has nothing else; a file has an end.
  @Test func endlessZerosAreNotRead() throws {
    do throws(ArchiveError) {
      _ = try ByteStorage.open(path: "/dev/zero")
      Issue.record("/dev/zero has no end")
    } catch {
      #expect(error.code == .unrecognized && error.message.contains("zeros"), "\(error.message)")
    }
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "archtool-zeros-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(count: 3 << 20).write(to: url)
    let file = try FileHandle(forReadingFrom: url)
    #expect(try ByteStorage.read(descriptor: file.fileDescriptor).bytes.count == 3 << 20)
  }

  /// Lines are looked for as little: a list, or records, cannot be zeros only.
  @Test func endlessZerosHaveNoLines() throws {
    let zeros = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/zero"))
    var reader = LineReader(descriptor: zeros.fileDescriptor, limit: 1 << 16)
    do throws(ArchiveError) {
      _ = try reader.next()
      Issue.record("/dev/zero has no lines")
    } catch {
      #expect(error.code == .unrecognized, "\(error.message)")
    }
  }

  /// Whatever a pipe begins with, it ends at a limit.
  @Test func anEndlessPipeEndsAtALimit() throws {
    let pipe = Pipe()
    signal(SIGPIPE, SIG_IGN)
    let writer = Thread {
      let lines = Data(repeating: UInt8(ascii: "y"), count: 1 << 20)
      while (try? pipe.fileHandleForWriting.write(contentsOf: lines)) != nil {}
    }
    writer.start()
    do throws(ArchiveError) {
      _ = try ByteStorage.read(
        descriptor: pipe.fileHandleForReading.fileDescriptor, limit: 8 << 20)
      Issue.record("an endless pipe has no end")
    } catch {
      #expect(error.code == .limit, "\(error.message)")
    }
    try pipe.fileHandleForReading.close()
  }
}
