// Whether two streams have the same content: objects walked side by side, independent of their numbers.

import ArchiveBasics

struct TypedStreamComparison: ~Copyable {
  private let left: StreamContents
  private let right: StreamContents
  /// For each object of the left stream the corresponding one of the right.
  private var partners: [Int: Int] = [:]
  private var pending: [(Int, Int)] = []
  /// For each long text of the left stream an equal one of the right.
  private var sameTexts: [UnsafeRawPointer: UnsafeRawPointer] = [:]
  /// Classes that were found equal, so that long chains are walked once.
  private var sameClasses: [Int: Int] = [:]

  init(_ left: consuming StreamContents, _ right: consuming StreamContents) {
    self.left = left
    self.right = right
  }

  /// Whether all values, types, classes and shared references are the same.
  mutating func run() -> Bool {
    guard left.tables.version == right.tables.version,
      left.tables.systemVersion == right.tables.systemVersion,
      left.tables.isBigEndian == right.tables.isBigEndian, sameGroups(left.tops, right.tops)
    else { return false }
    while let (a, b) = pending.popLast() {
      let (a, b) = (left.objects[a].pointee, right.objects[b].pointee)
      guard sameClass(a.classNumber, b.classNumber), sameGroups(a.groups, b.groups)
      else { return false }
    }
    return Set(partners.values).count == partners.count
  }

  private mutating func sameGroups(_ a: StreamRange, _ b: StreamRange) -> Bool {
    guard a.count == b.count else { return false }
    for (a, b) in zip(left.tables.groups(a), right.tables.groups(b)) {
      guard left.tables.encodedTypes(of: a) == right.tables.encodedTypes(of: b),
        sameValues(a.values, b.values)
      else { return false }
    }
    return true
  }

  private mutating func sameValues(_ a: StreamRange, _ b: StreamRange) -> Bool {
    guard a.count == b.count else { return false }
    for (a, b) in zip(left.tables.values(a), right.tables.values(b)) {
      guard same(a, b) else { return false }
    }
    return true
  }

  /// Types nest to a bounded depth (`EncodedType`).
  private mutating func same(_ a: StreamValue, _ b: StreamValue) -> Bool {
    switch (a, b) {
    case (.null, .null): return true
    case (.boolean(let a), .boolean(let b)): return a == b
    case (.integer(let a), .integer(let b)): return a == b
    case (.unsigned(let a), .unsigned(let b)): return a == b
    case (.single(let a), .single(let b)): return a.bitPattern == b.bitPattern
    case (.real(let a), .real(let b)): return a.bitPattern == b.bitPattern
    case (.text(let a), .text(let b)), (.data(let a), .data(let b)): return sameBytes(a, b)
    case (.type(let a), .type(let b)): return sameClass(a, b)
    case (.array(let a), .array(let b)), (.structure(let a), .structure(let b)):
      return sameValues(a, b)
    case (.object(let a), .object(let b)):
      if let partner = partners[a] { return partner == b }
      partners[a] = b
      pending.append((a, b))
      return true
    default: return false
    }
  }

  /// Long texts are compared once: many values may share one.
  private mutating func sameBytes(_ a: ByteView, _ b: ByteView) -> Bool {
    guard a.count == b.count else { return false }
    guard a.count >= 64, let first = a.baseAddress, let second = b.baseAddress else {
      return a.elementsEqual(b)
    }
    if sameTexts[first] == second { return true }
    guard memcmp(first, second, a.count) == 0 else { return false }
    sameTexts[first] = second
    return true
  }

  private mutating func sameClass(_ a: Int?, _ b: Int?) -> Bool {
    if let a, let b {
      if sameClasses[a] == b { return true }
      sameClasses[a] = b
    }
    let (a, b) = (left.tables.classes.chain(of: a), right.tables.classes.chain(of: b))
    return a.count == b.count
      && zip(a, b).allSatisfy {
        $0.name.utf8.elementsEqual($1.name.utf8) && $0.version == $1.version
      }
  }
}
