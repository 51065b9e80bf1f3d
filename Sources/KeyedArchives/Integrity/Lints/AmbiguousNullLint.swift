// Strings "$null" that are not the archive's own nil.

import ObjectGraph

/// Looks for the string in `$objects`: what an archiver leaves of a conditional object, and an app's own text, are one.
enum AmbiguousNullLint: IntegrityLint {
  static let lints: [Lint] = [.ambiguousNull]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    guard !input.isTranslated, let archive = input.archive else { return }
    // By number: if equal strings are stored once, this one is also the archive's own.
    for number in 0..<archive.objects.count where number > 0 {
      guard let index = archive.object(number), input.text(index)?.equals("$null") == true else {
        continue
      }
      report.add(
        .ambiguousNull, in: input, at: index, place: .reference(archive.objects, number)
      ) {
        "object \(number) is the string \"$null\", which decodes as nil: a conditional object that was not archived, or a text"
      }
    }
  }
}
