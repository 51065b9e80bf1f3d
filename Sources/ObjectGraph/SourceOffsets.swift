// Where values stand in a text or stream that was converted when it was read.

import Basics

/// For each value of a document its position in the source.
public struct SourceOffsets: Sendable, Equatable {
  /// 4 bytes for each, as the machine has them.
  private let storage: ByteStorage?
  /// What finds the positions when one is asked for first; nil if they are there.
  private let search: Search?
  /// How many there are; none if positions are not known.
  public let count: Int

  /// No positions.
  public static let none = SourceOffsets()

  private init() { (storage, search, count) = (nil, nil, 0) }

  /// Takes positions of 4 bytes each.
  init(_ storage: ByteStorage) {
    count = storage.bytes.count / 4
    self.storage = storage
    search = nil
  }

  /// Makes positions that are found when one is asked for: few commands ask, and very many take memory.
  ///
  /// - Parameters:
  ///   - count: how many there are.
  ///   - find: finds them, `none` if that is not possible any more.
  package init(count: Int, find: @escaping @Sendable () -> SourceOffsets) {
    self.count = count
    storage = nil
    search = Search(find)
  }

  /// Finds positions once, for whichever thread asks first.
  private final class Search: @unchecked Sendable {
    private let lock = ConditionLock()
    private let find: @Sendable () -> SourceOffsets
    private var found: SourceOffsets?

    init(_ find: @escaping @Sendable () -> SourceOffsets) { self.find = find }

    var result: SourceOffsets {
      lock.locked {
        let result = found ?? find()
        found = result
        return result
      }
    }
  }

  /// Whether all positions are the same.
  public static func == (left: SourceOffsets, right: SourceOffsets) -> Bool {
    left.count == right.count && (0..<left.count).allSatisfy { left[$0] == right[$0] }
  }

  /// Whether positions are not known.
  public var isEmpty: Bool { count == 0 }

  /// The position of a value; nil if it is not known.
  public subscript(index: Int) -> Int? {
    guard index >= 0, index < count else { return nil }
    guard let storage else { return search?.result[index] }
    return Int(storage.bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
  }
}
