// One encoded input within a graph: the file itself, or an archive held in a data value.

import Basics

/// The header of a keyed archive.
public struct ArchiveFacts: Sendable {
  /// `$archiver`: the class of the archiver.
  public let archiver: String
  /// `$version`; 100000 in every archive known.
  public let version: Int64?
  /// The keys of `$top`, in stored order.
  public let topKeys: [String]
  /// The nodes of these keys.
  public let topNodes: [Node]
  /// The stored index of `$top`.
  public let topDictionary: UInt32
  /// The number of objects in `$objects`, including `$null`.
  public let objectCount: Int

  /// Makes the facts.
  public init(
    archiver: String, version: Int64?, topKeys: [String], topNodes: [Node], topDictionary: UInt32,
    objectCount: Int
  ) {
    self.archiver = archiver
    self.version = version
    self.topKeys = topKeys
    self.topNodes = topNodes
    self.topDictionary = topDictionary
    self.objectCount = objectCount
  }

  /// The keys of `$top` with their nodes, in stored order.
  public var tops: [(key: String, node: Node)] {
    zip(topKeys, topNodes).map { (key: $0, node: $1) }
  }
}

/// One encoded input within a graph.
public struct Document {
  /// How its bytes represent values.
  public let encoding: Encoding
  /// The stored values.
  public let table: ValueTable
  /// What keeps the table's bytes alive.
  public let storage: [ByteStorage]
  /// The position of `table.base` in the input file; nil if the values are not stored in the file in this form.
  public let fileOffset: Int?
  /// For encodings that are converted when read: the position of each value in the source text.
  public package(set) var sourceOffsets: SourceOffsets
  /// The stored top value, before any archive is resolved.
  public let top: UInt32
  /// The highest UID among the values, nil without UIDs.
  public let highestUID: UInt64?
  /// Whether integers of 16 bytes may be among the values; true unless they were looked for.
  public let mayHaveWideIntegers: Bool
  /// How deep its containers are nested at most, if its reader saw that each of them has one holder and that no data is
  /// among its values; nil if that is not known.
  package var treeDepth: Int?
  /// Whether all containers of an archive are stored: none is made of the fields of an object.
  var hasOnlyStoredContainers = false
  /// The data value with this document, nil for the input itself.
  public internal(set) var parent: Node?
  /// The header of the keyed archive, nil for other documents.
  public internal(set) var archive: ArchiveFacts?

  /// Whether the file, or the data value, is a keyed archive itself.
  public var isKeyedArchive: Bool { archive != nil && !encoding.isTranslated }

  /// Makes a document of a table that was checked.
  public init(
    encoding: Encoding, table: ValueTable, storage: [ByteStorage], fileOffset: Int?,
    sourceOffsets: SourceOffsets = .none, top: UInt32, highestUID: UInt64? = nil,
    mayHaveWideIntegers: Bool = true
  ) {
    self.mayHaveWideIntegers = mayHaveWideIntegers
    self.encoding = encoding
    self.table = table
    self.storage = storage
    self.fileOffset = fileOffset
    self.sourceOffsets = sourceOffsets
    self.top = top
    self.highestUID = highestUID
  }

  /// The position in the input file of bytes of a stored data value; nil if they are not stored there in this form.
  public func fileOffset(ofBytes bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let place = base - table.base
    if let fileOffset { return fileOffset + place }
    // A typedstream's values are copies with their own positions; those of a text are encoded there.
    guard encoding.traits.contains(.verbatimData), !sourceOffsets.isEmpty,
      (0..<table.byteCount).contains(place)
    else { return nil }
    // Values were added one after the other.
    var (low, high) = (0, table.count)
    while low < high {
      let middle = (low + high) / 2
      if table.offset(of: UInt32(truncatingIfNeeded: middle)) <= place {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return sourceOffsets[low - 1]
  }

  /// The position of a stored value in the input file, if it has one.
  public func fileOffset(of index: UInt32) -> Int? {
    if let fileOffset { return fileOffset + table.offset(of: index) }
    return sourceOffsets[Int(index)]
  }
}
