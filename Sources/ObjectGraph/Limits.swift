// Bounds on what one input may cost, with defaults that no honest file meets.

/// Bounds on depth, counts and output, checked while an archive is read and shown.
public struct Limits: Sendable {
  /// How many containers may lie inside one another.
  public var depth: Int
  /// How many archives may lie inside one another's data values.
  public var nesting: Int
  /// How many nodes the expansion of a graph into a tree may visit; nil for a number that grows with the input.
  public var expandedNodes: Int?
  /// How many bytes may be spent on values that no bytes spell, such as the runs of strings; nil for a number that
  /// grows with the input.
  public var derivedBytes: Int?
  /// How many bytes the expansion of a graph into a tree may write.
  public var outputBytes: Int
  /// How many bytes may come out of compressed data.
  public var inflatedBytes: Int

  /// Makes limits; each has a default.
  public init(
    depth: Int = 10_000,
    nesting: Int = 32,
    expandedNodes: Int? = nil,
    derivedBytes: Int? = nil,
    outputBytes: Int = 1 << 36,
    inflatedBytes: Int = 1 << 31
  ) {
    self.depth = depth
    self.nesting = nesting
    self.expandedNodes = expandedNodes
    self.derivedBytes = derivedBytes
    self.outputBytes = outputBytes
    self.inflatedBytes = inflatedBytes
  }
}
