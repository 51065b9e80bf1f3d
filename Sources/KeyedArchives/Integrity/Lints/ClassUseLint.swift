// Class records that no object is of, and second records of one class.

/// Looks at every class record of `$objects`.
enum ClassUseLint: IntegrityLint {
  static let lints: [Lint] = [.unusedClass, .duplicateClass]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    guard !input.isTranslated, let archive = input.archive else { return }
    var numbers: [String: Int] = [:]
    for (number, index) in archive.distinct {
      guard let dictionary = input.dictionary(index),
        input.position(of: .className, in: dictionary) != nil,
        let record = archive.record(index)
      else { continue }
      let name = ClassName(stored: record.name).display
      if !archive.usedRecords.contains(index) {
        report.add(.unusedClass, in: input, at: index) { "no object is of the class \(name)" }
      }
      if let first = numbers[record.name] {
        report.add(.duplicateClass, in: input, at: index) {
          "the class \(name) has a record already, object \(first)"
        }
      } else {
        numbers[record.name] = number
      }
    }
  }
}
