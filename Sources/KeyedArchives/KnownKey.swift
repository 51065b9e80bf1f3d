// The keys that archtool searches in keyed archives, each recognized once for an archive.

import ObjectGraph

/// A key with a meaning of its own.
enum KnownKey: String, CaseIterable {
  case classReference = "$class"
  case className = "$classname"
  case classChain = "$classes"
  case classHints = "$classhints"
  case classVersions = "$versions"
  case keys = "NS.keys"
  case objects = "NS.objects"
  case string = "NS.string"
  case bytes = "NS.bytes"
  case data = "NS.data"
  case time = "NS.time"
  case base = "NS.base"
  case relative = "NS.relative"
  case uuidBytes = "NS.uuidbytes"
  case number = "NS.number"
  case boolValue = "NS.boolval"
  case intValue = "NS.intval"
  case doubleValue = "NS.dblval"
  /// Any other key.
  case other = ""
}

/// Caches the known key of a stored string, by its index: archives store a key once and refer to it often.
final class KeyCache {
  private static let size = 256
  private let indexes: UnsafeMutablePointer<UInt32>
  private let keys: UnsafeMutablePointer<KnownKey>

  init() {
    indexes = .allocate(capacity: Self.size)
    indexes.initialize(repeating: .max, count: Self.size)
    keys = .allocate(capacity: Self.size)
    keys.initialize(repeating: .other, count: Self.size)
  }

  deinit {
    indexes.deallocate()
    keys.deallocate()
  }

  /// Which key the string at an index is.
  @inline(__always)
  func key(_ index: UInt32, _ table: ValueTable) -> KnownKey {
    let slot = Int(index) & (Self.size - 1)
    if indexes[slot] == index { return keys[slot] }
    return recognise(index, table, slot)
  }

  @inline(never)
  private func recognise(_ index: UInt32, _ table: ValueTable, _ slot: Int) -> KnownKey {
    var key = KnownKey.other
    if let text = table.text(at: index), text.byteCount <= 32, text.byteCount > 0 {
      key = KnownKey(rawValue: text.string) ?? .other
    }
    indexes[slot] = index
    keys[slot] = key
    return key
  }
}
