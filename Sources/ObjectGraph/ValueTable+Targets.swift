// Where each stored value of a keyed archive leads.

extension ValueTable {
  /// Follows the UIDs among the values of a table that was checked.
  ///
  /// - Parameters:
  ///   - objects: the references of `$objects`.
  ///   - objectCount: how many there are; a UID that is not below it leads to itself.
  ///   - targets: room for as many numbers as there are values; it is initialized.
  func followAll(
    through objects: UnsafeRawPointer, _ objectCount: Int,
    into targets: UnsafeMutablePointer<UInt32>
  ) {
    switch (offsetWidth, referenceWidth) {
    case (1, 1): follow(OneByte.self, OneByte.self, objects, objectCount, targets)
    case (2, 1): follow(TwoBytes.self, OneByte.self, objects, objectCount, targets)
    case (2, 2): follow(TwoBytes.self, TwoBytes.self, objects, objectCount, targets)
    case (3, 2): follow(ThreeBytes.self, TwoBytes.self, objects, objectCount, targets)
    case (4, 4): follow(FourBytes.self, FourBytes.self, objects, objectCount, targets)
    default:
      for index in 0..<UInt32(truncatingIfNeeded: count) {
        var target = index
        if marker(of: index) >> 4 == Marker.uid, uid(at: index) < UInt64(objectCount) {
          target = reference(objects, Int(truncatingIfNeeded: uid(at: index)))
        }
        (targets + Int(index)).initialize(to: target)
      }
    }
  }

  private func follow<Offset: StoredWidth, Reference: StoredWidth>(
    _: Offset.Type, _: Reference.Type, _ objects: UnsafeRawPointer, _ objectCount: Int,
    _ targets: UnsafeMutablePointer<UInt32>
  ) {
    for index in 0..<count {
      let place = base + Offset.load(offsets, index)
      let number: Int
      switch place.load(as: UInt8.self) {
      case 0x80: number = OneByte.load(place + 1, 0)
      case 0x81: number = TwoBytes.load(place + 1, 0)
      case 0x82...0x8F: number = Int(clamping: uid(at: UInt32(truncatingIfNeeded: index)))
      default: number = .max
      }
      let target = number < objectCount ? Reference.load(objects, number) : index
      (targets + index).initialize(to: UInt32(truncatingIfNeeded: target))
    }
  }
}
