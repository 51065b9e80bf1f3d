// The lints about keys, and the fields of objects.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

// MARK: - Fields of Foundation's value classes

extension StoredArchive {
  /// Looks at the fields that readers and NSKeyedUnarchiver need.
  func checkFields() {
    for object in instances {
      guard let record = record(of: object) else { continue }
      if record.family == NSDictionaryClass.self { checkCounts(of: object.container) }
      guard let (family, rules) = ClassRegistry.fieldRules[record.name] else { continue }
      for rule in rules { check(rule, of: object.container, family) }
    }
  }

  private func checkCounts(of object: StoredContainer) {
    guard let keys = array(.keys, of: object), let objects = array(.objects, of: object),
      keys.count != objects.count
    else { return }
    input.add(.keysObjectsCount, at: object.index) {
      NSDictionaryClass.unequal(keys: keys.count, objects: objects.count)
    }
  }

  private func check(_ rule: FieldRule, of object: StoredContainer, _ family: String) {
    // Numbers of OpenStep property lists are strings.
    if rule.isNumber, input.document.encoding.traits.contains(.textualNumbers) { return }
    guard let position = input.position(of: rule.key, in: object),
      let value = element(object, object.count + position), input.soundness.isWalkable(value),
      !isNil(value), !fits(value, rule), !isObject(value, rule)
    else { return }
    input.add(.wrongField, at: value, location: .reference(object, object.count + position)) {
      "\(rule.key.name) of \(family) must be \(rule.phrase), found \(input.phrase(value))"
    }
  }

  /// Whether a value is an object of the class that has such values, or of one that derives from it: an NSMutableString.
  private func isObject(_ value: UInt32, _ rule: FieldRule) -> Bool {
    let record = input.dictionary(value).flatMap { self.record(ofStored: $0) }
    return record?.chain.contains { rule.classes.contains($0) } ?? false
  }

  private func fits(_ value: UInt32, _ rule: FieldRule) -> Bool {
    guard rule.markers.contains(input.table.marker(of: value) >> 4) else { return false }
    return rule.byteCount.map { input.table.counted(value).count == $0 } ?? true
  }
}

// MARK: - Keys of applications that begin as those of the frameworks do

extension StoredArchive {
  /// Looks at the keys of objects whose class, and whose ancestors, are of no framework.
  func checkKeyPrefixes() {
    for object in instances {
      guard let record = record(of: object), !record.isOfFramework else { continue }
      for position in 0..<object.container.count {
        guard let key = input.reference(object.container, position),
          let text = input.text(key), let reason = objection(to: text)
        else { continue }
        input.add(
          .reservedKeyPrefix, at: object.container.index,
          location: .reference(object.container, object.container.count + position)
        ) {
          "the key '\(input.excerpt(text))' of \(ClassName(stored: record.name).display) \(reason)"
        }
      }
    }
  }

  private func objection(to key: Text) -> String? {
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

extension CheckedInput {
  /// Compares keys by their stored index, and strings by their characters.
  func checkRepeatedKeys() {
    // Texts lose the repeated key when they are read, so their readers report it.
    for warning in warnings where warning.subject == .repeatedKey {
      add(.duplicateKey, warning, location: .unknown)
    }
    for dictionary in dictionaries {
      addRepeated((0..<dictionary.count).lazy.map { self.reference(dictionary, $0) }, dictionary)
    }
    guard let archive else { return }
    // Lists that objects share are checked once.
    var seen: Set<UInt32> = []
    for object in archive.dictionaries {
      guard let list = archive.array(.keys, of: object), seen.insert(list.index).inserted else {
        continue
      }
      addRepeated((0..<list.count).lazy.map { archive.element(list, $0) }, object)
    }
  }

  /// Reports each repeated key once.
  private func addRepeated(_ keys: some Sequence<UInt32?>, _ object: StoredContainer) {
    var counts: [UInt32: Int] = [:]
    for case let key? in keys {
      let number = texts.number(key) ?? key
      counts[number, default: 0] += 1
      guard counts[number] == 2 else { continue }
      let name = text(key).map { excerpt($0) } ?? phrase(key)
      let warning = ArchiveError.repeatedKey(name, offset: offset(of: object.index))
      add(
        .duplicateKey, warning, location: .value(object.index),
        byteCount: byteCount(of: object.index))
    }
  }
}

// MARK: - Keys of stored dictionaries that are not strings

extension CheckedInput {
  /// Looks at the kind of each stored key.
  func checkNonTextKeys() {
    for dictionary in dictionaries {
      let odd = (0..<dictionary.count).lazy.compactMap { self.reference(dictionary, $0) }
        .first { self.text($0) == nil }
      guard let odd else { continue }
      add(.nonTextKey, at: dictionary.index) {
        "\(phrase(odd)) is a key here, but Foundation accepts only strings"
      }
    }
  }
}
