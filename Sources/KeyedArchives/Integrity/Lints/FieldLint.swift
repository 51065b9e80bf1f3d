// Fields of Foundation's value classes: keys and objects of equal number, and each field of its type.

import ObjectGraph

/// Looks at the fields that readers and NSKeyedUnarchiver need.
enum FieldLint: IntegrityLint {
  static let lints: [Lint] = [.keysObjectsCount, .wrongField]

  /// What a field of some classes must hold.
  private struct Rule: Sendable {
    let key: KnownKey
    let classNames: [String]
    let markers: [UInt8]
    let phrase: String
  }

  /// The fields as swift-corelibs-foundation writes them (NSArray.swift, NSDate.swift, …).
  private static let rules: [Rule] = {
    let lists = [NSArrayClass.classNames, NSSetClass.classNames, NSOrderedSetClass.classNames]
    let texts = [Marker.ascii, Marker.utf16, Marker.utf8]
    return [
      Rule(
        key: .keys, classNames: NSDictionaryClass.classNames, markers: [Marker.array],
        phrase: "an array"),
      Rule(
        key: .objects, classNames: NSDictionaryClass.classNames + lists.flatMap { $0 },
        markers: [Marker.array], phrase: "an array"),
      Rule(
        key: .string, classNames: ["NSString", "NSMutableString"], markers: texts,
        phrase: "a string"),
      Rule(
        key: .relative, classNames: NSURLClass.classNames, markers: texts, phrase: "a string"),
      Rule(
        key: .data, classNames: ["NSData", "NSMutableData"], markers: [Marker.data],
        phrase: "data"),
      Rule(
        key: .uuidBytes, classNames: NSUUIDClass.classNames, markers: [Marker.data],
        phrase: "data of 16 bytes"),
      Rule(
        key: .time, classNames: NSDateClass.classNames, markers: [Marker.real, Marker.integer],
        phrase: "a real"),
    ]
  }()

  private static let rulesByClass: [String: [Rule]] = {
    var table: [String: [Rule]] = [:]
    for rule in rules {
      for name in rule.classNames { table[name, default: []].append(rule) }
    }
    return table
  }()

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    guard let archive = input.archive else { return }
    for object in archive.instances {
      guard let record = archive.record(of: object) else { continue }
      if record.family == NSDictionaryClass.self {
        checkCounts(of: object.container, in: archive, input, &report)
      }
      for rule in rulesByClass[record.name] ?? [] {
        check(rule, of: object.container, in: archive, input, &report)
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
    _ rule: Rule, of object: StoredContainer, in archive: StoredArchive, _ input: CheckedInput,
    _ report: inout IntegrityReport
  ) {
    // Numbers of OpenStep property lists are strings.
    if rule.key == .time, input.document.encoding.traits.contains(.textualNumbers) { return }
    guard let position = input.position(of: rule.key, in: object),
      let reference = input.reference(object, object.count + position),
      let value = archive.follow(reference), input.soundness.isWalkable(value),
      !archive.isNil(value), !fits(value, rule, input)
    else { return }
    report.add(
      .wrongField, in: input, at: value, place: .reference(object, object.count + position)
    ) {
      "\(rule.key.rawValue) of \(rule.classNames[0]) must be \(rule.phrase), found \(input.phrase(value))"
    }
  }

  private static func fits(_ value: UInt32, _ rule: Rule, _ input: CheckedInput) -> Bool {
    guard rule.markers.contains(input.table.marker(of: value) >> 4) else { return false }
    return rule.key != .uuidBytes || input.table.counted(value).count == 16
  }
}
