// What the parsers of JSON and of OpenStep property lists share: open containers, recovery, comments and escapes.

import ArchiveBasics
import ArchiveGraph

enum TextContainer {
  case array
  case dictionary
  /// The pairs of a .strings file, without braces.
  case strings
}

/// What a parser knows beside its position and the values so far.
struct ParserState: ~Copyable {
  /// Where the text begins in the input file; nil if its positions are not those of the file.
  let fileOffset: Int?
  let depth: Int
  var containers: [TextContainer] = []
  /// Warnings with positions in the text; a file with a thousand problems does not get a thousand lines.
  fileprivate(set) var warnings: [ArchiveError] = []
  var repeatedKeys = RepeatedKeys()
  /// What becomes of errors; nil if the first ends reading.
  fileprivate(set) var recovery: TextRecovery?
  /// Whether the last value of the open container is followed by something else than its end.
  var endsBadly = false

  init(_ text: DecodedText, fileOffset: Int?, depth: Int, recovering: Bool) {
    self.fileOffset = text.isSource ? fileOffset.map { $0 + text.sourceOffset(of: 0) } : nil
    self.depth = depth
    recovery = recovering ? TextRecovery() : nil
  }
}

/// A parser of a text whose containers are in brackets, with a stack of its own.
protocol BracketedParser: ~Copyable {
  static var encoding: Encoding { get }
  var bytes: ByteView { get }
  var position: Int { get set }
  var builder: GraphBuilder { get set }
  var state: ParserState { get set }
  /// The characters of the escaped string that is being read, in UTF-16, big-endian.
  var units: ByteBuffer { get set }
  /// How messages begin.
  var messagePrefix: String { get }
  /// What is wrong if something follows the root.
  var surplusMessage: String { get }

  mutating func root() throws(ArchiveError) -> UInt32
  /// Reads a scalar or an empty container; opens a container that has content, and gives nil then.
  mutating func beginValue() throws(ArchiveError) -> UInt32?
  /// After a value: whether another one follows in the container, whose key is read if it has one.
  mutating func hasNext(of container: TextContainer) throws(ArchiveError) -> Bool
  /// Reads up to a value of a container with keys; false at its end.
  mutating func nextPair(of container: TextContainer) throws(ArchiveError) -> Bool
  /// The value of the innermost container, which has ended.
  mutating func close(_ container: TextContainer) -> UInt32
  /// Skips what may follow the root.
  mutating func skipEnd() throws(ArchiveError)
  /// What separates the values of a container, and what ends it.
  func marks(of container: TextContainer) -> TextRecovery.Container
  /// Whether a byte may be in a string.
  mutating func check(_ byte: UInt8) throws(ArchiveError)
  /// Reads what follows a backslash; nil if it is the beginning of the characters that follow, or nothing.
  mutating func escape() throws(ArchiveError) -> UInt16?
  /// The error of a string without an end, whose first character is at a position.
  func endlessString(from start: Int) -> ArchiveError
}

extension BracketedParser where Self: ~Copyable {
  /// Reads a text.
  ///
  /// - Parameter fileOffset: the position of the source in the input; nil if it is not stored there.
  consuming func read(
    _ text: DecodedText, fileOffset: Int?
  ) throws(ArchiveError) -> FormatReading {
    let top = try parse()
    var finished = GraphBuilder(capacity: 16)
    swap(&finished, &builder)
    return FormatReading(
      finished.finish(top: top, encoding: Self.encoding),
      warnings: text.located(state.warnings + state.repeatedKeys.warnings, fileOffset),
      losses: text.located(state.recovery?.losses ?? [], fileOffset))
  }

  private mutating func parse() throws(ArchiveError) -> UInt32 {
    var step: TextRecovery.Step?
    while true {
      do throws(ArchiveError) {
        switch step {
        case nil: return try root()
        case .top(let top)?: return top
        case .value(let value)?: return try values(after: value)
        case .next?: return try values(after: nil)
        }
      } catch {
        step = try recover(from: error)
      }
    }
  }

  /// Reads on to the end.
  ///
  /// - Parameter known: a value that was read; nil if the next begins at the position.
  mutating func values(after known: UInt32?) throws(ArchiveError) -> UInt32 {
    var known = known
    while true {
      var value: UInt32
      if let first = known {
        value = first
        known = nil
      } else {
        guard let next = try beginValue() else { continue }
        value = next
      }
      // The value is complete: close all containers that end after it.
      while true {
        guard let container = state.containers.last else {
          try skipEnd()
          if position == bytes.count { return value }
          state.recovery?.top = value
          throw problem(surplusMessage)
        }
        builder.append(value)
        if try hasNext(of: container) { break }
        value = closeInnermost(container)
      }
    }
  }

  mutating func closeInnermost(_ container: TextContainer) -> UInt32 {
    state.containers.removeLast()
    return close(container)
  }

