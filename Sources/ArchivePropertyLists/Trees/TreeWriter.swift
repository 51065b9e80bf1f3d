// The walk of every text writer: stored values from the top down, with a stack of its own.

import ArchiveBasics
import ArchiveGraph

/// Walks the stored values of a document and writes them in a syntax.
struct TreeWriter<Syntax: TreeSyntax>: ~Copyable {
  /// Not a `GraphWalk`: every text that is written passes here, and a level is read as raw references.
  private struct Frame {
    let start: UnsafeRawPointer
    let count: Int
    let kind: ContainerKind
    var next = 0

    /// Where the references to values begin, behind those of the keys, and where they end.
    var values: Int { kind == .dictionary ? count : 0 }
    var end: Int { values &+ count }
  }

  /// How many values ahead of the walk the processor is asked for their bytes; 0 if they all fit into its caches.
  private let ahead: Int

  private let document: Document
  private let table: ValueTable
  private let limits: Limits
  private let visitLimit: Int
  private var syntax: Syntax
  private var stack: [Frame] = []
  /// The value at hand, for errors.
  private var current: UInt32 = 0
  private var visited = 0
  private var singles = 0
  /// The references to the keys of the last dictionary: the next one is likely to have the same.
  private var distinctKeys: ByteView?

  /// Writes a document's stored values.
  ///
  /// - Parameter end: what follows them.
  /// - Returns: the syntax with its findings, and how many reals of four bytes were written as any real.
  /// - Throws: `ArchiveError` with the path and the offset of a value that cannot be represented, or code `limit`.
  @discardableResult
  static func write(
    _ document: Document, as syntax: Syntax, end: StaticString = "\n", limits: Limits,
    to output: inout OutputBuffer
  ) throws(ArchiveError) -> (syntax: Syntax, singles: Int) {
    var writer = TreeWriter(document, syntax, limits)
    output.allow(limits.output(of: document.table.byteCount))
    do throws(ArchiveError) { try writer.run(to: &output) } catch { throw writer.located(error) }
    if !output.hasProblem, writer.visited > writer.visitLimit {
      throw ArchiveError(
        .limit, "over \(writer.visited) values: shared values multiply when they are written out")
    }
    if let error = output.endBound() { throw error }
    output.bytes.append(contentsOf: end)
    output.flushIfFull()
    return (writer.syntax, writer.singles)
  }

  private init(_ document: Document, _ syntax: Syntax, _ limits: Limits) {
    self.document = document
    self.syntax = syntax
    self.limits = limits
    table = document.table
    ahead = table.isBeyondCaches ? 16 : 0
    visitLimit = limits.expansion(of: document.table.count)
  }

  private mutating func run(to output: inout OutputBuffer) throws(ArchiveError) {
    try write(document.top, to: &output.bytes)
    while let frame = stack.last {
      let level = stack.count
      var next = frame.next
      while next < frame.count, stack.count == level, !output.hasProblem {
        if next > 0 { syntax.endItem(to: &output.bytes) }
        stack[level &- 1].next = next &+ 1
        if ahead > 0 { prefetch(frame.values &+ next &+ ahead, of: frame) }
        syntax.beginItem(isFirst: next == 0, to: &output.bytes)
        syntax.line(level, to: &output.bytes)
        try writeItem(next, of: frame, to: &output.bytes)
        next &+= 1
        output.flushIfFull()
      }
      visited &+= next &- frame.next
      if stack.count == level {
        stack.removeLast()
        if frame.count > 0 { syntax.endItem(to: &output.bytes) }
        syntax.line(level &- 1, to: &output.bytes)
        syntax.close(frame.kind, to: &output.bytes)
      }
      // Errors of the output are reported by its `finish`.
      if output.hasProblem || visited > visitLimit { return }
    }
  }

