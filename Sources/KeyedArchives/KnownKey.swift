// The keys that archtool searches in keyed archives, each recognized once for an archive.

import ArchiveBasics
import ArchiveGraph

/// A key with a meaning of its own.
enum KnownKey: UInt8 {
  case classReference
  case className
  case classChain
  case classHints
  case classVersions
  case keys
  case objects
  case string
  case bytes
  case data
  case time
  case base
  case relative
  case uuidBytes
  case number
  case boolValue
  case intValue
  case doubleValue
  /// Any other key.
  case other

  /// The key as archivers store it; empty for any other.
  var name: StaticString { Self.names[Int(rawValue)] }

  private static let names: [StaticString] = [
    "$class", "$classname", "$classes", "$classhints", "$versions", "NS.keys", "NS.objects",
    "NS.string", "NS.bytes", "NS.data", "NS.time", "NS.base", "NS.relative", "NS.uuidbytes",
    "NS.number", "NS.boolval", "NS.intval", "NS.dblval", "",
  ]

  /// Recognizes a stored key.
  ///
  /// Swift would make a table of hashes for an enumeration of strings, which takes longer than a small archive.
  init(_ text: Text) {
    // All begin with $c, $v or NS, and most other keys do not.
    guard let second = text.unit(at: 1), second == 0x63 || second == 0x76 || second == 0x53 else {
      self = .other
      return
    }
    for value in 0..<Self.other.rawValue {
      if let key = KnownKey(rawValue: value), text.equals(key.name) {
        self = key
        return
      }
    }
    self = .other
  }
}

/// Caches the known key of a stored string, by its index: archives store a key once and refer to it often.
final class KeyCache {
  private let cache = DirectMappedCache<UInt32, KnownKey>(slots: 256, empty: (.max, .other))

  /// Which key the string at an index is.
  @inline(__always)
  func key(_ index: UInt32, _ table: ValueTable) -> KnownKey {
    cache.find(index, hash: Int(index)) ?? recognize(index, table)
  }

  @inline(never)
  private func recognize(_ index: UInt32, _ table: ValueTable) -> KnownKey {
    let key = table.text(at: index).map(KnownKey.init) ?? .other
    cache.slot(Int(index)).pointee = (index, key)
    return key
  }
}

// MARK: - Where an object has the fields that tell what it is

/// The positions of an object's class and of the fields of collections, kept for as long as objects have the same keys.
struct ObjectLayout {
  /// The first position of `$class`.
  private(set) var classReference: Int?
  /// The first position of `NS.keys`.
  private(set) var keys: Int?
  /// The first position of `NS.objects`.
  private(set) var objects: Int?
  private var start: UnsafeRawPointer?
  private var count = 0

  /// Finds the positions among the keys of an object, or keeps them if the keys are those of the object before.
  ///
  /// - Parameters:
  ///   - start: the references of the keys.
  ///   - count: how many there are; their bytes were checked by the table's survey.
  @inline(__always)
  mutating func find(
    _ start: UnsafeRawPointer, _ count: Int, _ table: ValueTable, _ cache: KeyCache
  ) {
    if let last = self.start, self.count == count,
      haveSameBytes(last, start, count &* table.referenceWidth)
    {
      return
    }
    self.start = start
    self.count = count
    search(table, cache)
  }

  @inline(never)
  private mutating func search(_ table: ValueTable, _ cache: KeyCache) {
    (classReference, keys, objects) = (nil, nil, nil)
    guard let start else { return }
    for position in 0..<count {
      switch cache.key(table.reference(start, position), table) {
      case .classReference where classReference == nil: classReference = position
      case .keys where keys == nil: keys = position
      case .objects where objects == nil: objects = position
      default: continue
      }
    }
  }
}
