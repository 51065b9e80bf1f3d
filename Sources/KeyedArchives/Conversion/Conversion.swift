// From one format to another, at the level of what is stored: a keyed archive stays the archive it is.

import Basics
import ObjectGraph
import PropertyLists
import TypedStreams

/// Writes inputs in another format, with nothing lost that the format can carry.
public struct Conversion: Sendable {
  /// What is written.
  public let target: ConversionTarget
  /// Whether JSON tells every type with tags.
  public var isTyped = false
  /// Whether JSON stands on one line.
  public var isCompact = false
  /// Whether the tags of typed JSON are read as what they tell, not as members of dictionaries.
  public var readsTags = true
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
  /// - Returns: what a person should know of input and result.
  /// - Throws: `ArchiveError` if the input cannot be read, or holds what the target cannot spell.
  public func run(
    _ storage: ByteStorage, name: String, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    if target == .typedStream, Sniffing.sniff(storage.bytes) == .typedStream {
      output.bytes.append(try TypedStreamReader.rewritten(storage.bytes, limits: limits))
      return []
    }
    let reader = ArchiveReader(limits: limits, allowsJSON5: allowsJSON5, marksWide: true)
    let graph = try reader.read(
      storage, resolving: false, nested: false, typedStreams: .keyed)
    // Among binary property lists alone they stay what they are.
    if target != .binary || graph.documents[0].encoding == .json {
      try WideIntegers.refuse(in: graph.root, of: graph)
    }
    var named: Set<String> = []
    let document = try values(of: graph.documents[0], &named)
    return graph.warnings + graph.decompressionWarnings + unused(but: named)
      + (try write(document, name: name, to: &output))
  }

  /// The stored values: a typedstream's as a keyed archive's, the tags of typed JSON as what they tell.
  private func values(
    of document: Document, _ named: inout Set<String>
  ) throws(ArchiveError) -> Document {
    if document.encoding == .typedStream {
      let (archive, found) = try SequentialTranscription.archive(of: document, keys: keys)
      named = found
      return archive
    }
    guard document.encoding == .json, readsTags else { return document }
    return try Self.untagged(document, limits: limits)
  }

  /// What typed JSON tells: stored values, or a keyed archive where there are objects.
  static func untagged(_ document: Document, limits: Limits) throws(ArchiveError) -> Document {
    switch TypedJSON.kind(of: document) {
    case .plain: return document
    case .stored: return try TypedJSON.values(of: document, limits: limits)
    case .graph: return try TypedGraph.archive(of: document, limits: limits)
    }
  }

  /// Keys that were given for classes that the input has no objects of, most likely by a slip.
  private func unused(but named: Set<String>) -> [ArchiveError] {
    keys.keys.filter { !named.contains($0) }.sorted().map {
      ArchiveError(
        .mismatch, "--keys names the class \($0), but the input is no typedstream that holds one")
    }
  }

  /// Writes values in the target's format.
  ///
  /// - Returns: what will not be read back as it was.
  private func write(
    _ document: Document, name: String, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    switch target {
    case .binary: try writeBinary(document, to: &output)
    case .keyedArchive: try writeBinary(archive(of: document), to: &output)
    case .xml:
      let lost = try XMLWriter.write(document, limits: limits, to: &output)
      return Self.lost(lost.fractions) + Self.widened(lost.singles, in: "XML")
    case .json where isTyped: try writeTyped(document, to: &output)
    case .json:
      let lost = try StrictJSONWriter.write(
        document, isCompact: isCompact, limits: limits, to: &output)
      return Self.mistaken(lost.tagLike) + Self.widened(lost.singles, in: "plain JSON")
    case .swift:
      try LiteralWriter.write(document, in: .swift, name: name, limits: limits, to: &output)
    case .objectiveC:
      try LiteralWriter.write(document, in: .objectiveC, name: name, limits: limits, to: &output)
    case .typedStream: try writeTypedStream(document, to: &output)
    case .openStep:
      let singles = try OpenStepWriter.write(document, limits: limits, to: &output)
      return Self.widened(singles, in: "an OpenStep property list")
    }
    return []
  }

  private func writeBinary(
    _ document: Document, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    let canonical = try TableCopy.canonical(document, limits: limits)
    output.bytes.append(BinaryWriter.write(canonical))
  }

  private func writeTyped(
    _ document: Document, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    let graph = ObjectGraph(limits: limits)
    let number = graph.add(document)
    let options = JSONWriter.Options(isTyped: true, isCompact: isCompact)
    try JSONWriter.write(graph.root(of: number), of: graph, options: options, to: &output)
  }

  private func writeTypedStream(
    _ document: Document, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    let graph = ObjectGraph(limits: limits)
    let number = graph.add(document)
    try KeyedArchive.resolve(document: number, in: graph)
    output.bytes.append(try TypedStreamEncoder.encode(graph.root(of: number), of: graph))
  }

  /// The values as a keyed archive: as they are if they are one, else as its root object.
  private func archive(of document: Document) throws(ArchiveError) -> Document {
    let graph = ObjectGraph(limits: limits)
    let number = graph.add(document)
    if try KeyedArchiveParts(document: number, in: graph) != nil { return document }
    return try KeyedWriter.document(graph.root, of: graph)
  }

  private static func lost(_ fractions: Int) -> [ArchiveError] {
    if fractions == 0 { return [] }
    let dates = fractions == 1 ? "date" : "dates"
    return [
      ArchiveError(
        .unrepresentable, "XML has whole seconds only: \(fractions) \(dates) lost a fraction")
    ]
  }

  private static func widened(_ singles: Int, in format: String) -> [ArchiveError] {
    if singles == 0 { return [] }
    let become = singles == 1 ? "1 is read back as one" : "\(singles) are read back as ones"
    return [
      ArchiveError(
        .unrepresentable,
        "\(format) has no reals of single precision: \(become) of double precision, of the same value"
      )
    ]
  }

  private static func mistaken(_ tags: Int) -> [ArchiveError] {
    if tags == 0 { return [] }
    return [
      ArchiveError(
        .mismatch,
        "a dictionary looks like a tag of typed JSON; --no-tags reads it back as what it is")
    ]
  }
}
