// Classes that an application registers, in addition to those of frameworks.

/// The classes that an application has registered; none changes while a reader uses it, so that threads may share it.
public struct RegisteredClasses: Sendable {
  private let byName: [String: any ArchivedClass.Type]

  /// Registers families; of two that name one class the first counts, and each counts before those of frameworks.
  public init(_ families: [any ArchivedClass.Type] = []) {
    var table: [String: any ArchivedClass.Type] = [:]
    for family in families {
      for name in family.classNames where table[name] == nil { table[name] = family }
    }
    byName = table
  }

  /// The family of a class, under its stored name or, for a class of Swift, the name that people read.
  subscript(name: String) -> (any ArchivedClass.Type)? {
    if byName.isEmpty { return nil }
    return byName[name] ?? byName[ClassName(stored: name).display]
  }

  /// The family of the nearest ancestor that is registered.
  func family(ofAncestors chain: [String]) -> (any ArchivedClass.Type)? {
    byName.isEmpty ? nil : chain.lazy.compactMap { self[$0] }.first
  }
}
