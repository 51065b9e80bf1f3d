// The parts of a generated migration that no schema determines: what reads and writes archives, and what lenses do.

import ArchiveBasics

/// The source code in the folder Templates, of which a file takes what it uses.
///
/// The lines between `#if TEXT|TEXT` and `#endif` are for files that contain one of the texts by then, or that have it
/// as a fact: `@objects`. `MODEL` is the model's type, and `SCALARS` are the cases of its forms without a value.
struct MigratingTemplate {
  /// The model's type.
  let model: String
  /// The cases of forms without a value.
  let scalars: String
  /// What is known of the family: each fact begins with `@`.
  let facts: Set<String>

  /// The operations of lenses, what reads archives, and the forms of values.
  func support(for source: String) -> String {
    let parts = [
      PackageResources.operations_template, PackageResources.conversions_template,
      PackageResources.reading_template, PackageResources.forms_template,
    ]
    return lines(of: String(decoding: parts.joined(), as: UTF8.self), in: source)
  }

  /// What writes objects of the application's classes.
  func writing(for source: String) -> String {
    lines(of: String(decoding: PackageResources.writing_template, as: UTF8.self), in: source)
  }

  /// The lines of a template that a file uses.
  private func lines(of template: String, in source: String) -> String {
    var result = ""
    var skipped: [Bool] = []
    for line in template.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("#if ") {
        let texts = line.dropFirst("#if ".count).split(separator: "|")
        let isUsed = texts.contains { text in
          text.hasPrefix("@")
            ? facts.contains(String(text)) : source.includes(text) || result.includes(text)
        }
        skipped.append(skipped.last == true || !isUsed)
      } else if line == "#endif" {
        if !skipped.isEmpty { skipped.removeLast() }
      } else if skipped.last != true {
        result += Self.replacing("SCALARS", scalars, in: Self.replacing("MODEL", model, in: line))
        result += "\n"
      }
    }
    return result
  }

  private static func replacing(
    _ word: String, _ text: String, in line: some StringProtocol
  ) -> String {
    var result = ""
    var rest = Substring(line)
    while let found = rest.firstOccurrence(of: word) {
      result += rest[..<found.lowerBound] + text
      rest = rest[found.upperBound...]
    }
    return result + rest
  }
}
