// Strings "$null" that are not the archive's own nil.

import ObjectGraph

/// Looks for the string in `$objects`: what an archiver leaves of a conditional object, and an app's own text, are one.
enum AmbiguousNullLint: IntegrityLint {
  static let lints: [Lint] = [.ambiguousNull]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    guard !input.isTranslated, let archive = input.archive, !archive.isNib else { return }
    // By number: if equal strings are stored once, this one is also the archive's own.
    let numbers = (0..<archive.objects.count).filter { number in
      number > 0
        && archive.object(number).flatMap { input.text($0) }?.equals("$null") == true
    }
    guard let number = numbers.first, let index = archive.object(number) else { return }
    report.add(
      .ambiguousNull, in: input, at: index, place: .reference(archive.objects, number)
    ) {
      numbers.count == 1
        ? "object \(number) is the string \"$null\", which decodes as nil: a conditional object that was not archived, or a text"
        : "\(numbers.count) objects are strings \"$null\", which decode as nil: conditional objects that were not archived, or texts; the first is object \(number)"
    }
  }
}
