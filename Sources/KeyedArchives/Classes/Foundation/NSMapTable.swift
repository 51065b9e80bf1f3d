// NSMapTable, NSHashTable and NSPointerArray: options, then objects under generic keys `$0`, `$1`, … or lists.

import ObjectGraph

/// NSMapTable and NSHashTable, of which only the number of entries is certain.
enum NSTableClass: FrameworkClass {
  static let classNames = [
    "NSMapTable", "NSConcreteMapTable", "NSHashTable", "NSConcreteHashTable", "NSPointerArray",
    "NSConcretePointerArray",
  ]
  static let shown = "how many entries it has, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    let count =
      object.integer("NS.count") ?? object.elements("NS.keys").map { Int64($0.count) }
      ?? object.elements("NS.objects").map { Int64($0.count) }
    guard let count, count >= 0 else { return nil }
    return count == 1 ? "1 entry" : "\(count) entries"
  }
}
