// Members `fetchedAt` that are not a date in the style with which apps stamp feeds.

import Basics
import ObjectGraph

/// Looks at members of stored dictionaries, of objects, and of NSDictionary.
enum MediumDateLint: IntegrityLint {
  static let lints: [Lint] = [.mediumDate]

  /// No moment of the style is longer, in bytes.
  private static let longest = 200

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    for index in input.indexes where input.tree.contains(index) {
      guard let dictionary = input.dictionary(index) else { continue }
      for position in 0..<dictionary.count
      where isStamp(input.reference(dictionary, position), in: input) {
        check(dictionary, dictionary.count + position, in: input, &report)
      }
    }
    guard let archive = input.archive else { return }
    // Lists of keys that objects share are searched once.
    var stamps: [UInt32: Int?] = [:]
    for object in archive.instances
    where archive.record(of: object)?.family == NSDictionaryClass.self {
      guard let keys = archive.field(.keys, of: object.container).flatMap({ input.array($0) }),
        let values = archive.field(.objects, of: object.container).flatMap({ input.array($0) })
      else { continue }
      let position =
        stamps[keys.index]
        ?? (0..<keys.count).first { position in
          isStamp(input.reference(keys, position).flatMap { archive.follow($0) }, in: input)
        }
      stamps[keys.index] = .some(position)
      guard let position, position < values.count else { continue }
      check(values, position, in: input, &report)
    }
  }

  private static func isStamp(_ key: UInt32?, in input: CheckedInput) -> Bool {
    key.flatMap { input.text($0) }?.equals("fetchedAt") == true
  }

  private static func check(
    _ container: StoredContainer, _ position: Int, in input: CheckedInput,
    _ report: inout IntegrityReport
  ) {
    guard let reference = input.reference(container, position),
      let index = string(at: reference, in: input), let text = input.text(index),
      text.byteCount > longest || MediumDate.moment(in: text.string) == nil
    else { return }
    report.add(.mediumDate, in: input, at: index, place: .reference(container, position)) {
      "fetchedAt should be a moment as in 'Apr 6, 2019 at 12:50:00 PM', found '\(text.string.prefix(60))'"
    }
  }

  /// The string that a reference leads to, in an object of its own or not; nil for nil and all else.
  private static func string(at reference: UInt32, in input: CheckedInput) -> UInt32? {
    guard let archive = input.archive else { return reference }
    guard let index = archive.follow(reference), !archive.isNil(index) else { return nil }
    guard let object = input.dictionary(index) else { return index }
    return archive.field(.string, of: object)
  }
}
