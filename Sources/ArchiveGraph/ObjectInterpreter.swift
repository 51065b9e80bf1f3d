// The interface between the model and the archives above it, which interpret dictionaries with a class.

import ArchiveBasics

/// Gives the value of a stored dictionary in a document that is an archive.
///
/// The model calls it for every stored dictionary of such a document. An implementation must not fail:
/// what it cannot interpret is shown as it is stored.
open class ObjectInterpreter {
  /// Makes an interpreter.
  public init() {}

  /// The value of the stored dictionary at `index` of the document numbered `document`.
  open func value(of index: UInt32, document: UInt32, in graph: ObjectGraph) -> Value {
    graph.storedValue(of: Node(document: document, index: index))
  }

  /// The class of the stored value at `index`, nil without a class.
  open func classIndex(
    of index: UInt32, document: UInt32, in graph: ObjectGraph
  ) -> ClassIndex? { nil }

  /// A summary of the stored value at `index` in one line, nil if its value shows everything.
  open func summary(of index: UInt32, document: UInt32, in graph: ObjectGraph) -> String? { nil }

  /// The original of the value at `index`; nil for a value as it was read.
  open func origin(of index: UInt32) -> Origin? { nil }
}

/// Opens archives that are held inside data values.
public protocol NestedReader: AnyObject {
  /// Adds the document in `bytes` to the graph and returns its root; nil if they are not a document.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the data value.
  ///   - holder: the data value.
  /// - Throws: `ArchiveError` if the bytes begin as an archive and cannot be read as one.
  func open(
    _ bytes: ByteView, heldBy holder: Node, in graph: ObjectGraph
  ) throws(ArchiveError) -> Node?
}

// MARK: - A graph that several threads read at a time

extension ObjectGraph {
  /// Lets several threads read values of this graph while a closure runs.
  ///
  /// A walk must have met all of them before: what is read for the first time may add documents and classes. A value
  /// that an archive's interpreter makes is made by one thread at a time.
  package func withSharedReading<Result>(_ body: () throws -> Result) rethrows -> Result {
    readingLock = ConditionLock(isRecursive: true)
    defer { readingLock = nil }
    return try body()
  }
}
