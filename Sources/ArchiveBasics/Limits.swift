// Bounds on what one input may cost, with defaults that no honest file meets.

/// Bounds on depth, counts, output and threads, which hold while an archive is read and shown.
public struct Limits: Sendable {
  /// How deep containers may be nested.
  package var depth: Int
  /// How deep archives may be nested in data values.
  package var nesting: Int
  /// How many nodes the expansion of a graph into a tree may visit; nil for a number that grows with the input (`expansion`).
  package var expandedNodes: Int?
  /// The number of bytes that may be spent on derived values, such as the runs of strings; nil for a number that
  /// grows with the input.
  package var derivedBytes: Int?
  /// How many bytes the expansion of a graph into a tree may write.
  package var outputBytes: Int
  /// How many bytes may come out of compressed data.
  package var inflatedBytes: Int
  /// How many threads may read or write one input; there are never more than processors.
  package var threads: Int
  /// Whether small inputs are read and written as large ones are, with several threads however few processors there
  /// are: for tests of that.
  package var dividesAll = false

  /// Makes limits; each has a default.
  package init(
    depth: Int = 10_000,
    nesting: Int = 32,
    expandedNodes: Int? = nil,
    derivedBytes: Int? = nil,
    outputBytes: Int = 1 << 36,
    inflatedBytes: Int = 1 << 31,
    threads: Int = 1
  ) {
    self.depth = depth
    self.nesting = nesting
    self.expandedNodes = expandedNodes
    self.derivedBytes = derivedBytes
    self.outputBytes = outputBytes
    self.inflatedBytes = inflatedBytes
    self.threads = threads
  }

  /// How many threads an input gets that is worth it.
  ///
  /// It is computed on demand, since counting processors takes longer than most files.
  package var threadCount: Int {
    dividesAll || threads < 2 ? threads : min(threads, ProcessorCount.available)
  }

  /// How many bytes may come out of all compressed data in an input of a size.
  ///
  /// Compressed property lists shrink to a fiftieth at most; one that shrinks to a thousandth has no content, and
  /// reading it takes several times its size in addition.
  package func inflation(of byteCount: Int) -> Int {
    let (bytes, overflow) = byteCount.multipliedReportingOverflow(by: 64)
    return overflow ? inflatedBytes : min(inflatedBytes, bytes + min(inflatedBytes, 1 << 23))
  }

  /// How many bytes may be written of an input of a size: long texts that are shared multiply when they are shown.
  package func output(of byteCount: Int) -> Int {
    let (bytes, overflow) = byteCount.multipliedReportingOverflow(by: 128)
    return overflow ? outputBytes : min(outputBytes, bytes + 1 << 26)
  }

  /// How many nodes the expansion of some stored values into a tree may visit.
  ///
  /// Sharing that multiplies further is an attack: honest archives share strings, classes and a few objects.
  package func expansion(of valueCount: Int) -> Int {
    expandedNodes ?? max(2_000_000, valueCount * 64)
  }
}
