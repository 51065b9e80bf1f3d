// Members of stored dictionaries by their keys.

extension ValueTable {
  /// The value of a key of a dictionary: the first, if the key stands there more than once.
  ///
  /// - Parameters:
  ///   - key: the key, a string.
  ///   - dictionary: the index of a dictionary, which must be one.
  /// - Returns: the index of the value; nil if there is no such key.
  public func value(_ key: StaticString, of dictionary: UInt32) -> UInt32? {
    let (start, count) = counted(dictionary)
    for position in 0..<count where text(at: reference(start, position))?.equals(key) == true {
      return reference(start, count + position)
    }
    return nil
  }
}
