// NSRegularExpression: `NSPattern`, `NSOptions`. NSTextCheckingResult: `NSRangeArray`, or `NSRangeLocation` and
// `NSRangeLength` (swift-corelibs-foundation: files of these names). NSSortDescriptor: `NSKey`, `NSAscending`,
// `NSSelector`.

/// NSRegularExpression.
enum NSRegularExpressionClass: ArchivedClass {
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

/// NSTextCheckingResult.
enum NSTextCheckingResultClass: ArchivedClass {
  static let classNames = [
    "NSTextCheckingResult", "NSSimpleRegularExpressionCheckingResult",
    "NSExtendedRegularExpressionCheckingResult", "NSComplexRegularExpressionCheckingResult",
    "NSRegularExpressionCheckingResult",
  ]
  static let shown = "its ranges, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    if let location = object.integer("NSRangeLocation"),
      let length = object.integer("NSRangeLength")
    {
      return "{\(location), \(length)}"
    }
    guard let nodes = object.elements("NSRangeArray"), !nodes.isEmpty else { return nil }
    let ranges = nodes.prefix(8).map { node -> String in
      guard object.archive.family(of: node) == NSValueClass.self,
        let value = object.object(at: node), let text = NSValueClass.summary(of: value)
      else { return object.leaf(node).map { SummaryText.scalar($0) } ?? "?" }
      return text
    }
    return ranges.joined(separator: ", ") + (nodes.count > 8 ? ", …" : "")
  }
}

/// NSSortDescriptor.
enum NSSortDescriptorClass: ArchivedClass {
  static let classNames = ["NSSortDescriptor"]
  static let shown = "its key, order and selector, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    guard let isAscending = object.flag("NSAscending") else { return nil }
    let key = object.string("NSKey").map { SummaryText.clipped($0) } ?? "itself"
    let selector = object.string("NSSelector").map { " by \(SummaryText.clipped($0))" } ?? ""
    return "\(key) \(isAscending ? "ascending" : "descending")\(selector)"
  }
}

/// NSProgress.
enum NSProgressClass: ArchivedClass {
  static let classNames = ["NSProgress"]
  static let shown = "how many units are done, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    func count(_ name: String) -> Int64? {
      object.integer("NSProgress\(name)UnitCount")
        ?? object.integer("NS.\(name.lowercased())UnitCount")
    }
    guard let completed = count("Completed"), let total = count("Total") else { return nil }
    return "\(completed) of \(total)"
  }
}

/// NSUserActivity.
enum NSUserActivityClass: ArchivedClass {
  static let classNames = ["NSUserActivity"]
  static let shown = "its type and title, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    func text(_ name: String) -> String? { object.string("NS.\(name)") ?? object.string(name) }
    guard let type = text("activityType") else { return nil }
    return SummaryText.clipped(type) + (text("title").map { " \(SummaryText.quoted($0))" } ?? "")
  }
}
