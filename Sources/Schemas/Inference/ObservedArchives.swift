// The archives in the data values of one location, and the rules of a schema for the archive around a model.

import KeyedArchives
import PropertyLists

/// What was observed in the archives in the data values of a location.
struct ObservedArchives {
  /// The common envelope; nil before the first archive.
  private(set) var envelope: Envelope?
  private var topKey: String?
  private var classNames: Set<ClassName> = []
  /// The location of their models.
  var place: Int?
  /// Whether there was data without an archive, or archives of several envelopes: no schema fits all of them.
  private(set) var isMixed = false

  /// Records a data value.
  ///
  /// - Parameter model: the model in it; nil if it contains no archive.
  /// - Returns: whether its model should be examined.
  mutating func add(_ model: UnwrappedModel?) -> Bool {
    guard let model, envelope == nil || envelope == model.envelope && topKey == model.topKey else {
      isMixed = true
      return false
    }
    envelope = model.envelope
    topKey = model.topKey
    if let name = model.className { classNames.insert(name) }
    return !isMixed
  }

  /// Adds the observations of another location, except for the models.
  mutating func merge(_ other: ObservedArchives) {
    isMixed = isMixed || other.isMixed
    guard let found = other.envelope else { return }
    if envelope != nil, envelope != found || topKey != other.topKey { isMixed = true }
    envelope = found
    topKey = other.topKey
    classNames.formUnion(other.classNames)
  }

  /// The `x-archive` of the models; nil if the data values have no common envelope.
  var archive: JSONTree? {
    guard let envelope, !isMixed else { return nil }
    return Self.archive(envelope, topKey: topKey, classNames: classNames, isList: false)
  }

  /// The rules of a schema for the archive around its model.
  static func archive(
    _ envelope: Envelope, topKey: String?, classNames: Set<ClassName>, isList: Bool,
    foundations: Set<FoundationKind> = []
  ) -> JSONTree {
    var archive: [(String, JSONTree)] = [("envelope", .string(envelope.rawValue))]
    if envelope == .nscoding, !classNames.isEmpty {
      archive.append(("classes", .list(classPatterns(classNames))))
    }
    if let topKey, topKey != UnwrappedModel.rootKey { archive.append(("key", .string(topKey))) }
    if topKey == nil { archive.append(("keys", .boolean(true))) }
    if isList { archive.append(("list", .boolean(true))) }
    // Apple's needs no word.
    if foundations == [.swiftCorelibs] {
      archive.append(("foundation", .string(FoundationKind.swiftCorelibs.rawValue)))
    }
    return .members(archive)
  }

  /// Patterns of the names of the root object's class.
  ///
  /// They are the stored name, if there is only one class, and `*.Name`, since the module of a playground's class
  /// changes from run to run.
  private static func classPatterns(_ classNames: Set<ClassName>) -> [JSONTree] {
    var patterns: [String] = []
    // If there are several modules, it is unknown which one a new object belongs to.
    if classNames.count == 1 { patterns += classNames.map(\.stored) }
    for short in Set(classNames.map(ObservationWalk.shortName)).sorted() {
      patterns.append("*." + short)
      if classNames.count > 1 { patterns.append(short) }
    }
    for name in classNames.sorted(by: { $0.stored < $1.stored })
    where !patterns.contains(where: { name.matches(pattern: $0) }) {
      patterns.append(name.stored)
    }
    return patterns.map { .string($0) }
  }
}
