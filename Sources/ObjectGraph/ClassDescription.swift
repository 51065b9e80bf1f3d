// A class as an archive names it.

/// A class that objects of a graph have.
public struct ClassDescription: Hashable, Sendable {
  /// The name as stored, mangled or not.
  public let name: String
  /// The name as people read it.
  public let displayName: String
  /// The class and its superclasses up to the root, as stored; may be empty.
  public let chain: [String]

  /// Makes a description.
  public init(name: String, displayName: String, chain: [String]) {
    self.name = name
    self.displayName = displayName
    self.chain = chain
  }
}
