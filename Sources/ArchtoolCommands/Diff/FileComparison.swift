// Compares the values of two files and writes the differences.

import ArchiveBasics
import ArchiveBatches
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveRendering
import ArchiveWriting
import CommandLineInterface
import KeyedArchives

extension [Difference.Kind: Int] {
  /// The counts in words: `2 changed, 1 added`.
  fileprivate var text: String {
    let kinds: [(Difference.Kind, String)] = [
      (.changed, "changed"), (.changedClass, "of another class"), (.storage, "stored differently"),
      (.sharing, "shared differently"), (.key, "with another class of key"), (.added, "added"),
      (.removed, "removed"), (.moved, "moved"),
    ]
    let parts = kinds.compactMap { kind, word in
      self[kind].map { "\(Counted.number($0)) \(word)" }
    }
    return parts.isEmpty ? "no differences" : parts.joined(separator: ", ")
  }
}

/// Writes lines of differences up to a number, and counts those that are left out.
private struct LineBound {
  private var room: Int
  private var hidden = 0
  private var counts: [Difference.Kind: Int] = [:]

  init(_ most: Int) { room = most }

  /// Writes as many lines of a difference as there is room for.
  mutating func append(
    _ text: ByteView, _ kind: Difference.Kind, to output: inout OutputBuffer
  ) {
    let lines = text.split(separator: UInt8(ascii: "\n"))
    for line in lines.prefix(room) {
      output.bytes.append(ByteView(rebasing: line))
      output.bytes.append(UInt8(ascii: "\n"))
    }
    if lines.count > room {
      hidden += lines.count - room
      counts[kind, default: 0] += 1
    }
    room -= min(room, lines.count)
  }

  /// What was left out; nil if nothing was.
  var summary: String? {
    hidden == 0 ? nil : "… \(Counted.text(hidden, "more line")): \(counts.text)"
  }
}

/// Compares pairs of files as the options of `diff` say.
struct FileComparison: Sendable {
  let options: DifferenceOptions
  let format: Diff.Format
  private let arguments: ParsedArguments
  private let style: TerminalStyle
  /// How many lines are written for a pair of files; nil for all.
  private let maximumLines: Int?

  init(_ session: Session) throws {
    arguments = session.arguments
    format = arguments.choice(of: .diffFormat, as: Diff.Format.self) ?? .text
    style = session.outputStyle
    options = try Self.options(arguments)
    maximumLines = try arguments.integer(of: .maximumLines)
  }

  private static func options(_ arguments: ParsedArguments) throws(UsageError) -> DifferenceOptions
  {
    var options = DifferenceOptions()
    options.ignored = try arguments.values(of: .ignore).map(Query.query)
    if let text = arguments.value(of: .tolerance) {
      guard let number = Double(text), number >= 0, number.isFinite else {
        throw UsageError("'--tolerance' needs a number from 0 on")
      }
      options.tolerance = number
    }
    options.isExact = arguments.has(.strictComparison)
    options.key = try arguments.value(of: .keyBy).map(ValuePath.init(operand:))
    return options
  }

  /// Writes that two files, or archives, are no pair whose values can be compared, and counts it.
  ///
  /// - Parameters:
  ///   - line: what a person reads.
  ///   - old: the name of the old one; nil if there is only a new one.
  ///   - new: the name of the new one; nil if there is only an old one.
  func tell(_ line: String, _ old: String?, _ new: String?, _ writer: ResultWriter) {
    let kind = old == nil ? Difference.Kind.added : new == nil ? .removed : .changed
    writer.count([kind: 1])
    if isSilent { return }
    if format == .json {
      var item = JSONLine()
      item.add("kind", kind.rawValue)
      if let old { item.add("oldFile", old.shownPath) }
      if let new { item.add("newFile", new.shownPath) }
      return writer.add(item: item.end())
    }
    writer.write { $0.append(escapedLine: line) }
  }

  /// Whether only the exit status or counts are wanted.
  private var isSilent: Bool { arguments.has(.quietDiff) || arguments.has(.stat) }

  /// Compares two files and writes their differences.
  ///
  /// - Parameter header: a line before the first difference.
  func compare(
    _ old: Input, _ storage: ByteStorage, _ new: Input, _ streams: StandardStreams,
    _ writer: ResultWriter, header: String? = nil
  ) throws(ArchiveError) {
    let one: ObjectGraph
    let two: ObjectGraph
    let other: ByteStorage
    do throws(ArchiveError) {
      other = try new.open(streams)
    } catch {
      return writer.report(error, file: new.name)
    }
    // A patch of two typedstreams has what an edit replaces.
    let encodings = [storage, other].map { Formats.all.detect($0.bytes).encoding }
    let forEditing = format == .jsonPatch && encodings[0] == encodings[1]
    one = try read(storage, old, writer, forEditing: forEditing)
    do throws(ArchiveError) {
      two =
        haveSameBytes(storage.bytes, other.bytes)
        ? one : try read(other, new, writer, forEditing: forEditing)
    } catch {
      return writer.report(error, file: new.name)
    }
    try compare(one, two, (old.name, new.name), writer, header: header)
  }