  private mutating func writeItem(
    _ position: Int, of frame: Frame, to output: inout ByteBuffer
  ) throws(ArchiveError) {
    guard frame.kind == .dictionary else {
      return try write(table.reference(frame.start, position), to: &output)
    }
    current = table.reference(frame.start, position)
    guard let text = table.text(at: current) else {
      throw ArchiveError(.unrepresentable, "\(syntax.name) allows only strings as keys")
    }
    try syntax.key(text, depth: stack.count, to: &output)
    try write(table.reference(frame.start, frame.count &+ position), to: &output)
  }

  @inline(__always)
  private mutating func write(
    _ index: UInt32, to output: inout ByteBuffer
  ) throws(ArchiveError) {
    current = index
    guard let kind = ContainerKind(marker: table.marker(of: index)) else {
      let value = table.scalar(at: index)
      if case .single = value { singles &+= 1 }
      return try syntax.scalar(value, depth: stack.count, to: &output)
    }
    let (start, count) = table.counted(index)
    if kind == .set || kind == .orderedSet, let error = syntax.refusal(of: kind) { throw error }
    if count == 0 { return output.append(contentsOf: syntax.brackets(of: kind).empty) }
    if kind == .dictionary {
      try refuseRepeatedKeys(index, start, count)
      try syntax.examine(index, in: table)
    }
    guard stack.count < limits.depth else { throw .tooDeep(limits.depth) }
    syntax.open(kind, to: &output)
    let frame = Frame(start: start, count: count, kind: kind)
    for position in frame.values..<frame.values &+ ahead { prefetch(position, of: frame) }
    stack.append(frame)
  }

  /// Asks the processor for the value at a position of a container, if there is one.
  @inline(__always)
  private func prefetch(_ position: Int, of frame: Frame) {
    if position < frame.end { table.prefetch(table.reference(frame.start, position)) }
  }

  /// Keys that were distinct before are so again.
  @inline(__always)
  private mutating func refuseRepeatedKeys(
    _ index: UInt32, _ start: UnsafeRawPointer, _ count: Int
  ) throws(ArchiveError) {
    let keys = ByteView(start: start, count: count &* table.referenceWidth)
    if let known = distinctKeys?.baseAddress, distinctKeys?.count == keys.count,
      memcmp(known, start, keys.count) == 0
    {
      return
    }
    try syntax.refuseRepeatedKeys(index, in: table)
    distinctKeys = keys
  }

  /// An error at the current location of the walk.
  private func located(_ error: ArchiveError) -> ArchiveError {
    var path = GraphPath()
    // Of a path that is deeper than anyone reads, the beginning will do.
    for frame in stack.prefix(64) where frame.next > 0 { path = path.appending(step(frame)) }
    return ArchiveError(
      error.code, error.message, offset: document.fileOffset(of: current), path: path)
  }

  private func step(_ frame: Frame) -> GraphPath.Step {
    let position = frame.next - 1
    guard frame.kind == .dictionary else { return .index(position) }
    return .key(table.text(at: table.reference(frame.start, position))?.string ?? "?")
  }
}

// MARK: - The notation of stored values in a text format

/// A format that writes stored values as a tree of text.
///
/// Its errors need no location: `TreeWriter` adds it.
protocol TreeSyntax {
  /// The format, as errors name it.
  var name: String { get }
  /// Why the format does not have such a container; nil if it does.
  func refusal(of kind: ContainerKind) -> ArchiveError?
  /// What begins, ends and represents without content a container.
  func brackets(of kind: ContainerKind) -> ContainerBrackets
  /// Begins a line at a depth of containers.
  func line(_ depth: Int, to output: inout ByteBuffer)
  /// Begins a container that has content.
  mutating func open(_ kind: ContainerKind, to output: inout ByteBuffer)
  /// Ends a container that had content.
  mutating func close(_ kind: ContainerKind, to output: inout ByteBuffer)
  /// Begins an element or a pair.
  func beginItem(isFirst: Bool, to output: inout ByteBuffer)
  /// Ends an element or a pair.
  func endItem(to output: inout ByteBuffer)
  /// Writes a key, and what parts it from its value.
  mutating func key(_ text: Text, depth: Int, to output: inout ByteBuffer) throws(ArchiveError)
  /// Looks at a dictionary that has content before it is begun.
  ///
  /// - Throws: `ArchiveError` if the format would read it as another value.
  mutating func examine(_ dictionary: UInt32, in table: ValueTable) throws(ArchiveError)
  mutating func scalar(
    _ value: Value, depth: Int, to output: inout ByteBuffer
  ) throws(ArchiveError)
}

