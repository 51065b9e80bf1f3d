// The walk of every text writer: stored values from the top down, with a stack of its own.

import Basics
import ObjectGraph

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
  private var visited = 0
  private var singles = 0
  /// The references to the keys of the last dictionary: the next one is likely to have the same.
  private var distinctKeys: UnsafeRawBufferPointer?

  /// Writes a document's stored values.
  ///
  /// - Returns: the syntax with its findings, and how many reals of four bytes were written as any real.
  /// - Throws: `ArchiveError` with the path and the offset of a value that cannot be represented, or code `limit`.
  @discardableResult
  static func write(
    _ document: Document, as syntax: Syntax, limits: Limits, to output: inout OutputBuffer
  ) throws(ArchiveError) -> (syntax: Syntax, singles: Int) {
    var writer = TreeWriter(document, syntax, limits)
    output.allow(limits.output(of: document.table.byteCount))
    try writer.run(to: &output)
    if let error = output.takeOverflow() { throw error }
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
        syntax.beginItem(isFirst: next == 0, depth: level, to: &output.bytes)
        try writeItem(next, of: frame, to: &output.bytes)
        next &+= 1
        output.flushIfFull()
      }
      visited &+= next &- frame.next
      if stack.count == level {
        stack.removeLast()
        if frame.count > 0 { syntax.endItem(to: &output.bytes) }
        syntax.close(frame.kind, depth: level &- 1, to: &output.bytes)
      }
      // Errors of the output are reported by its `finish`.
      if output.hasProblem { return }
      if visited > visitLimit {
        throw ArchiveError(
          .limit, "over \(visited) values: shared values multiply when they are written out")
      }
    }
  }

  private mutating func writeItem(
    _ position: Int, of frame: Frame, to output: inout ByteBuffer
  ) throws(ArchiveError) {
    guard frame.kind == .dictionary else {
      return try write(table.reference(frame.start, position), to: &output)
    }
    let key = table.reference(frame.start, position)
    guard let text = table.text(at: key) else {
      throw placed(
        ArchiveError(.unrepresentable, "\(syntax.name) allows only strings as keys"), at: key)
    }
    do {
      try syntax.key(text, depth: stack.count, to: &output)
    } catch {
      throw placed(error, at: key)
    }
    try write(table.reference(frame.start, frame.count &+ position), to: &output)
  }

  @inline(__always)
  private mutating func write(
    _ index: UInt32, to output: inout ByteBuffer
  ) throws(ArchiveError) {
    guard let kind = ContainerKind(marker: table.marker(of: index)) else {
      let value = table.scalar(at: index)
      if case .single = value { singles &+= 1 }
      do {
        return try syntax.scalar(value, depth: stack.count, to: &output)
      } catch {
        throw placed(error, at: index)
      }
    }
    let (start, count) = table.counted(index)
    if kind == .set || kind == .orderedSet, let error = syntax.refusal(of: kind) {
      throw placed(error, at: index)
    }
    if count == 0 { return syntax.empty(kind, to: &output) }
    if kind == .dictionary {
      do {
        try refuseRepeatedKeys(index, start, count)
        try syntax.examine(index, in: table)
      } catch {
        throw placed(error, at: index)
      }
    }
    guard stack.count < limits.depth else {
      throw placed(.tooDeep(limits.depth), at: index)
    }
    syntax.open(kind, depth: stack.count, to: &output)
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
    let keys = UnsafeRawBufferPointer(start: start, count: count &* table.referenceWidth)
    if let known = distinctKeys?.baseAddress, distinctKeys?.count == keys.count,
      memcmp(known, start, keys.count) == 0
    {
      return
    }
    try syntax.refuseRepeatedKeys(index, in: table)
    distinctKeys = keys
  }

  /// An error at the current location of the walk.
  @inline(never)
  private func placed(_ error: ArchiveError, at index: UInt32) -> ArchiveError {
    var path = GraphPath()
    // Of a path that is deeper than anyone reads, the beginning will do.
    for frame in stack.prefix(64) where frame.next > 0 { path = path.appending(step(frame)) }
    return ArchiveError(
      error.code, error.message, offset: document.fileOffset(of: index), path: path)
  }

  private func step(_ frame: Frame) -> GraphPath.Step {
    let position = frame.next - 1
    guard frame.kind == .dictionary else { return .index(position) }
    return .key(table.text(at: table.reference(frame.start, position))?.string ?? "?")
  }
}
