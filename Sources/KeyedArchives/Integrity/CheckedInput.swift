// One encoded input under check: its values, which of them can be trusted, and where they are held.

import ArchiveBasics
import ArchiveGraph

/// An input whose values may be broken; its accessors return only checked values.
final class CheckedInput {
  let document: Document
  let soundness: ValidityMap
  /// What readers would warn of.
  let warnings: [ArchiveError]
  /// The path of the data value with this input, nil for the input itself.
  private(set) var steps: [GraphPath.Step]
  let check: IntegrityCheck
  let report: IntegrityReport
  let keyCache = KeyCache()
  private(set) lazy var tree = StoredTree(self)
  private(set) lazy var texts = StoredTexts(self)
  /// The parts of a keyed archive as far as they are there.
  private(set) lazy var parts = StoredParts(self)
  /// The keyed archive; nil if the input is not one or has no objects.
  private(set) lazy var archive = StoredArchive(self)

  /// The longest key that a path shows completely, in bytes.
  private static let longestKey = 400

  init(
    _ document: Document, _ soundness: ValidityMap, _ warnings: [ArchiveError],
    at steps: [GraphPath.Step], _ check: IntegrityCheck, _ report: IntegrityReport
  ) {
    self.document = document
    self.soundness = soundness
    self.warnings = warnings
    self.steps = steps
    self.check = check
    self.report = report
    guard let last = self.steps.indices.last else { return }
    let isArchive = parts.isArchive(in: self)
    self.steps[last] = .content(isArchive ? "keyed archive" : document.encoding.name)
  }

  var table: ValueTable { document.table }

  /// The numbers of all stored values.
  var indexes: Range<UInt32> { 0..<UInt32(truncatingIfNeeded: table.count) }

  /// This input; nil if its values are not stored as they are shown, as those of typedstreams.
  var untranslated: CheckedInput? { document.encoding.isTranslated ? nil : self }

  /// The stored dictionaries that the top leads to.
  var dictionaries: some Sequence<StoredContainer> {
    indexes.lazy.filter(tree.contains).compactMap(dictionary)
  }

  // MARK: Values

  /// The high half of a value's marker; nil if the value is broken.
  func kind(_ index: UInt32) -> UInt8? {
    soundness.isSound(index) ? table.marker(of: index) >> 4 : nil
  }

  /// The string at an index, or nil.
  func text(_ index: UInt32) -> Text? { soundness.isSound(index) ? table.text(at: index) : nil }

  /// The UID at an index, or nil.
  func uid(_ index: UInt32) -> UInt64? {
    kind(index) == Marker.uid ? table.uid(at: index) : nil
  }

  /// The container at an index; nil if its references cannot be read.
  func container(_ index: UInt32) -> StoredContainer? {
    guard soundness.isWalkable(index) else { return nil }
    let kind = table.marker(of: index) >> 4
    guard kind >= Marker.array else { return nil }
    let (start, count) = table.counted(index)
    return StoredContainer(
      index: index, start: start, count: count, isDictionary: kind == Marker.dictionary)
  }

  /// The dictionary at an index, or nil.
  func dictionary(_ index: UInt32) -> StoredContainer? {
    container(index).flatMap { $0.isDictionary ? $0 : nil }
  }

  /// The array at an index, or nil.
  func array(_ index: UInt32) -> StoredContainer? {
    container(index).flatMap { table.marker(of: index) >> 4 == Marker.array ? $0 : nil }
  }

  /// The value that a container refers to at a position; nil if the reference leads nowhere.
  func reference(_ container: StoredContainer, _ position: Int) -> UInt32? {
    let number = rawReference(container, position)
    return number < UInt64(table.count) ? UInt32(truncatingIfNeeded: number) : nil
  }

  /// The reference at a position of a container.
  func rawReference(_ container: StoredContainer, _ position: Int) -> UInt64 {
    bigEndian(container.start + position * table.referenceWidth, table.referenceWidth)
  }

  /// The key at a position of a dictionary.
  func key(_ dictionary: StoredContainer, _ position: Int) -> KnownKey {
    guard let index = reference(dictionary, position), soundness.isSound(index) else {
      return .other
    }
    return keyCache.key(index, table)
  }

  /// The first pair of a dictionary with a key.
  func position(of key: KnownKey, in dictionary: StoredContainer) -> Int? {
    (0..<dictionary.count).first { self.key(dictionary, $0) == key }
  }

