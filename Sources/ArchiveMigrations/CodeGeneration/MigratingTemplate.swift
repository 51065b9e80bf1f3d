// The parts of a generated migration that no schema determines: what reads and writes archives, and what lenses do.

import ArchiveBasics

/// The source code in the folder Templates, of which a file takes what it uses.
///
/// The lines between `#if TEXT|TEXT` and `#endif` are for files that contain one of the texts by then, or that have it
/// as a fact: `@objects`; those after `#else` are for the others. A word in quotation marks, `«FORMS»`, stands for what
/// is particular to a family.
struct MigratingTemplate {
  /// What is known of the family: each fact begins with `@`.
  let facts: Set<String>
  let words: [String: String]

  /// What the source offers, the versions and how an archive's is found.
  var start: String {
    lines(of: PackageResources.interface_template, in: "")
      + lines(of: PackageResources.versions_template, in: "")
  }

  /// The operations of lenses, what reads archives, and the forms of values, as far as the source uses them.
  func support(for source: String) -> String {
    let parts = [
      PackageResources.operations_template, PackageResources.conversions_template,
      PackageResources.reading_template, PackageResources.forms_template,
      PackageResources.writing_template,
    ]
    return lines(of: Array(parts.joined()), in: source)
  }

  /// The lines of a template that a file uses.
  private func lines(of template: [UInt8], in source: String) -> String {
    var result = ""
    var skipped: [Bool] = []
    for line in String(decoding: template, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("#if ") {
        let texts = line.dropFirst("#if ".count).split(separator: "|")
        let isUsed = texts.contains { text in
          text.hasPrefix("@")
            ? facts.contains(String(text)) : source.includes(text) || result.includes(text)
        }
        skipped.append(skipped.last == true || !isUsed)
      } else if line == "#else", let isSkipped = skipped.popLast() {
        skipped.append(skipped.last == true || !isSkipped)
      } else if line == "#endif" {
        if !skipped.isEmpty { skipped.removeLast() }
      } else if skipped.last != true {
        result += replacingWords(in: line) + "\n"
      }
    }
    return result
  }

  private func replacingWords(in line: Substring) -> String {
    let parts = line.split(separator: "«", omittingEmptySubsequences: false)
    var result = String(parts.first ?? "")
    for part in parts.dropFirst() {
      let pair = part.split(separator: "»", maxSplits: 1, omittingEmptySubsequences: false)
      result += words[pair.first.map(String.init) ?? ""] ?? ""
      result += pair.count > 1 ? pair[1] : ""
    }
    return result
  }
}
