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
      ValueTable.haveSameReferences(last, start, count &* table.referenceWidth)
    {
      return
    }
    self.start = start
    self.count = count
    search(table, cache)
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
