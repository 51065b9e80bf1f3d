// Classes of objects against a list of those that may be decoded.

/// Looks at the class records that objects use; ancestors alone are nobody's class.
enum AllowedClassLint: IntegrityLint {
  static let lints: [Lint] = [.classNotAllowed]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    guard let allowed = input.allowedClasses, let archive = input.archive else { return }
    for index in archive.usedRecords.sorted() {
      guard let record = archive.record(index), !isAllowed(record.name, allowed) else { continue }
      report.add(.classNotAllowed, in: input, at: index) {
        "the class \(ClassName(stored: record.name).display) is not among the allowed ones"
      }
    }
  }

  static func isAllowed(_ name: String, _ allowed: Set<String>) -> Bool {
    if allowed.contains(name) { return true }
    // NSMutableArray is an NSArray, which NSSecureCoding allows.
    let plain = name.hasPrefix("NSMutable") ? "NS" + name.dropFirst("NSMutable".count) : nil
    if let plain, allowed.contains(plain) { return true }
    let name = ClassName(stored: name)
    return allowed.contains { pattern in
      name.matches(pattern: pattern)
        || plain.map { ClassName(stored: $0).matches(pattern: pattern) } == true
    }
  }
}
