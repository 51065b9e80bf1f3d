// Lenses that make different values of different ones.

extension Lens {
  /// Whether two values that differ are known to differ afterwards, in either direction.
  var keepsDifferences: Bool {
    operations.allSatisfy { operation in
      switch operation.kind {
      case .rename, .class, .store: true
      case .in(_, let lens), .map(let lens): lens.keepsDifferences
      default: false
      }
    }
  }
}
