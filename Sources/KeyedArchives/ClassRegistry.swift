// Which class names have a plain value. To add a family: one file under Foundation, one line here.

/// The class families that archtool knows.
enum ClassRegistry {
  private static let families: [any ArchivedClass.Type] = [
    NSArrayClass.self, NSSetClass.self, NSOrderedSetClass.self, NSDictionaryClass.self,
    NSStringClass.self, NSDataClass.self, NSDateClass.self, NSNullClass.self, NSURLClass.self,
    NSUUIDClass.self, NSNumberClass.self,
  ]

  private static let byName: [String: any ArchivedClass.Type] = {
    var table: [String: any ArchivedClass.Type] = [:]
    for family in families {
      for name in family.classNames { table[name] = family }
    }
    return table
  }()

  /// The family of a class, nil if it is not known.
  static func family(of name: String) -> (any ArchivedClass.Type)? { byName[name] }

  /// Whether a class is one of Apple's frameworks by its prefix, and so keeps its class in every envelope.
  static func isFoundation(_ name: String) -> Bool {
    name.hasPrefix("NS") || name.hasPrefix("_NS") || name.hasPrefix("__NS")
      || name.hasPrefix("UI") || name.hasPrefix("CL")
  }
}
