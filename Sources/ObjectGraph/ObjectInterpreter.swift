// The seam between the model and the archives above it: who says what a dictionary with a class means.

import Basics

/// Gives the value of a stored dictionary in a document that is an archive.
///
/// The model calls it for every stored dictionary of such a document. An implementation must not fail:
/// what it cannot make sense of it shows as it is stored.
open class ObjectInterpreter {
  /// Makes an interpreter.
  public init() {}

  /// The value of the stored dictionary at `index` of the document numbered `document`.
  open func value(of index: UInt32, document: UInt32, in graph: ObjectGraph) -> Value {
    graph.storedValue(of: Node(document: document, index: index))
  }

  /// The class of the stored value at `index`, nil if it has none.
  open func classIndex(
    of index: UInt32, document: UInt32, in graph: ObjectGraph
  ) -> ClassIndex? { nil }

  /// What the stored value at `index` means in one line, nil if its value says it all.
  open func summary(of index: UInt32, document: UInt32, in graph: ObjectGraph) -> String? { nil }

  /// What the value at `index` was before it was changed; nil for a value as it was read.
  open func origin(of index: UInt32) -> Origin? { nil }
}

/// Opens archives that are held inside data values.
public protocol NestedReader: AnyObject {
  /// Adds the document that `bytes` hold to the graph and gives its root; nil if they hold none.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the data value.
  ///   - holder: the data value.
  /// - Throws: `ArchiveError` if the bytes begin as an archive and cannot be read as one.
  func open(
    _ bytes: UnsafeRawBufferPointer, heldBy holder: Node, in graph: ObjectGraph
  ) throws(ArchiveError) -> Node?
}
