// A node is a number without a heap object.

/// A value in an `ObjectGraph`: which document it is stored in, and its index there.
///
/// Two nodes are equal exactly when they are the same stored value, so identity survives:
/// a shared reference is one node, and a cycle leads back to an earlier node.
@frozen
public struct Node: Hashable, Sendable {
  /// The document's number within the graph; 0 is the input itself, others are nested in it.
  public let document: UInt32
  /// The index of the value within the document's table.
  public let index: UInt32

  /// Makes a node from its numbers.
  @inlinable
  public init(document: UInt32, index: UInt32) {
    self.document = document
    self.index = index
  }
}
