// The archives that the data values of one place held, and what a schema says of the archive around a model.

import KeyedArchives
import PropertyLists

/// What was seen of the archives in the data values of a place.
struct ObservedArchives {
  /// The envelope of all of them; nil before the first.
  private(set) var envelope: Envelope?
  private var topKey: String?
  private var classNames: Set<ClassName> = []
  /// The place of their models.
  var place: Int?
  /// Whether there was data that holds no archive, or archives of several envelopes: no schema fits all of it.
  private(set) var isMixed = false

  /// Notes a data value.
  ///
  /// - Parameter model: the model in it; nil if it holds no archive.
  /// - Returns: whether its model is to be looked at.
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

  /// Adds what was seen elsewhere, but for the models.
  mutating func merge(_ other: ObservedArchives) {
    isMixed = isMixed || other.isMixed
    guard let found = other.envelope else { return }
    if envelope != nil, envelope != found || topKey != other.topKey { isMixed = true }
    envelope = found
    topKey = other.topKey
    classNames.formUnion(other.classNames)
  }

  /// The `x-archive` of the models; nil if the data values have none in common.
  var archive: JSONTree? {
    guard let envelope, !isMixed else { return nil }
    return Self.archive(envelope, topKey: topKey, classNames: classNames, isList: false)
  }

  /// What a schema says of the archive around its model.
  static func archive(
    _ envelope: Envelope, topKey: String?, classNames: Set<ClassName>, isList: Bool
  ) -> JSONTree {
    var archive: [(String, JSONTree)] = [("envelope", .string(envelope.rawValue))]
    if envelope == .nscoding, !classNames.isEmpty {
      archive.append(("classes", .list(classPatterns(classNames))))
    }
    if let topKey, topKey != UnwrappedModel.rootKey { archive.append(("key", .string(topKey))) }
    if topKey == nil { archive.append(("keys", .boolean(true))) }
    if isList { archive.append(("list", .boolean(true))) }
    return .members(archive)
  }

  /// The name as it is stored, if all are of one class, and `*.Name`, since the module of a playground's class changes
  /// from run to run.
  private static func classPatterns(_ classNames: Set<ClassName>) -> [JSONTree] {
    var patterns: [String] = []
    // Of several modules none is the one that a new object is of.
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
