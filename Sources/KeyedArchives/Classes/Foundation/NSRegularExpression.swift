// NSRegularExpression: `NSPattern`, `NSOptions` (swift-corelibs-foundation: NSRegularExpression.swift).

/// NSRegularExpression.
enum NSRegularExpressionClass: FrameworkClass {
  static let classNames = ["NSRegularExpression", "NSDataDetector"]
  static let shown = "its pattern and options, before its fields"
  static let isSimple = true

  /// A letter for each bit of NSRegularExpression.Options, as the pattern syntax has them where it has one.
  private static let options: [(bit: Int64, name: String)] = [
    (1, "i"), (2, "x"), (4, "literal"), (8, "s"), (16, "m"), (32, "unix-lines"), (64, "w"),
  ]

  static func summary(of object: ArchivedObject) -> String? {
    guard let pattern = object.string("NSPattern") else { return nil }
    let bits = object.integer("NSOptions") ?? 0
    let names = options.filter { bits & $0.bit != 0 }.map(\.name)
    return "/\(SummaryText.clipped(pattern))/"
      + (names.isEmpty ? "" : " \(names.joined(separator: " "))")
  }
}
