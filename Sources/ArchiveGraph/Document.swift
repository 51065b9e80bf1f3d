// One encoded input within a graph: the file itself, or an archive held in a data value.

import ArchiveBasics

/// The header of a keyed archive.
public struct ArchiveFacts: Sendable {
  /// `$archiver`: the class of the archiver.
  package let archiver: String
  /// `$version`; 100000 in every archive known.
  package let version: Int64?
  /// The keys of `$top`, in stored order.
  package let topKeys: [String]
  /// The nodes of these keys.
  package let topNodes: [Node]
  /// The stored index of `$top`.
  package let topDictionary: UInt32
  /// The number of objects in `$objects`, including `$null`.
  package let objectCount: Int

  /// Makes the facts.
  package init(
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
  package var tops: [(key: String, node: Node)] {
    zip(topKeys, topNodes).map { (key: $0, node: $1) }
  }
}

/// One encoded input within a graph.
public struct Document {
  /// How its bytes represent values.
  package let encoding: Encoding
  /// The stored values.
  package let table: ValueTable
  /// What keeps the table's bytes alive.
  package let storage: [ByteStorage]
  /// The position of `table.base` in the input file; nil if the values are not stored in the file in this form.
  package let fileOffset: Int?
  /// For encodings that are converted when read: the position of each value in the source text.
  package var sourceOffsets: SourceOffsets
  /// The stored top value, before any archive is resolved.
  package let top: UInt32
  /// The highest UID among the values, nil without UIDs.
  package let highestUID: UInt64?
  /// Whether integers of 16 bytes may be among the values; true unless they were looked for.
  package let mayHaveWideIntegers: Bool
  /// How deep its containers are nested at most, if its reader saw that each of them has one holder and that no data is
  /// among its values; nil if that is not known.
  package var treeDepth: Int?
  /// Whether all containers of an archive are stored: none is made of the fields of an object.
  var hasOnlyStoredContainers = false
  /// The data value with this document, nil for the input itself.
  package internal(set) var parent: Node?
  /// The header of the keyed archive, nil for other documents.
  package internal(set) var archive: ArchiveFacts?

  /// Whether the file, or the data value, is a keyed archive itself.
  package var isKeyedArchive: Bool { archive != nil && !encoding.isTranslated }

  /// Makes a document of a table that was checked.
  package init(
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
  package func fileOffset(ofBytes bytes: ByteView) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let position = base - table.base
    if let fileOffset { return fileOffset + position }
    // A typedstream's values are copies with their own positions; those of a text are encoded there.
    guard encoding.traits.contains(.verbatimData), !sourceOffsets.isEmpty,
      (0..<table.byteCount).contains(position)
    else { return nil }
    // Values were added one after the other.
    let next = (0..<table.count).firstNumber {
      table.offset(of: UInt32(truncatingIfNeeded: $0)) > position
    }
    return sourceOffsets[next - 1]
  }

  /// The position of a stored value in the input file, if it has one.
  package func fileOffset(of index: UInt32) -> Int? {
    if let fileOffset { return fileOffset + table.offset(of: index) }
    return sourceOffsets[Int(index)]
  }

  /// An error about a stored value.
  package func error(
    _ code: ArchiveError.Code, _ message: String, at index: UInt32, path: GraphPath? = nil
  ) -> ArchiveError {
    ArchiveError(code, message, offset: fileOffset(of: index), path: path)
  }
}

// MARK: - Where values stand in a text or stream that was converted when it was read

/// For each value of a document its position in the source.
public struct SourceOffsets: Sendable, Equatable {
  /// 4 bytes for each, as the machine has them.
  private let storage: ByteStorage?
  /// What finds the positions when one is asked for first; nil if they are there.
  private let search: Search?
  /// How many there are; none if positions are not known.
  public let count: Int

  /// No positions.
  package static let none = SourceOffsets()

  private init() { (storage, search, count) = (nil, nil, 0) }

  /// Takes positions of 4 bytes each.
  init(_ storage: ByteStorage) {
    count = storage.bytes.count / 4
    self.storage = storage
    search = nil
  }

  /// Makes positions that are found when one is asked for: few commands ask, and very many take memory.
  ///
  /// - Parameters:
  ///   - count: how many there are.
  ///   - find: finds them, `none` if that is not possible any more.
  package init(count: Int, find: @escaping @Sendable () -> SourceOffsets) {
    self.count = count
    storage = nil
    search = Search(find)
  }

  /// Finds positions once, for whichever thread asks first.
  private final class Search: @unchecked Sendable {
    private let lock = ConditionLock()
    private let find: @Sendable () -> SourceOffsets
    private var found: SourceOffsets?

    init(_ find: @escaping @Sendable () -> SourceOffsets) { self.find = find }

    var result: SourceOffsets {
      lock.locked {
        let result = found ?? find()
        found = result
        return result
      }
    }
  }

  /// Whether all positions are the same.
  public static func == (left: SourceOffsets, right: SourceOffsets) -> Bool {
    left.count == right.count && (0..<left.count).allSatisfy { left[$0] == right[$0] }
  }

  /// Whether positions are not known.
  package var isEmpty: Bool { count == 0 }

  /// The position of a value; nil if it is not known.
  package subscript(index: Int) -> Int? {
    guard index >= 0, index < count else { return nil }
    guard let storage else { return search?.result[index] }
    return Int(storage.bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
  }
}

// MARK: - What surrounds the bytes of an input: they are compressed, signed, or written as text

/// A form in which the bytes of a property list or archive are enclosed.
public enum Wrapping: String, Sendable, CaseIterable {
  /// gzip (RFC 1952).
  case gzip
  /// The content of a CMS signature (RFC 5652), which is not checked.
  case signature = "cms"
  /// A section of a Mach-O program.
  case program = "mach-o"
  /// Base64 (RFC 4648), also in a data URL or with the lines of PEM.
  case base64
  /// Hexadecimal digits.
  case hexadecimal

  /// How messages name it: what an input with it is, its name in a sentence, and how to get rid of it.
  private var words: (phrase: String, noun: String, remedy: String) {
    switch self {
    case .gzip: ("gzip-compressed", "compressed data", "decompress it with gunzip first")
    case .signature:
      ("signed (CMS)", "CMS message", "convert writes its content without the signature")
    case .program:
      ("in a Mach-O program", "Mach-O program", "convert writes the property list of a program")
    case .base64: ("Base64", "Base64", "decode it with base64 -d first")
    case .hexadecimal: ("hexadecimal", "hexadecimal text", "decode it with xxd -r -p first")
    }
  }

  /// What an input with it is.
  package var phrase: String { words.phrase }
  /// Its name in a sentence.
  package var noun: String { words.noun }
  /// How to get rid of it.
  package var remedy: String { words.remedy }
}

extension ObjectGraph {
  /// What an input is beside its encoding, and which bytes offsets refer to; nil for an input without wrappings.
  package var wrappingNote: String? {
    guard !wrappings.isEmpty else { return nil }
    var text = "is " + wrappings.map(\.phrase).joined(separator: ", then ")
    if wrappings.contains(.signature) { text += "; the signature is not checked" }
    if let inflated {
      text += "; offsets refer to the \(Counted.text(inflated.bytes.count, "byte")) that it holds"
    }
    return text
  }

  /// That an input with wrappings is written without them.
  package var wrappingWarnings: [ArchiveError] {
    wrappings.map {
      ArchiveError(.unrepresentable, "was \($0.phrase), and is not any more", path: GraphPath())
    }
  }
}
