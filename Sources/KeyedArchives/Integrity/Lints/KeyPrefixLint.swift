// Keys of applications that begin as those of the frameworks do.

import ObjectGraph

/// Looks at the keys of objects whose class, and whose ancestors, are of no framework.
enum KeyPrefixLint: IntegrityLint {
  static let lints: [Lint] = [.reservedKeyPrefix]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    guard !input.isTranslated, let archive = input.archive else { return }
    for object in archive.instances {
      guard let record = archive.record(of: object), !record.isOfFramework else { continue }
      for position in 0..<object.container.count {
        guard let key = input.reference(object.container, position),
          let text = input.text(key), let reason = objection(to: text)
        else { continue }
        report.add(
          .reservedKeyPrefix, in: input, at: object.container.index,
          place: .reference(object.container, object.container.count + position)
        ) {
          "the key '\(input.excerpt(text))' of \(ClassName(stored: record.name).display) \(reason)"
        }
      }
    }
  }

  private static func objection(to key: Text) -> String? {
    if key.starts(with: 0x24) {
      // `$0`, `$1`, … are values without a key, and archivers write `$$` for a `$` of the app's own.
      guard let next = key.unit(at: 1), next != 0x24, !(0x30...0x39).contains(next),
        !key.equals("$class")
      else { return nil }
      return "begins with $, which archivers keep for themselves"
    }
    return Framework.reserves(key) ? "begins as the frameworks' own keys do" : nil
  }
}
