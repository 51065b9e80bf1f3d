// From one format to another, at the level of stored values: a keyed archive stays the same archive.

import Basics
import ObjectGraph
import PropertyLists
import TypedStreams

/// Writes inputs in another format, with nothing lost that the format can carry.
public struct Conversion: Sendable {
  /// The target format.
  public let target: ConversionTarget
  /// Whether JSON marks every type with tags.
  public var isTyped = false
  /// Whether JSON is on one line.
  public var isCompact = false
  /// Whether the tags of typed JSON are interpreted, not read as members of dictionaries.
  public var readsTags = true
  /// Whether the values of an archive are written as an ordinary property list.
  public var isPlain = false
  /// Whether JSON may be JSON5.
  public var allowsJSON5 = false
  /// For classes of typedstreams the keys that their values get, in turn; an empty key leaves a number.
  public var keys: [String: [String]] = [:]
  /// The bounds that hold.
  public var limits: Limits

  /// Makes a conversion.
  public init(to target: ConversionTarget, limits: Limits = Limits()) {
    self.target = target
    self.limits = limits
  }

  /// Converts an input.
  ///
  /// - Parameters:
  ///   - storage: its bytes.
  ///   - name: the input's name, from which constants in source code get theirs.
  ///   - output: where the converted bytes go.
  /// - Returns: warnings about input and result.
  /// - Throws: `ArchiveError` if the input cannot be read, or has values that the target cannot represent.
  public func run(
    _ storage: ByteStorage, name: String, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    if target == .typedStream, Formats.all.detect(storage.bytes).encoding == .typedStream {
      output.bytes.append(try TypedStreamReader.rewritten(storage.bytes, limits: limits))
      return []
    }
    let reader = ArchiveReader(limits: limits, allowsJSON5: allowsJSON5, marksWide: true)
    let graph = try reader.read(
      storage, resolving: false, nested: false, keepsGroups: false)
    // Among binary property lists alone they stay what they are.
    if target != .binary || graph.documents[0].encoding == .json {
      try WideIntegers.refuse(in: graph.root, of: graph)
    }
    var named: Set<String> = []
    var document = try values(of: graph.documents[0], &named)
    var warnings = graph.warnings + graph.decompressionWarnings
    if isPlain {
      let plain = try plain(document, reader)
      document = plain.document
      warnings += plain.warnings
    }
    let options = WritingOptions(limits: limits, isTyped: isTyped, isCompact: isCompact)
    return warnings + unused(but: named)
      + (try target.write(document, .init(options: options, name: name), &output))
  }

  /// What an unarchiver would give, as a property list.
  private func plain(
    _ document: Document, _ reader: ArchiveReader
  ) throws(ArchiveError) -> (document: Document, warnings: [ArchiveError]) {
    let graph = ObjectGraph(limits: limits)
    let number = graph.add(document)
    try KeyedArchive.resolve(document: number, in: graph)
    graph.nestedReader = reader
    let copy = try PlainCopy.copy(of: graph)
    let (fields, keys) = (copy.nilFields, copy.numberKeys)
    var warnings: [ArchiveError] = []
    if fields > 0 {
      let text = "\(Counted.text(fields, "field")) of objects left out, because nil has no form"
      warnings.append(ArchiveError(.unrepresentable, text))
    }
    if keys > 0 {
      let text = "\(Counted.text(keys, "key")) written as digits, because keys are strings"
      warnings.append(ArchiveError(.unrepresentable, text))
    }
    return (copy.document, warnings)
  }

  /// The stored values: a typedstream as a keyed archive, typed JSON with its tags interpreted.
  private func values(
    of document: Document, _ named: inout Set<String>
  ) throws(ArchiveError) -> Document {
    if document.encoding == .typedStream {
      let (archive, found) = try TypedStreamToKeyedArchive.archive(of: document, keys: keys)
      named = found
      return archive
    }
    guard document.encoding == .json, readsTags else { return document }
    return try Self.untagged(document, limits: limits)
  }

  /// The values of typed JSON: stored values, or a keyed archive if there are objects.
  static func untagged(_ document: Document, limits: Limits) throws(ArchiveError) -> Document {
    switch TaggedJSON.kind(of: document) {
    case .plain: return document
    case .stored: return try TaggedJSON.values(of: document, limits: limits)
    case .graph: return try TaggedGraph.archive(of: document, limits: limits)
    }
  }

  /// Keys for classes without objects in the input, most likely a mistake.
  private func unused(but named: Set<String>) -> [ArchiveError] {
    keys.keys.filter { !named.contains($0) }.sorted().map {
      ArchiveError(
        .mismatch,
        "--keys names the class \($0), but the input is not a typedstream with such an object")
    }
  }

  /// The values as a keyed archive: as they are if they are one, else as its root object.
  static func archive(of document: Document, limits: Limits) throws(ArchiveError) -> Document {
    let graph = ObjectGraph(limits: limits)
    let number = graph.add(document)
    if try KeyedArchiveParts(document: number, in: graph) != nil { return document }
    return try KeyedWriter.document(graph.root, of: graph)
  }
}
