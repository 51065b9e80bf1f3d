// Repeated keys: in a stored dictionary or object, or among the keys of an NSDictionary.

import Basics
import PropertyLists

/// Compares keys by their stored index, and strings by their characters.
enum DuplicateKeyLint: IntegrityLint {
  static let lints: [Lint] = [.duplicateKey]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    // Texts lose the repeated key when they are read, so their readers report it.
    for warning in input.warnings where warning.subject == .repeatedKey {
      report.add(.duplicateKey, warning, in: input, place: .unknown)
    }
    for index in input.indexes where input.tree.contains(index) {
      guard let dictionary = input.dictionary(index) else { continue }
      let keys = (0..<dictionary.count).lazy.map { input.reference(dictionary, $0) }
      addRepeated(keys, at: index, in: input, &report)
    }
    guard let archive = input.archive else { return }
    // Lists that objects share are checked once.
    var seen: Set<UInt32> = []
    for object in archive.instances
    where archive.record(of: object)?.family == NSDictionaryClass.self {
      guard let list = archive.field(.keys, of: object.container).flatMap({ input.array($0) }),
        seen.insert(list.index).inserted
      else { continue }
      let keys = (0..<list.count).lazy.map { position in
        input.reference(list, position).flatMap { archive.follow($0) }
      }
      addRepeated(keys, at: object.container.index, in: input, &report)
    }
  }

  /// Reports each repeated key once.
  private static func addRepeated(
    _ keys: some Sequence<UInt32?>, at index: UInt32, in input: CheckedInput,
    _ report: inout IntegrityReport
  ) {
    var counts: [UInt32: Int] = [:]
    for case let key? in keys {
      let number = input.texts.number(key) ?? key
      counts[number, default: 0] += 1
      guard counts[number] == 2 else { continue }
      let name = input.text(key).map { input.excerpt($0) } ?? input.phrase(key)
      let warning = ArchiveError.repeatedKey(name, offset: input.offset(of: index))
      report.add(
        .duplicateKey, warning, in: input, place: .value(index),
        byteCount: input.byteCount(of: index))
    }
  }
}
