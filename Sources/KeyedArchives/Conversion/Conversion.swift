// From one format to another, at the level of stored values: a keyed archive stays the same archive.

import Basics
import ObjectGraph
import PropertyLists
import TypedStreams

/// Writes inputs in another format, with nothing lost that the format can carry.
public struct Conversion: Sendable {
  /// What there is to say about a conversion that was done.
  public struct Notes: Sendable {
    /// Warnings about input and result.
    public var warnings: [ArchiveError] = []
    /// What is missing of a damaged input.
    public var losses: [ArchiveError] = []
  }

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
  /// Whether XML has control characters, which XML 1.0 forbids and Foundation writes; nil for those of XML alone.
  public var keepsControlCharacters: Bool?
  /// Whether damaged inputs are read as far as possible.
  public var isRecovering = false
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
  /// - Returns: warnings, and what is missing of a damaged input.
  /// - Throws: `ArchiveError` if the input cannot be read, or has values that the target cannot represent.
  public func run(
    _ storage: ByteStorage, name: String, to output: inout OutputBuffer
  ) throws(ArchiveError) -> Notes {
    try convert(storage, name: name, givingBack: false, to: &output)
  }

  /// Converts an input whose bytes nobody needs afterwards: they may be given back while they are read.
  ///
  /// They are complete if this throws, or returns anything that names a place in them.
  package func run(
    consuming storage: ByteStorage, name: String, to output: inout OutputBuffer
  ) throws(ArchiveError) -> Notes {
    let notes: Notes
    do throws(ArchiveError) {
      notes = try convert(storage, name: name, givingBack: true, to: &output)
    } catch {
      try storage.restore()
      throw error
    }
    if !notes.warnings.isEmpty || !notes.losses.isEmpty { try storage.restore() }
    return notes
  }

  private func convert(
    _ storage: ByteStorage, name: String, givingBack: Bool, to output: inout OutputBuffer
  ) throws(ArchiveError) -> Notes {
    if target == .typedStream, Formats.all.detect(storage.bytes).encoding == .typedStream {
      output.bytes.append(try TypedStreamReader.rewritten(storage.bytes, limits: limits))
      return Notes()
    }
    let reader = ArchiveReader(
      limits: limits, recovering: isRecovering, allowsJSON5: allowsJSON5, marksWide: true)
    let graph = try reader.read(
      storage, resolving: false, nested: false, keepsGroups: false, givingBack: givingBack)
    // In JSON they may be any number of digits; text writers refuse them themselves, with the path.
    if target == .typedStream || graph.documents[0].encoding == .json {
      try WideIntegers.refuse(in: graph.root, of: graph)
    }
    var named: Set<String> = []
    var document = try values(of: graph.documents[0], &named)
    var notes = Notes(
      warnings: graph.warnings + graph.wrappingWarnings, losses: graph.losses)
    if isPlain {
      let plain = try plain(document, reader)
      document = plain.document
      notes.warnings += plain.notes.warnings
      notes.losses += plain.notes.losses
    }
    let options = WritingOptions(
      limits: limits, isTyped: isTyped, isCompact: isCompact,
      keepsControlCharacters: keepsControlCharacters
        ?? graph.warnings.contains { $0.subject == .forbiddenCharacters })
    notes.warnings +=
      unused(but: named)
      + (try target.write(document, .init(options: options, name: name), &output))
    return notes
  }

  /// What an unarchiver would give, as a property list.
  private func plain(
    _ document: Document, _ reader: ArchiveReader
  ) throws(ArchiveError) -> (document: Document, notes: Notes) {
    let graph = ObjectGraph(limits: limits)
    let number = graph.add(document)
    graph.nestedReader = reader
    var notes = Notes()
    do {
      try KeyedArchive.resolve(document: number, in: graph, recovering: isRecovering)
    } catch {
      // What is left of it may be no archive any more; its stored values are written then.
      guard isRecovering else { throw error }
      notes.losses.append(error)
    }
    // In recovery objects that are not what their classes need keep their fields, with a warning for each.
    if isRecovering { notes.losses += graph.warnings }
    let copy = try PlainCopy.copy(of: graph)
    let (fields, keys) = (copy.nilFields, copy.numberKeys)
    notes.losses += graph.losses
    if fields > 0 {
      let text = "\(Counted.text(fields, "field")) of objects left out, because nil has no form"
      notes.warnings.append(ArchiveError(.unrepresentable, text))
    }
    if keys > 0 {
      let text = "\(Counted.text(keys, "key")) written as digits, because keys are strings"
      notes.warnings.append(ArchiveError(.unrepresentable, text))
    }
    return (copy.document, notes)
  }

  /// The stored values: a typedstream or NIBArchive as a keyed archive, typed JSON with its tags interpreted.
  private func values(
    of document: Document, _ named: inout Set<String>
  ) throws(ArchiveError) -> Document {
    if document.encoding.isLaidOutAsArchive {
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
