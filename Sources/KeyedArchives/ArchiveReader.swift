// From bytes to a graph: the encoding is detected by content, archives are resolved, nested ones on demand.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

/// Reads inputs of every encoding into graphs.
package final class ArchiveReader: NestedReader {
  /// The limits for reading.
  package let limits: Limits
  private let classes: RegisteredClasses
  /// What goes to each format's reader.
  private let options: ReadingOptions
  /// How many bytes of an input are before its archive.
  private let skipped: Int
  /// Whether damaged inputs are read as far as they go.
  private var isRecovering: Bool { options.isRecovering }

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - recovering: whether damaged inputs are read as far as possible; `ObjectGraph.losses` describes what is
  ///     missing then, and the key `$lost` marks its location.
  ///   - allowsJSON5: whether JSON may be JSON5.
  ///   - keepsPositions: whether equal values of XML and JSON stay distinct by their positions, for reports that name
  ///     them; without it they are one value, as in binary property lists.
  ///   - marksWide: whether integers of more than 64 bits in JSON are distinguished from reals; without it they are reals.
  ///   - warnsOfEqualKeys: whether two equal strings as keys of a dictionary are a warning.
  ///   - forEditing: whether the input will be written again: objects of typedstreams stay groups of values that are not
  ///     written as they are.
  ///   - skipped: how many bytes of an input are before its archive or property list.
  ///   - classes: classes of the application, whose objects have the values that these give.
  package init(
    limits: Limits = Limits(), recovering: Bool = false, allowsJSON5: Bool = false,
    keepsPositions: Bool = false, marksWide: Bool = false, warnsOfEqualKeys: Bool = false,
    forEditing: Bool = false, skipping skipped: Int = 0, classes: [any ClassFamily.Type] = []
  ) {
    self.classes = RegisteredClasses(classes)
    self.skipped = skipped
    self.limits = limits
    var options = ReadingOptions()
    options.limits = limits
    options.isRecovering = recovering
    options.allowsJSON5 = allowsJSON5
    options.keepsPositions = keepsPositions
    options.marksWide = marksWide
    options.warnsOfEqualKeys = warnsOfEqualKeys
    options.isForEditing = forEditing
    self.options = options
  }

  /// Reads an input.
  ///
  /// - Parameters:
  ///   - storage: its bytes.
  ///   - resolving: whether keyed archives are resolved; without it the graph has the stored values.
  ///   - nested: whether archives in data values are decoded on demand.
  ///   - keepsGroups: whether all objects of typedstreams are groups of values; nil for what goes with `resolving`.
  ///   - givingBack: whether the storage may give back bytes that the graph does not need; then nobody may look at them
  ///     before `ByteStorage.restore`. If this throws, they are complete.
  /// - Returns: a graph whose `root` is the input's root.
  /// - Throws: `ArchiveError` at the first fault.
  package func read(
    _ storage: ByteStorage, resolving: Bool = true, nested: Bool = true,
    keepsGroups: Bool? = nil, givingBack: Bool = false
  ) throws(ArchiveError) -> ObjectGraph {
    let graph = ObjectGraph(limits: limits)
    graph.inflationAllowance = limits.inflation(of: storage.bytes.count)
    guard skipped <= storage.bytes.count else {
      throw ArchiveError(
        .truncated,
        "the input has \(Counted.text(storage.bytes.count, "byte")), of which \(skipped) cannot be skipped"
      )
    }
    let document = try decode(
      storage.bytes.part(from: skipped), storage: [storage], fileOffset: skipped,
      keepsGroups: keepsGroups ?? !resolving, givingBack: givingBack && !isRecovering, in: graph)
    _ = try add(document, parent: nil, resolving: resolving, to: graph)
    InputProgress.endDecoding()
    if nested { graph.nestedReader = self }
    return graph
  }

  /// Reads an input whose bytes nobody needs afterwards: they may be given back while they are read.
  ///
  /// They are complete if this throws, or if the graph has warnings or losses, which name places in them. Whoever
  /// needs them all the same restores them (`ByteStorage.restore`).
  package func read(
    consuming storage: ByteStorage, resolving: Bool, nested: Bool
  ) throws(ArchiveError) -> ObjectGraph {
    let graph = try read(storage, resolving: resolving, nested: nested, givingBack: true)
    if !graph.warnings.isEmpty || !graph.losses.isEmpty { try storage.restore() }
    return graph
  }

  /// Decodes the content of a data value, if it begins like a property list.
  package func open(
    _ bytes: ByteView, heldBy holder: Node, in graph: ObjectGraph
  ) throws(ArchiveError) -> Node? {
    var isArchive = false
    do {
      let document: Document
      if Formats.isCompressed(bytes) {
        // Anything else stays data.
        guard let contents = try nested(in: bytes, fileOffset: nil, graph) else { return nil }
        document = try decode(
          contents.storage.bytes, storage: [contents.storage], fileOffset: nil, in: graph)
      } else {
        guard Formats.all.looksNested(bytes) else { return nil }
        let offset = graph.document(of: holder).fileOffset(ofBytes: bytes)
        document = try decode(bytes, storage: [], fileOffset: offset, in: graph)
      }
      // Only archives can be wrong in other respects than their encoding.
      isArchive = !document.encoding.isLaidOutAsArchive
      return graph.root(of: try add(document, parent: holder, to: graph))
    } catch {
      throw error.inside(isArchive ? ObjectGraph.archiveKind : Formats.all.detect(bytes).name)
    }
  }

  /// Decodes the content of a value whose layers were taken off.
  ///
  /// - Throws: `ArchiveError` if it cannot be decoded, or is nested too deep.
  package func open(
    _ content: ByteStorage, heldBy holder: Node, in graph: ObjectGraph
  ) throws(ArchiveError) -> Node {
    guard graph.nesting(of: holder.document) < limits.nesting else {
      throw ArchiveError(.limit, "archives are nested more than \(limits.nesting) levels deep")
    }
    let document = try decode(content.bytes, storage: [content], fileOffset: nil, in: graph)
    return graph.root(of: try add(document, parent: holder, to: graph))
  }

  /// Decompresses a data value if its content would be opened; nil for any other.
  package func nested(
    in bytes: ByteView, fileOffset: Int?, _ graph: ObjectGraph
  ) throws(ArchiveError) -> GzipReader.Contents? {
    let contents = try inflate(bytes, fileOffset: fileOffset, in: graph) {
      Formats.all.looksNested($0)
    }
    return Formats.all.looksNested(contents.storage.bytes) ? contents : nil
  }

  /// Decompresses bytes; all that comes out of an input has one allowance.
  private func inflate(
    _ bytes: ByteView, fileOffset: Int?, in graph: ObjectGraph,
    isWanted: (ByteView) -> Bool = { _ in true }
  ) throws(ArchiveError) -> GzipReader.Contents {
    let contents: GzipReader.Contents
    do throws(ArchiveError) {
      contents = try GzipReader.read(
        bytes, fileOffset: fileOffset, limit: graph.inflationAllowance, recovering: isRecovering,
        isWanted: isWanted)
    } catch {
      // If the budget is spent, it must not be tried again for each data value.
      if error.code == .limit { graph.inflationAllowance = 0 }
      throw error
    }
    if let loss = contents.loss { graph.losses.append(loss) }
    graph.inflationAllowance -= contents.storage.bytes.count
    return contents
  }

  /// Decodes what bytes with a wrapping hold.
  ///
  /// If they are not in the input as they are, offsets refer to the content from here on; commands that print offsets say so.
  private func decode(
    _ bytes: ByteView, in wrapping: Wrapping, storage: [ByteStorage],
    fileOffset: Int?, keepsGroups: Bool, in graph: ObjectGraph
  ) throws(ArchiveError) -> Document {
    let content = try unwrap(bytes, wrapping, fileOffset: fileOffset, in: graph)
    if let decoded = content.storage { graph.inflated = decoded }
    let kept = content.storage.map { [$0] } ?? storage
    graph.unwrapped = ByteStorage(owning: content.bytes.unchecked) { _ in
      withExtendedLifetime(kept) {}
    }
    do {
      return try decode(
        content.bytes, storage: kept, fileOffset: content.fileOffset(from: fileOffset),
        keepsGroups: keepsGroups, in: graph)
    } catch {
      guard let decoded = content.storage, error.offset != nil, graph.inflated === decoded else {
        throw error
      }
      let count = Counted.text(decoded.bytes.count, "byte")
      throw error.noting("; the offset is in the \(count) that the \(wrapping.noun) holds")
    }
  }

  /// The content of an input with a wrapping, which is added to those of the graph.
  ///
  /// - Throws: `ArchiveError` if it cannot be decoded, or had this wrapping before.
  func unwrap(
    _ bytes: ByteView, _ wrapping: Wrapping, fileOffset: Int?, in graph: ObjectGraph
  ) throws(ArchiveError) -> WrappedContent {
    guard !graph.wrappings.contains(wrapping) else {
      throw ArchiveError(
        .unsupported, "is \(wrapping.phrase) twice; \(wrapping.remedy)", offset: fileOffset)
    }
    graph.wrappings.append(wrapping)
    if wrapping == .gzip { return try decompress(bytes, fileOffset, in: graph) }
    do {
      return try wrapping.content(of: bytes)
    } catch {
      throw error.shifted(by: fileOffset)
    }
  }

  private func decompress(
    _ bytes: ByteView, _ fileOffset: Int?, in graph: ObjectGraph
  ) throws(ArchiveError) -> WrappedContent {
    let contents = try inflate(bytes, fileOffset: fileOffset, in: graph)
    if contents.surplus > 0 {
      graph.warnings.append(
        ArchiveError(
          .malformed,
          "\(contents.surplus) \(contents.surplus == 1 ? "byte" : "bytes") after the compressed data skipped",
          offset: fileOffset.map { $0 + bytes.count - contents.surplus }))
    }
    return WrappedContent(decoded: contents.storage)
  }

  /// Adds a document; in recovery an archive that cannot be resolved even so stays the values that it stores.
  private func add(
    _ document: Document, parent: Node?, resolving: Bool = true, to graph: ObjectGraph
  ) throws(ArchiveError) -> UInt32 {
    guard isRecovering else {
      let number = graph.add(document, parent: parent)
      if resolving { try KeyedArchive.resolve(document: number, in: graph, classes: classes) }
      return number
    }
    let sound = try DanglingUIDs.replaced(in: document, limits: limits, losses: &graph.losses)
    let number = graph.add(sound, parent: parent)
    guard resolving else { return number }
    let warnings = graph.warnings.count
    do {
      try KeyedArchive.resolve(
        document: number, in: graph, recovering: true, classes: classes)
    } catch {
      graph.losses.append(error)
    }
    graph.losses += graph.warnings[warnings...]
    graph.warnings.removeSubrange(warnings...)
    return number
  }

  /// Decodes bytes of any encoding; warnings go to the graph's warnings.
  func decode(
    _ bytes: ByteView, storage: [ByteStorage], fileOffset: Int?,
    keepsGroups: Bool = false, givingBack: Bool = false, in graph: ObjectGraph
  ) throws(ArchiveError) -> Document {
    if bytes.isEmpty { throw ArchiveError(.truncated, "the input is empty", offset: fileOffset) }
    switch Formats.all.detect(bytes) {
    case .known(let encoding):
      guard let format = Formats.all[encoding] else { throw Self.unrecognized(fileOffset) }
      var options = options
      options.keepsGroups = keepsGroups
      options.mayGiveBack = givingBack
      let reading = try format.read(
        FormatInput(bytes, storage: storage, fileOffset: fileOffset, options))
      graph.warnings += reading.warnings
      graph.losses += reading.losses
      return reading.document
    case .wrapped(let wrapping):
      return try decode(
        bytes, in: wrapping, storage: storage, fileOffset: fileOffset, keepsGroups: keepsGroups,
        in: graph)
    case .unsupported(let kind): throw unread(kind, fileOffset)
    case .unknown: throw Self.unrecognized(fileOffset)
    }
  }

  private static func unrecognized(_ offset: Int?) -> ArchiveError {
    ArchiveError(
      .unrecognized, "neither a property list (binary, XML or OpenStep), a typedstream nor JSON",
      offset: offset)
  }

  private func unread(_ kind: String, _ offset: Int?) -> ArchiveError {
    // A user who names a database needs a column of it.
    let message =
      kind == Formats.database
      ? "is a \(kind); name a column of it, as in FILE#table.column ('archtool scan' lists those with archives)"
      : "\(kind) is not read by this version"
    return ArchiveError(.unsupported, message, offset: offset)
  }
}
