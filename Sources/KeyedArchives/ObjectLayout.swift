// Where an object has the fields that tell what it is: archives write the same keys in the same order for each class.

import ObjectGraph

/// The positions of an object's class and of the fields of collections, kept for as long as objects have the same keys.
struct ObjectLayout {
  /// The first position of `$class`.
  private(set) var classReference: Int?
  /// The first position of `NS.keys`.
  private(set) var keys: Int?
  /// The first position of `NS.objects`.
  private(set) var objects: Int?
  private var start: UnsafeRawPointer?
  private var count = 0

  /// Finds the positions among the keys of an object, or keeps them if the keys are those of the object before.
  ///
  /// - Parameters:
  ///   - start: the references of the keys.
  ///   - count: how many there are; their bytes were checked by the table's survey.
  @inline(__always)
  mutating func find(
    _ start: UnsafeRawPointer, _ count: Int, _ table: ValueTable, _ cache: KeyCache
  ) {
    if let last = self.start, self.count == count,
      Self.areEqual(last, start, count &* table.referenceWidth)
    {
      return
    }
    self.start = start
    self.count = count
    search(table, cache)
  }

  /// Objects have few keys: a call of memcmp would take longer.
  @inline(__always)
  private static func areEqual(
    _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _ byteCount: Int
  ) -> Bool {
    var position = 0
    while position &+ 2 <= byteCount {
      guard
        first.loadUnaligned(fromByteOffset: position, as: UInt16.self)
          == second.loadUnaligned(fromByteOffset: position, as: UInt16.self)
      else { return false }
      position &+= 2
    }
    return position == byteCount
      || first.load(fromByteOffset: position, as: UInt8.self)
        == second.load(fromByteOffset: position, as: UInt8.self)
  }

  @inline(never)
  private mutating func search(_ table: ValueTable, _ cache: KeyCache) {
    (classReference, keys, objects) = (nil, nil, nil)
    guard let start else { return }
    for position in 0..<count {
      switch cache.key(table.reference(start, position), table) {
      case .classReference where classReference == nil: classReference = position
      case .keys where keys == nil: keys = position
      case .objects where objects == nil: objects = position
      default: continue
      }
    }
  }
}
