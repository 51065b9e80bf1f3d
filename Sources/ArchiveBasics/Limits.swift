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
  /// Which inputs the fast paths for large ones handle.
  package var largeInputs = LargeInputPolicy.bySize

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
    threads < 2 ? threads : largeInputs.threads(atMost: threads)
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

/// Which inputs the fast paths for large ones handle: they ask it for their bounds, and none of them knows about tests.
package enum LargeInputPolicy: Sendable {
  /// Those that are large enough to gain.
  case bySize
  /// All, by several threads however few processors there are: for tests with small inputs.
  case all

  /// How many threads an input gets that may have so many.
  func threads(atMost most: Int) -> Int {
    self == .all ? most : min(most, ProcessorCount.available)
  }

  /// How many bytes a typedstream has at least that two threads read.
  package var streamBytes: Int { self == .all ? 0 : 1 << 22 }

  /// How many groups and values of a typedstream one thread hands to the other at a time.
  package var streamBatch: Int { self == .all ? 16 : 1 << 13 }

  /// How much JSON of a container one thread writes before others help.
  ///
  /// The values of a binary list are read from the file itself, as fast as they can be written: several threads would save
  /// little time, and take a quarter more processor time.
  ///
  /// - Parameter valueCount: how many values are stored.
  package func textForOneThread(_ valueCount: Int, isBinary: Bool) -> Int {
    if self == .all { return 0 }
    return isBinary || valueCount <= 1 << 16 ? .max : 1 << 20
  }

  /// How many elements of a list a thread writes as JSON at a time, and how much text it keeps.
  package var jsonPart: (elements: Int, text: Int) {
    self == .all ? (1, 1 << 17) : (1 << 12, 1 << 22)
  }

  /// Whether the values of a container are looked up before they are written.
  package func looksUp(beyondCaches isBeyondCaches: Bool) -> Bool { self == .all || isBeyondCaches }

  /// Whether the order of an archive's objects may show that it has no cycles.
  ///
  /// Where several threads may write what was read, a walk has to open all that they share.
  package var usesForwardOrder: Bool { self == .bySize }
}
