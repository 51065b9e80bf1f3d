// The lints about keys, and the fields of objects.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

// MARK: - Fields of Foundation's value classes

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
      .wrongField, in: input, at: value, location: .reference(object, object.count + position)
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

// MARK: - Keys of applications that begin as those of the frameworks do

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
          location: .reference(object.container, object.container.count + position)
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

// MARK: - Repeated keys: in a stored dictionary or object, or among the keys of an NSDictionary

/// Compares keys by their stored index, and strings by their characters.
enum DuplicateKeyLint: IntegrityLint {
  static let lints: [Lint] = [.duplicateKey]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    // Texts lose the repeated key when they are read, so their readers report it.
    for warning in input.warnings where warning.subject == .repeatedKey {
      report.add(.duplicateKey, warning, in: input, location: .unknown)
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
        .duplicateKey, warning, in: input, location: .value(index),
        byteCount: input.byteCount(of: index))
    }
  }
}

// MARK: - Keys of stored dictionaries that are not strings

/// Looks at the kind of each stored key.
enum NonTextKeyLint: IntegrityLint {
  static let lints: [Lint] = [.nonTextKey]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    for index in input.indexes where input.tree.contains(index) {
      guard let dictionary = input.dictionary(index) else { continue }
      let odd = (0..<dictionary.count).lazy.compactMap { input.reference(dictionary, $0) }
        .first { input.text($0) == nil }
      guard let odd else { continue }
      report.add(.nonTextKey, in: input, at: index) {
        "\(input.phrase(odd)) is a key here, but Foundation accepts only strings"
      }
    }
  }
}
