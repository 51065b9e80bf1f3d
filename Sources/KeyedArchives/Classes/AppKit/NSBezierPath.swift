// NSBezierPath and UIBezierPath: their segments as bytes.

/// NSBezierPath and UIBezierPath, whose segments stay bytes.
enum NSBezierPathClass: FrameworkClass {
  static let classNames = ["NSBezierPath", "UIBezierPath"]
  static let shown = "its line width and the size of its segments, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    let width = object.number("UIBezierPathLineWidthKey") ?? object.number("NSLineWidth")
    let bytes = object.bytes("UIBezierPathCGPathDataKey") ?? object.bytes("NSSegments")
    let parts = [
      width.map { "line width \(ColorText.short($0))" },
      bytes.map { "segments of \(SummaryText.count($0.count, "byte"))" },
    ]
    let known = parts.compactMap { $0 }
    return known.isEmpty ? nil : known.joined(separator: ", ")
  }
}