  /// Marks what an error costs in the open container, and goes on behind it.
  private mutating func recover(
    from first: ArchiveError
  ) throws(ArchiveError) -> TextRecovery.Step {
    var problem = first
    while true {
      guard problem.code != .limit, var recovery = state.recovery else { throw problem }
      defer { state.recovery = recovery }
      recovery.note(problem)
      guard let container = state.containers.last else {
        guard let top = recovery.top else { throw problem }
        return .top(top)
      }
      let (endsBadly, marks, bytes) = (state.endsBadly, marks(of: container), bytes)
      let isAdded = recovery.mark(
        problem, in: &builder, isPairs: container != .array, replacing: endsBadly)
      if isAdded { state.repeatedKeys.add(position) }
      state.endsBadly = false
      switch recovery.resume(in: bytes, at: &position, after: problem, marks) {
      case .separator: break
      case .container: return .value(closeInnermost(container))
      case .text:
        var value = closeInnermost(container)
        while let outer = state.containers.last {
          builder.append(value)
          value = closeInnermost(outer)
        }
        return .top(value)
      }
      if container == .array { return .next }
      do throws(ArchiveError) {
        if try nextPair(of: container) { return .next }
        let value = closeInnermost(container)
        return container == .strings ? .top(value) : .value(value)
      } catch {
        problem = error
      }
    }
  }

  /// Opens a container whose first byte was skipped.
  ///
  /// - Parameter start: where it begins.
  mutating func open(_ container: TextContainer, at start: Int) throws(ArchiveError) {
    guard state.containers.count < state.depth else {
      throw ArchiveError(
        .limit, "containers are nested more than \(state.depth) levels deep", offset: start)
    }
    builder.open()
    state.containers.append(container)
  }

  // MARK: Positions and problems

  /// Records the position of the value that begins here.
  @inline(__always)
  mutating func mark() {
    if let fileOffset = state.fileOffset { builder.sourceOffset = fileOffset &+ position }
  }

  /// Warns about what is read differently than written.
  mutating func warn(_ message: String, at position: Int) {
    guard state.warnings.count < 100 else { return }
    state.warnings.append(ArchiveError(.malformed, message, offset: position))
  }

  /// An error at the position, or at another one; without a code it reports whether the text ends too early.
  @inline(never)
  func problem(
    _ message: String, at other: Int? = nil, code: ArchiveError.Code? = nil
  ) -> ArchiveError {
    ArchiveError(
      code ?? (position >= bytes.count ? .truncated : .malformed), messagePrefix + message,
      offset: other ?? position)
  }

  // MARK: Bytes

  @inline(__always)
  func peek() -> UInt8? { bytes.byte(at: position) }

  /// Skips a comment; false if none begins at the position.
  ///
  /// - Parameter endless: the message about one without an end.
  mutating func skipComment(_ endless: String) throws(ArchiveError) -> Bool {
    guard position + 1 < bytes.count else { return false }
    let start = position
    switch bytes[position + 1] {
    case UInt8(ascii: "/"):
      while let byte = peek(), byte != 0x0A, byte != 0x0D,
        byte != 0xE2 || !isSeparator(at: position)
      {
        position &+= 1
      }
      return true
    case UInt8(ascii: "*"):
      position += 2
      while position &+ 1 < bytes.count {
        if bytes[position] == UInt8(ascii: "*"), bytes[position &+ 1] == UInt8(ascii: "/") {
          position += 2
          return true
        }
        position &+= 1
      }
      position = bytes.count
      throw problem(endless, at: start)
    default: return false
    }
  }

  /// Whether one of the separators U+2028 and U+2029 (E2 80 A8 and A9) is where a byte E2 is.
  func isSeparator(at location: Int) -> Bool {
    location + 2 < bytes.count && bytes[location + 1] == 0x80 && bytes[location + 2] | 1 == 0xA9
  }

  // MARK: Strings

  /// A string with escapes, gathered as UTF-16 so that a lone surrogate survives.
  mutating func escapedString(from start: Int, _ quote: UInt8) throws(ArchiveError) -> UInt32 {
    units.truncate(to: 0)
    var runStart = start
    while let byte = peek() {
      try check(byte)
      guard byte == quote || byte == UInt8(ascii: "\\") else {
        position &+= 1
        continue
      }
      guard let run = String(validating: bytes[runStart..<position], as: UTF8.self) else {
        throw problem("the string is not valid UTF-8", at: runStart)
      }
      for unit in run.utf16 { units.append(bigEndian: UInt64(unit), width: 2) }
      position &+= 1
      if byte == quote { return addUnits() }
      if let unit = try escape() { units.append(bigEndian: UInt64(unit), width: 2) }
      runStart = position
    }
    throw endlessString(from: start)
  }

  /// Adds the string of the characters that were gathered.
  mutating func addUnits() -> UInt32 {
    guard let base = units.bytes.baseAddress else { return builder.add("") }
    return builder.add(Text(base: base, byteCount: units.count, form: .utf16))
  }
}
