// Half of a surrogate pair without the other: UTF-16 code units that no Unicode text has.

extension Text {
  /// Whether UTF-16 text has half of a pair without the other, which no Unicode text has.
  public var hasLoneSurrogate: Bool {
    guard form == .utf16 else { return false }
    var position = 0
    while let unit = unit(at: position) {
      position += 1
      guard UTF16.isSurrogate(unit) else { continue }
      guard UTF16.isLeadSurrogate(unit), let second = self.unit(at: position),
        UTF16.isTrailSurrogate(second)
      else { return true }
      position += 1
    }
    return false
  }
}
