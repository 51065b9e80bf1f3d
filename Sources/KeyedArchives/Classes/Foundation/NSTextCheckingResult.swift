// NSTextCheckingResult: `NSRangeArray`, or `NSRangeLocation` and `NSRangeLength`
// (swift-corelibs-foundation: NSTextCheckingResult.swift).

/// NSTextCheckingResult.
enum NSTextCheckingResultClass: FrameworkClass {
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