  /// The kind of a value, in words.
  func phrase(_ index: UInt32) -> String {
    switch kind(index) {
    case nil: return "a broken value"
    case Marker.array: return "an array"
    case Marker.set: return "a set"
    case Marker.orderedSet: return "an ordered set"
    case Marker.dictionary:
      guard let dictionary = dictionary(index) else { return "a dictionary" }
      // Ten thousand findings may be about one dictionary, so that it is not searched to its end.
      let first = 0..<min(dictionary.count, 64)
      return first.contains { key(dictionary, $0) == .classReference }
        ? "an object" : "a dictionary"
    default: break
    }
    let value = table.scalar(at: index)
    switch value {
    case .null: return "null"
    case .boolean, .integer, .unsigned, .wide:
      return "the \(value.typeName) \(SummaryText.scalar(value))"
    case .real(let number): return "the real \(number)"
    case .single(let number): return "the real \(number)"
    case .data(let bytes): return "data of \(Counted.text(bytes.count, "byte"))"
    case .uid(let number): return "a reference to object \(number)"
    default: return "a \(value.typeName)"
    }
  }

  // MARK: Locations

  /// Where a value's bytes begin in the file.
  func offset(of index: UInt32) -> Int? {
    guard document.fileOffset == nil || soundness.isWalkable(index) else { return nil }
    return document.fileOffset(of: index)
  }

  /// The length of a value in the file; nil if it is not stored there in this form.
  func byteCount(of index: UInt32) -> Int? {
    guard document.fileOffset != nil, soundness.isWalkable(index) else { return nil }
    return table.bytes(of: index).count
  }

  /// The locations of a typedstream's values; nil for inputs that are shown as they are stored.
  private lazy var shown =
    document.encoding.isLaidOutAsArchive ? ShownPaths(document, limits: check.limits) : nil

  /// The path of a value as it is shown, or of the nearest container of it.
  private func path(of index: UInt32, in shown: ShownPaths) -> GraphPath {
    let holders = (tree.holders(of: index) ?? []).reversed().map(\.container)
    let inner = ([index] + holders).lazy.compactMap { shown.steps(to: $0) }.first
    return GraphPath(steps + (inner ?? []))
  }

  /// The shortest path to a value.
  func path(of index: UInt32) -> GraphPath? {
    if let shown { return path(of: index, in: shown) }
    guard let holders = tree.holders(of: index) else { return nil }
    var steps = steps
    for holder in holders {
      guard let container = container(holder.container) else { continue }
      // A key that cannot be read names nothing: the path ends at its dictionary.
      guard let step = step(container, holder.position) else { break }
      steps.append(step)
    }
    return GraphPath(steps)
  }

  /// The shortest path to a container, and the step into it.
  func path(of container: StoredContainer, _ position: Int) -> GraphPath? {
    if shown != nil { return path(of: reference(container, position) ?? container.index) }
    guard let path = path(of: container.index) else { return nil }
    return step(container, position).map(path.appending) ?? path
  }

  func step(_ container: StoredContainer, _ position: Int) -> GraphPath.Step? {
    guard container.isDictionary else { return .index(position) }
    let pair = position < container.count ? position : position - container.count
    guard let key = reference(container, pair), let text = text(key) else { return nil }
    return .key(excerpt(text))
  }

  /// A text, truncated if it is long: a shared key may be requested ten thousand times.
  func excerpt(_ text: Text) -> String {
    guard text.byteCount > Self.longestKey else { return text.string }
    let start = Text(base: text.base, byteCount: Self.longestKey, form: text.form)
    return start.string + "…"
  }
}

// MARK: - Which values of a table may be looked at

/// The state of each value of a table.
struct ValidityMap {
  /// How far a value can be trusted.
  private enum State {
    static let sound: UInt8 = 0
    /// A container some of whose references lead nowhere.
    static let hasBadReferences: UInt8 = 1
    static let broken: UInt8 = 2
  }

  /// How often the bytes of a file may be looked at because objects overlap, which honest ones never do.
  private static let mostOverlaps = 8

  private let states: [UInt8]
  let hasFaults: Bool
  /// Whether objects overlap so much that the rest was not looked at.
  let isExhausted: Bool

  /// Of a table that a reader built nothing need be checked.
  init() {
    states = []
    hasFaults = false
    isExhausted = false
  }

  init(checking table: ValueTable) {
    var states = [UInt8](repeating: State.broken, count: table.count)
    var hasFaults = false
    var work = table.byteCount * Self.mostOverlaps + 1 << 20
    for index in states.indices {
      let number = UInt32(truncatingIfNeeded: index)
      let fault = table.tableFault(at: number)
      // A bad reference or encoding implies that the rest of the value was checked.
      if fault == nil || fault?.kind == .reference || fault?.kind == .encoding {
        work -= table.bytes(of: number).count
      }
      guard work >= 0 else { break }
      hasFaults = hasFaults || fault != nil
      if fault == nil {
        states[index] = State.sound
      } else if fault?.kind == .reference {
        states[index] = State.hasBadReferences
      }
    }
    self.states = states
    self.hasFaults = hasFaults
    isExhausted = work < 0
  }

  func isSound(_ index: UInt32) -> Bool { states.isEmpty || states[Int(index)] == State.sound }

  /// Whether a container's references may be read, though some may lead nowhere.
  func isWalkable(_ index: UInt32) -> Bool {
    states.isEmpty || states[Int(index)] != State.broken
  }
}
