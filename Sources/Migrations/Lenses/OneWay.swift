// Lenses that lead forward only, on the way of an archive.

extension Travel {
  /// The names of the lenses on the way that lead forward only.
  var oneWay: [String] {
    way.filter { $0.file.lens.isOneWay && !$0.file.lens.isIdentity }.map(\.file.name)
  }

  /// Why the way cannot be gone; nil if it can.
  var oneWayRefusal: String? {
    guard let step = way.first(where: \.isAgainstOneWay) else { return nil }
    let file = step.file
    return
      "the lens \(file.name) leads one way only, from \(file.source) to \(file.target) (its 'direction' is forward)"
  }
}
