// Where values stand in a text or stream that was converted when it was read.

import Basics

/// For each value of a document its position in the source.
public struct SourceOffsets: Sendable, Equatable {
  /// 4 bytes for each, as the machine has them.
  private let storage: ByteStorage?
  /// How many there are; none if positions are not known.
  public let count: Int

  /// No positions.
  public static let none = SourceOffsets()

  private init() { (storage, count) = (nil, 0) }

  /// Takes positions of 4 bytes each.
  init(_ storage: ByteStorage) {
    count = storage.bytes.count / 4
    self.storage = storage
  }

  /// Whether all positions are the same.
  public static func == (left: SourceOffsets, right: SourceOffsets) -> Bool {
    left.count == right.count && (0..<left.count).allSatisfy { left[$0] == right[$0] }
  }

  /// Whether positions are not known.
  public var isEmpty: Bool { count == 0 }

  /// The position of a value; nil if it is not known.
  public subscript(index: Int) -> Int? {
    guard let storage, index >= 0, index < count else { return nil }
    return Int(storage.bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
  }
}
