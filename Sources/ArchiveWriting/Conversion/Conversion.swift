// From one format to another, at the level of stored values: a keyed archive stays the same archive.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveTypedStreams
import KeyedArchives

/// Writes inputs in another format, with nothing lost that the format can carry.
package struct Conversion: Sendable {
  /// What there is to say about a conversion that was done.
  package struct Notes: Sendable {
    /// Warnings about input and result.
    package var warnings: [ArchiveError] = []
    /// What is missing of a damaged input.
    package var losses: [ArchiveError] = []
  }

  /// The target format.
  package let target: ConversionTarget
  /// Whether JSON marks every type with tags.
  package var isTyped = false
  /// Whether JSON is on one line.
  package var isCompact = false
  /// Whether the tags of typed JSON are interpreted, not read as members of dictionaries.
  package var readsTags = true
  /// Whether the values of an archive are written as an ordinary property list.
  package var isPlain = false
  /// Whether XML has control characters, which XML 1.0 forbids and Foundation writes; nil for those of XML alone.
  package var keepsControlCharacters: Bool?
  /// Whether damaged inputs are read as far as possible.
  package var isRecovering = false
  /// Whether JSON may be JSON5.
  package var allowsJSON5 = false
  /// How many bytes of an input are before its archive or property list.
  package var skipped = 0
  /// For classes of typedstreams the keys that their values get, in turn; an empty key leaves a number.
  package var keys: [String: [String]] = [:]
  /// The bounds that hold.
  package var limits: Limits

  /// Makes a conversion.
  package init(to target: ConversionTarget, limits: Limits = Limits()) {
    self.target = target
    self.limits = limits
  }

  /// Converts an input.
  ///
  /// - Parameters:
  ///   - storage: its bytes.
  ///   - name: the input's name, from which constants in source code get theirs.
  ///   - isConsumed: whether nobody needs the bytes afterwards, so that they may be given back while they are read; they are
  ///     complete if this throws, or returns anything that names a position in them.
  ///   - output: where the converted bytes go.
  /// - Returns: warnings, and what is missing of a damaged input.
  /// - Throws: `ArchiveError` if the input cannot be read, or has values that the target cannot represent.
  package func run(
    _ storage: ByteStorage, name: String, isConsumed: Bool = false, to output: inout OutputBuffer
  ) throws(ArchiveError) -> Notes {
    let notes: Notes
    do throws(ArchiveError) {
      notes = try convert(storage, name: name, givingBack: isConsumed, to: &output)
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
    if target == .typedStream, skipped == 0,
      Formats.all.detect(storage.bytes).encoding == .typedStream
    {
      output.bytes.append(try TypedStreamReader.rewritten(storage.bytes, limits: limits))
      return Notes()
    }
    let reader = ArchiveReader(
      limits: limits, recovering: isRecovering, allowsJSON5: allowsJSON5, marksWide: true,
      skipping: skipped)
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
    let changes = [
      (copy.nilFields, "field", "of objects left out, because nil has no form"),
      (copy.numberKeys, "key", "written as digits, because keys are strings"),
    ]
    notes.losses += graph.losses
    for (count, noun, text) in changes where count > 0 {
      notes.warnings.append(
        ArchiveError(.unrepresentable, "\(Counted.text(count, noun)) \(text)"))
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
  package static func untagged(_ document: Document, limits: Limits) throws(ArchiveError)
    -> Document
  {
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
  package static func archive(of document: Document, limits: Limits) throws(ArchiveError)
    -> Document
  {
    let graph = ObjectGraph(limits: limits)
    let number = graph.add(document)
    if try KeyedArchiveParts(document: number, in: graph) != nil { return document }
    return try KeyedWriter.document(graph.root, of: graph)
  }
}

// MARK: - The formats that a property list or an archive can be written in

/// The targets of `convert`: a format of the table, or one for people and for keyed archives.
package struct ConversionTarget: RawRepresentable, CaseIterable, Sendable {
  /// Writes values; gives what will not be read back as it was.
  typealias Writer =
    @Sendable (_ document: Document, _ request: Request, _ output: inout OutputBuffer)
    throws(ArchiveError) -> [ArchiveError]

  /// The writer of a target.
  struct Request {
    let options: WritingOptions
    /// The input's name, from which constants in source code get theirs.
    let name: String
  }

  /// What `--to` calls it.
  package let rawValue: String
  /// Whether the format is for people to read and for terminals to show.
  package let isText: Bool
  let write: Writer

  /// Other names of targets, which other programs have for them.
  package static let aliases = [
    "xml": "xml1", "binary": "binary1", "bplist": "binary1", "strings": "openstep",
  ]

  /// Finds a target by its name.
  package init?(rawValue: String) {
    guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = found
  }

  private init(_ rawValue: String, isText: Bool, _ write: @escaping Writer) {
    self.rawValue = rawValue
    self.isText = isText
    self.write = write
  }

  private init(_ format: any PropertyListFormat.Type) {
    self.init(format.targetName ?? format.word, isText: format.encoding.isText) {
      (document, request, output) throws(ArchiveError) in
      try format.write(document, request.options, to: &output)
    }
  }

  private init(_ rawValue: String, in language: LiteralSyntax) {
    self.init(rawValue, isText: true) { (document, request, output) throws(ArchiveError) in
      try LiteralWriter.write(
        document, in: language, name: request.name, limits: request.options.limits, to: &output)
      return []
    }
  }

  /// A binary property list.
  package static let binary = ConversionTarget(BinaryFormat.self)
  /// An XML property list.
  package static let xml = ConversionTarget(XMLFormat.self)
  /// An OpenStep property list, with GNUstep's types for those that OpenStep lacks.
  package static let openStep = ConversionTarget(OpenStepFormat.self)
  /// JSON.
  package static let json = ConversionTarget(JSONFormat.self)
  /// A Swift literal.
  package static let swift = ConversionTarget("swift", in: .swift)
  /// An Objective-C literal.
  package static let objectiveC = ConversionTarget("objc", in: .objectiveC)
  /// A keyed archive, as a binary property list.
  package static let keyedArchive = ConversionTarget("keyed-archive", isText: false) {
    (document, request, output) throws(ArchiveError) in
    let archive = try Conversion.archive(of: document, limits: request.options.limits)
    return try BinaryFormat.write(archive, request.options, to: &output)
  }
  /// A typedstream.
  package static let typedStream = ConversionTarget(TypedStreamFormat.self)

  /// All targets: those of property lists, literals, and those of archives.
  package static let allCases: [ConversionTarget] = {
    let written = Formats.all.list.filter { $0.targetName != nil }
    let lists = written.prefix { Formats.propertyLists[$0.encoding] != nil }
    return lists.map { ConversionTarget($0) } + [swift, objectiveC, keyedArchive]
      + written[lists.endIndex...].map { ConversionTarget($0) }
  }()
}

extension ConversionTarget: Hashable {
  /// Whether two targets have one name.
  package static func == (left: ConversionTarget, right: ConversionTarget) -> Bool {
    left.rawValue == right.rawValue
  }

  /// Hashes the name.
  package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

// MARK: - The parts that every keyed archive has, added to a table that is being built

extension GraphBuilder {
  /// Adds a class record.
  ///
  /// - Parameters:
  ///   - name: `$classname`.
  ///   - chain: `$classes`; left out if it is empty, as archivers do under a mapped name.
  ///   - hints: `$classhints`; left out if it is empty.
  ///   - versions: `$versions`; left out if it is empty.
  mutating func classRecord(
    _ name: String, chain: [String], hints: [String] = [], versions: [Int64] = []
  ) -> UInt32 {
    var members = [("$classname", add(name))]
    if !chain.isEmpty { members.append(("$classes", add(list: chain.map { add($0) }))) }
    if !hints.isEmpty { members.append(("$classhints", add(list: hints.map { add($0) }))) }
    if !versions.isEmpty { members.append(("$versions", add(list: versions.map { add($0) }))) }
    return add(members: members)
  }

  /// Begins an object with some fields; its class follows.
  mutating func open(_ fields: [(String, UInt32)]) {
    open()
    for (key, value) in fields {
      append(add(key))
      append(value)
    }
  }

  /// Ends building with the outermost dictionary of a keyed archive.
  ///
  /// - Parameters:
  ///   - objects: the stored objects, `$null` first.
  ///   - tops: the top-level keys with their stored values.
  package consuming func finish(
    archive objects: [UInt32], tops: [(String, UInt32)], archiver: String = "NSKeyedArchiver",
    version: Int64 = 100_000
  ) -> Document {
    let table = add(list: objects)
    let top = add(members: tops)
    let archive = add(members: [
      ("$version", add(version)), ("$archiver", add(archiver)), ("$top", top),
      ("$objects", table),
    ])
    return finish(top: archive)
  }
}

// MARK: - Integers of over 64 bits, which a migration or a conversion would round or cut off

/// Finds integers that no envelope writes.
package enum WideIntegers {
  /// Throws at the first integer of a model that takes over 64 bits.
  ///
  /// - Throws: `ArchiveError` with code `unrepresentable` and its path.
  package static func refuse(in root: Node, of graph: ObjectGraph) throws(ArchiveError) {
    guard graph.documents.contains(where: { $0.mayHaveWideIntegers && has($0.table) }) else {
      return
    }
    var known = NodeSet(in: graph)
    var walk = GraphWalk<GraphContainer>(in: graph)
    try look(at: root, &known, &walk)
    while let event = walk.next() {
      if case .child(let node, _, _) = event { try look(at: node, &known, &walk) }
    }
  }

  private static func look(
    at node: Node, _ known: inout NodeSet, _ walk: inout GraphWalk<GraphContainer>
  ) throws(ArchiveError) {
    let graph = walk.context
    let value = graph.value(of: node)
    if case .wide = value {
      throw ArchiveError(
        .unrepresentable, "the integer has more than 64 bits and would change",
        offset: graph.fileOffset(of: node), path: walk.path)
    }
    // Only containers are recorded: they may occur again.
    if let container = GraphContainer(value, keys: true), known.insert(node) {
      walk.enter(container)
    }
  }

  private static func has(_ table: ValueTable) -> Bool {
    (0..<UInt32(truncatingIfNeeded: table.count)).contains {
      if table.marker(of: $0) == 0x14, case .wide = table.scalar(at: $0) { true } else { false }
    }
  }
}
