// Fields of Foundation's value classes: keys and objects of equal number, and each field of its type.

import ObjectGraph

/// Looks at the fields that readers and NSKeyedUnarchiver need.
enum FieldLint: IntegrityLint {
  static let lints: [Lint] = [.keysObjectsCount, .wrongField]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    guard let archive = input.archive else { return }
    for object in archive.instances {
      guard let record = archive.record(of: object) else { continue }
      if record.family == NSDictionaryClass.self {
        checkCounts(of: object.container, in: archive, input, &report)
      }
      guard let (family, rules) = ClassRegistry.fieldRules[record.name] else { continue }
      for rule in rules {
        check(rule, of: object.container, family, in: archive, input, &report)
      }
    }
  }

  private static func checkCounts(
    of object: StoredContainer, in archive: StoredArchive, _ input: CheckedInput,
    _ report: inout IntegrityReport
  ) {
    guard let keys = archive.field(.keys, of: object).flatMap({ input.array($0) }),
      let objects = archive.field(.objects, of: object).flatMap({ input.array($0) }),
      keys.count != objects.count
    else { return }
    report.add(.keysObjectsCount, in: input, at: object.index) {
      NSDictionaryClass.unequal(keys: keys.count, objects: objects.count)
    }
  }

  private static func check(
    _ rule: FieldRule, of object: StoredContainer, _ family: String, in archive: StoredArchive,
    _ input: CheckedInput, _ report: inout IntegrityReport
  ) {
    // Numbers of OpenStep property lists are strings.
    if rule.isNumber, input.document.encoding.traits.contains(.textualNumbers) { return }
    guard let position = input.position(of: rule.key, in: object),
      let reference = input.reference(object, object.count + position),
      let value = archive.follow(reference), input.soundness.isWalkable(value),
      !archive.isNil(value), !fits(value, rule, input), !isObject(value, rule, in: archive, input)
    else { return }
    report.add(
      .wrongField, in: input, at: value, place: .reference(object, object.count + position)
    ) {
      "\(rule.key.name) of \(family) must be \(rule.phrase), found \(input.phrase(value))"
    }
  }

  /// Whether a value is an object of the class that has such values, or of one that derives from it: an NSMutableString.
  private static func isObject(
    _ value: UInt32, _ rule: FieldRule, in archive: StoredArchive, _ input: CheckedInput
  ) -> Bool {
    guard let object = input.dictionary(value), let record = archive.record(ofStored: object) else {
      return false
    }
    return record.chain.contains { rule.classes.contains($0) }
  }

  private static func fits(_ value: UInt32, _ rule: FieldRule, _ input: CheckedInput) -> Bool {
    guard rule.markers.contains(input.table.marker(of: value) >> 4) else { return false }
    return rule.byteCount.map { input.table.counted(value).count == $0 } ?? true
  }
}