/// The texts of a kind of container.
struct ContainerBrackets {
  let open: StaticString
  let close: StaticString
  let empty: StaticString

  @inline(__always)
  init(_ open: StaticString, _ close: StaticString, _ empty: StaticString) {
    (self.open, self.close, self.empty) = (open, close, empty)
  }
}

/// The containers that text formats distinguish.
enum ContainerKind {
  case array
  case dictionary
  case set
  case orderedSet

  /// The kind of a marker; nil for scalars.
  init?(marker: UInt8) {
    switch marker >> 4 {
    case Marker.array: self = .array
    case Marker.set: self = .set
    case Marker.orderedSet: self = .orderedSet
    case Marker.dictionary: self = .dictionary
    default: return nil
    }
  }
}

extension TreeSyntax {
  @inline(__always)
  func open(_ kind: ContainerKind, to output: inout ByteBuffer) {
    output.append(contentsOf: brackets(of: kind).open)
  }

  @inline(__always)
  func close(_ kind: ContainerKind, to output: inout ByteBuffer) {
    output.append(contentsOf: brackets(of: kind).close)
  }

  @inline(__always)
  func beginItem(isFirst: Bool, to output: inout ByteBuffer) {}

  @inline(__always)
  func endItem(to output: inout ByteBuffer) {}

  func examine(_ dictionary: UInt32, in table: ValueTable) throws(ArchiveError) {}

  /// Refuses a dictionary with the single key `CF$UID` whose value its readers would read as a UID's number.
  @inline(__always)
  func refuseLikeUID(
    _ dictionary: UInt32, in table: ValueTable, _ isNumber: (Value) -> Bool
  ) throws(ArchiveError) {
    let (start, count) = table.counted(dictionary)
    guard count == 1, table.text(at: table.reference(start, 0))?.equals("CF$UID") == true else {
      return
    }
    let value = table.reference(start, 1)
    if ContainerKind(marker: table.marker(of: value)) == nil, isNumber(table.scalar(at: value)) {
      throw unrepresentable("a dictionary of the one key 'CF$UID', which is read back as a UID")
    }
  }

  /// The error for a type that the format cannot represent.
  func unrepresentable(_ type: String, _ advice: String = "") -> ArchiveError {
    ArchiveError(
      .unrepresentable, "\(name) cannot represent \(type)" + (advice.isEmpty ? "" : "; \(advice)"))
  }
}

// MARK: - Where the next line of an indented text begins: for all that is written with indentation

extension ByteBuffer {
  /// Appends a newline and an indentation.
  ///
  /// - Parameters:
  ///   - width: how many characters the indentation has.
  ///   - mark: the character: a space, or a tab.
  @inline(__always)
  mutating func appendLine(indentedBy width: Int, of mark: UInt8 = 0x20) {
    // A word more than is needed, so that most indentations are one store.
    let pointer = reserve(width &+ 9)
    pointer.storeBytes(of: UInt8(ascii: "\n"), as: UInt8.self)
    if width <= 8 {
      let marks = 0x0101_0101_0101_0101 &* UInt64(mark)
      pointer.storeBytes(of: marks, toByteOffset: 1, as: UInt64.self)
    } else {
      (pointer + 1).initializeMemory(as: UInt8.self, repeating: mark, count: width)
    }
    filled(width &+ 1)
  }
}
