// The outermost dictionary of a keyed archive: missing parts, or parts of the wrong type.

import Basics
import ObjectGraph

/// Looks for `$archiver`, `$top` and `$objects`.
enum ArchivePartsLint: IntegrityLint {
  static let lints: [Lint] = [.missingArchiver, .missingTop, .missingObjects]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    let parts = input.parts
    // A missing part may be one with broken bytes, which was reported already.
    guard !parts.hasBrokenParts else { return }
    if parts.lacksArchiver(in: input) {
      add(.missingArchiver, "$archiver", "a string", parts.archiver, input, &report)
    }
    guard parts.isArchive(in: input) else { return }
    if parts.top.map({ isBroken($0, input) || input.dictionary($0) != nil }) != true {
      add(.missingTop, "$top", "a dictionary", parts.top, input, &report)
    }
    if parts.objects.map({ isBroken($0, input) || input.array($0) != nil }) != true {
      add(.missingObjects, "$objects", "an array", parts.objects, input, &report)
    }
  }

  private static func isBroken(_ index: UInt32, _ input: CheckedInput) -> Bool {
    !input.soundness.isWalkable(index)
  }

  private static func add(
    _ lint: Lint, _ name: String, _ kind: String, _ found: UInt32?, _ input: CheckedInput,
    _ report: inout IntegrityReport
  ) {
    guard let found else {
      let top = input.document.top
      return report.add(lint, in: input, at: top) {
        KeyedArchiveParts.missing(name, kind).message
      }
    }
    report.add(lint, in: input, at: found) {
      "\(KeyedArchiveParts.wrongKind(name, kind)), found \(input.phrase(found))"
    }
  }
}
