// Objects of classes that Apple deprecated.

/// Looks at the class records that objects use.
enum DeprecatedClassLint: IntegrityLint {
  static let lints: [Lint] = [.deprecatedClass]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    guard let archive = input.archive, !archive.isNib else { return }
    for index in archive.usedRecords.sorted() {
      guard let record = archive.record(index),
        let replacement = DeprecatedClasses.replacements[record.name]
      else { continue }
      report.add(.deprecatedClass, in: input, at: index) {
        "the class \(record.name) is deprecated; use \(replacement)"
      }
    }
  }
}