  /// Writes all values of a file that has no other version.
  func show(
    _ input: Input, _ streams: StandardStreams, _ writer: ResultWriter, isAdded: Bool
  ) throws(ArchiveError) {
    let graph = try read(try input.open(streams), input, writer)
    let text = DifferenceText(old: graph, new: graph, style: style)
    var bound = maximumLines.map(LineBound.init)
    try writer.write { (output) throws(ArchiveError) in
      try append(isAdded ? .added(graph.root) : .removed(graph.root), text, &bound, to: &output)
    }
    write(bound, writer)
  }

  /// Writes a difference as far as there is room for it.
  private func append(
    _ difference: Difference, _ text: DifferenceText, _ bound: inout LineBound?,
    to output: inout OutputBuffer
  ) throws(ArchiveError) {
    if bound == nil { return try text.append(difference, to: &output) }
    var lines = OutputBuffer(descriptor: nil)
    try text.append(difference, to: &lines)
    bound?.append(lines.bytes.bytes, difference.kind, to: &output)
  }

  private func write(_ bound: LineBound?, _ writer: ResultWriter) {
    if let summary = bound?.summary { writer.write { $0.bytes.append(style.bold(summary) + "\n") } }
  }

  /// Reads a file as far as it is compared.
  func read(
    _ storage: ByteStorage, _ input: Input, _ writer: ResultWriter, forEditing: Bool = false
  ) throws(ArchiveError) -> ObjectGraph {
    let graph = try arguments.reader(forEditing: forEditing).read(storage)
    writer.post(Session.messages(of: graph, input, storage))
    // Tags that make no sense are members like any others.
    guard graph.documents[0].encoding == .json, let values = try? graph.untagged() else {
      return graph
    }
    values.nestedReader = graph.nestedReader
    return values
  }

  /// Compares the values of two files and writes their differences.
  ///
  /// - Parameter header: a line before the first difference.
  func compare(
    _ old: ObjectGraph, _ new: ObjectGraph, _ names: (old: String, new: String),
    _ writer: ResultWriter, header: String? = nil
  ) throws(ArchiveError) {
    // Files of the same bytes are one graph.
    if old === new, format != .jsonPatch { return }
    if format == .jsonPatch {
      return try writePatch(old, new, writer)
    }
    var counts: [Difference.Kind: Int] = [:]
    defer { writer.count(counts) }
    let text = DifferenceText(old: old, new: new, style: style)
    var isFirst = true
    var bound = maximumLines.map(LineBound.init)
    try Difference.report(between: old, and: new, options: options) {
      (difference) throws(ArchiveError) in
      counts[difference.kind, default: 0] += 1
      if isSilent { return }
      if format == .json {
        writer.add(item: try JSONLine.difference(difference, old, new, names))
        return
      }
      let isBeginning = isFirst
      isFirst = false
      try writer.write { (output) throws(ArchiveError) in
        if isBeginning, let header { output.bytes.append(style.bold(header.escapedLine) + "\n") }
        try append(difference, text, &bound, to: &output)
      }
    }
    write(bound, writer)
  }

  private func writePatch(
    _ old: ObjectGraph, _ new: ObjectGraph, _ writer: ResultWriter
  ) throws(ArchiveError) {
    let count = try writer.write { (output) throws(ArchiveError) in
      try PatchWriter.write(from: old, to: new, options: options, to: &output)
    }
    if count > 0 { writer.count([.changed: 1]) }
  }

  /// Writes what follows the differences of all pairs, and sets the exit status.
  func end(_ session: Session) {
    if format == .json, !isSilent { session.endItems() }
    if arguments.has(.stat) { session.output.bytes.append(session.differences.text + "\n") }
    if !session.differences.isEmpty { session.merge(.answerIsNo) }
  }
}

extension JSONLine {
  /// A difference: `{"kind": …, "oldFile": …, "newFile": …, "oldPath": …, "old": …}`.
  fileprivate static func difference(
    _ difference: Difference, _ old: ObjectGraph, _ new: ObjectGraph,
    _ names: (old: String, new: String)
  ) throws(ArchiveError) -> [UInt8] {
    var line = JSONLine()
    line.add("kind", difference.kind.rawValue)
    line.add("oldFile", names.old.shownPath)
    line.add("newFile", names.new.shownPath)
    try line.add(difference.oldSide, of: old, "old", difference.kind, difference.stored?.old)
    try line.add(difference.newSide, of: new, "new", difference.kind, difference.stored?.new)
    if difference.otherPaths > 0 {
      try line.add("otherPaths") { $0.bytes.append("\(difference.otherPaths)\n") }
    }
    return line.end()
  }

  private mutating func add(
    _ value: Difference.Side?, of graph: ObjectGraph, _ side: String, _ kind: Difference.Kind,
    _ stored: String?
  ) throws(ArchiveError) {
    guard let value else { return }
    add("\(side)Path", value.path.normalized)
    switch kind {
    case .moved: return
    case .changedClass, .key: add("\(side)Class", stored)
    case .storage, .sharing: add(side, stored)
    case .added, .removed, .changed:
      if let reference = value.reference {
        try add(side) {
          $0.bytes.append("{\"$ref\": ")
          JSONText.append(reference.normalized, to: &$0.bytes)
          $0.bytes.append("}\n")
        }
      } else {
        let references = value.references
        try add(
          side, value.node, of: graph,
          reference: references.map { find in { find($0)?.normalized } })
      }
    }
  }
}

extension ObjectGraph {
  func className(of node: Node) -> String? {
    classIndex(of: node).map { classes[$0].displayName }
  }
}
