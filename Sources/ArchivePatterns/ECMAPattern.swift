// Regular expressions as JSON Schema means them: ECMA-262 with Unicode, found anywhere in a text.

import ArchiveBasics
internal import CPCRE2

/// A compiled regular expression of ECMA-262.
///
/// Not for use by two threads at once.
package final class ECMAPattern {
  /// The pattern as it was given.
  package let source: String

  private let library: PCRE2
  private let translation: [UInt8]
  /// What no match can do without.
  private let literal: RequiredLiteral?
  private let code: PCRE2.Code
  /// The same with a report before each step, for texts on which work is counted exactly.
  private var countedCode: PCRE2.Code?
  private let context: OpaquePointer
  private let matchData: OpaquePointer
  /// The limit that the context has; most texts are matched with that of the text before.
  private var matchLimit: UInt32 = 0
  /// The work that may be spent on a short text; tests spend less.
  var work = 20_000_000
  /// What all matches so far have cost, in units of about 16 of PCRE2's steps.
  package private(set) var cost = 0

  /// The steps of PCRE2 that most matches of short texts take.
  private static let fewSteps: UInt32 = 64
  private static let stepsOfCost = 16
  /// Texts of more bytes are always matched with the work counted.
  private static let shortText = 2048
  /// Memory for backtracking, in KiB.
  private static let heapLimit: UInt32 = 65_536

  /// Compiles a pattern.
  ///
  /// - Parameter ignoresCase: whether capital letters match small ones; JSON Schema knows no such patterns.
  /// - Throws: `PatternFault` if it is not a regular expression, or cannot be matched here.
  package convenience init(_ source: String, ignoresCase: Bool = false) throws(PatternFault) {
    let parsed = try PatternParser.parse(source)
    let translation = try PatternTranslation(parsed.tree, references: parsed.references)
    try self.init(
      source, translated: ignoresCase ? "(?i)" + translation.text : translation.text,
      literal: ignoresCase ? nil : RequiredLiteral(of: parsed.tree))
  }

  /// Compiles a pattern of the program's own, in PCRE2's syntax.
  package convenience init(translated: String) throws(PatternFault) {
    try self.init(translated, translated: translated, literal: nil)
  }

  private init(
    _ source: String, translated: String, literal: RequiredLiteral?
  ) throws(PatternFault) {
    let library = try PCRE2.load()
    self.source = source
    self.library = library
    self.literal = literal
    translation = Array(translated.utf8)
    let code = try Self.compile(translation, options: 0, library)
    guard let context = library.makeMatchContext(nil), let data = library.makeMatchData(1, nil)
    else {
      library.freeCode(code)
      throw PatternFault(.unsupported, "there is no memory for the pattern")
    }
    self.code = code
    self.context = context
    matchData = data
    _ = library.limitHeap(context, Self.heapLimit)
    _ = library.limitDepth(context, .max)
  }

  deinit {
    library.freeMatchData(matchData)
    library.freeMatchContext(context)
    library.freeCode(countedCode)
    library.freeCode(code)
  }

  /// Whether the pattern matches somewhere in the text.
  ///
  /// - Throws: `PatternFault` with code `tooLong` if that takes too much time or memory.
  package func matches(_ text: String) throws(PatternFault) -> Bool {
    var text = text
    var result: Result<Bool, PatternFault> = .success(false)
    text.withUTF8 { utf8 in
      do throws(PatternFault) {
        result = .success(try matches(utf8: ByteView(utf8)))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }

  /// Where the first match is, in bytes of UTF-8; nil without one.
  ///
  /// - Throws: as `matches` does.
  package func firstMatch(in text: String) throws(PatternFault) -> Range<Int>? {
    guard try matches(text), let range = unsafe library.matchedRanges(matchData) else { return nil }
    let (start, end) = unsafe (range[0], range[1])
    return start..<max(start, end)
  }

  /// Whether a text is a regular expression, though perhaps not one that can be matched here.
  package static func isWellFormed(_ source: String) -> Bool {
    do throws(PatternFault) {
      _ = try PatternParser.parse(source)
      return true
    } catch {
      return error.code != .syntax
    }
  }

  // MARK: - Matching

  /// Whether the pattern matches somewhere in well-formed UTF-8.
  ///
  /// - Throws: as with a string.
  package func matches(utf8 text: ByteView) throws(PatternFault) -> Bool {
    cost &+= 1 &+ text.count / 64
    if literal?.occurs(in: text) == false { return false }
    if text.count <= Self.shortText {
      // PCRE2 counts again at each start, and a step may walk over the whole text: this bounds all of them.
      let square = (text.count + 1) * (text.count + 1)
      let most = square < 1_000 ? 1_000_000 : UInt32(max(250, 1_000_000_000 / square))
      // PCRE2 does not say how many steps a match took, but whether they were fewer than a limit.
      var limit = min(Self.fewSteps, most)
      while true {
        limitMatch(limit)
        cost &+= Int(limit) / Self.stepsOfCost
        let result = run(code, text)
        if result != PCRE2_ERROR_MATCHLIMIT { return try answer(result) }
        guard limit < most else { break }
        limit = min(limit &* 16, most)
      }
    }
    return try answer(try countedMatch(text))
  }

  private func countedMatch(_ text: ByteView) throws(PatternFault) -> Int32 {
    if countedCode == nil {
      // The reports make it longer: if it is too large now, it is refused for this text.
      countedCode = try Self.compile(translation, options: PCRE2_AUTO_CALLOUT, library)
    }
    var budget = MatchBudget(work, textLength: text.count, pattern: translation)
    let all = budget.rest
    defer { cost &+= (all - budget.rest) / Self.stepsOfCost }
    limitMatch(.max)
    return withUnsafeMutablePointer(to: &budget) { budget in
      _ = library.setCallout(context, MatchBudget.callout, budget)
      defer { _ = library.setCallout(context, nil, nil) }
      return run(countedCode, text)
    }
  }

  private func limitMatch(_ limit: UInt32) {
    guard limit != matchLimit else { return }
    matchLimit = limit
    _ = library.limitMatch(context, limit)
  }

  private func run(_ code: PCRE2.Code?, _ text: ByteView) -> Int32 {
    let bytes = text.unchecked.bindMemory(to: UInt8.self)
    guard let start = bytes.baseAddress else {
      var nothing: UInt8 = 0
      return library.match(code, &nothing, 0, 0, PCRE2_NO_UTF_CHECK, matchData, context)
    }
    return library.match(code, start, bytes.count, 0, PCRE2_NO_UTF_CHECK, matchData, context)
  }

  private func answer(_ result: Int32) throws(PatternFault) -> Bool {
    switch result {
    case 0...: return true
    case PCRE2_ERROR_NOMATCH: return false
    case PCRE2_ERROR_CALLOUT, PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_DEPTHLIMIT,
      PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_NOMEMORY:
      throw PatternFault(.tooLong, "the pattern takes too long to match this text")
    default: throw PatternFault(.unsupported, "no match: \(library.message(of: result))")
    }
  }

  // MARK: - Compiling

  private static func compile(
    _ pattern: [UInt8], options: UInt32, _ library: PCRE2
  ) throws(PatternFault) -> PCRE2.Code {
    // References to groups that took no part match the empty text in ECMA-262.
    let options = options | PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_MATCH_UNSET_BACKREF
    let context = library.makeCompileContext(nil)
    defer { library.freeCompileContext(context) }
    _ = library.limitNesting(context, UInt32(PatternParser.depthLimit * 6))
    var error: Int32 = 0
    var offset = 0
    guard let code = library.compile(pattern, pattern.count, options, &error, &offset, context)
    else {
      throw PatternFault(.unsupported, "the pattern is refused: \(library.message(of: error))")
    }
    return code
  }
}

// MARK: - The text that every match of a regular expression contains

/// The longest run of literal characters that no match can do without, as UTF-8.
struct RequiredLiteral {
  /// The bytes; empty if there is no run, or none that is worth a search before the match.
  private(set) var bytes: [UInt8] = []
  private var run: [UInt8] = []

  /// PCRE2 looks for a single byte itself.
  private static let leastCount = 2

  /// Finds the run in a pattern that was parsed, which bounds how deep its parts are nested.
  init(of tree: PatternNode) {
    add(tree)
    endRun()
    if bytes.count < Self.leastCount { bytes = [] }
  }

  /// Whether a text that is given as its UTF-8 contains the run.
  @inline(__always)
  func occurs(in text: ByteView) -> Bool {
    bytes.isEmpty || text.count >= bytes.count && text.includes(bytes)
  }

  private mutating func add(_ node: PatternNode) {
    switch node {
    case .set(let set):
      guard let scalar = set.single.flatMap(Unicode.Scalar.init), let code = UTF8.encode(scalar)
      else { return endRun() }
      run += code
    // They match no character, so that those before and after are adjacent.
    case .assertion, .look: break
    case .sequence(let parts):
      for part in parts { add(part) }
    case .capture(_, let part): add(part)
    case .repeated(let part, let repetition):
      endRun()
      guard repetition.minimum > 0 else { return }
      add(part)
      endRun()
    case .alternatives, .backreference, .caseIgnored: endRun()
    }
  }

  private mutating func endRun() {
    if run.count > bytes.count { bytes = run }
    run = []
  }
}

// MARK: - An error in a regular expression, or a match that was stopped

/// Why a pattern cannot be used, or why a match gave no answer.
package struct PatternFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of faults.
  package enum Code: String, Sendable {
    /// The pattern is not an ECMA-262 regular expression.
    case syntax
    /// The pattern is a regular expression, but not one that can be matched here.
    case unsupported
    /// The library that matches patterns is not installed.
    case libraryMissing
    /// The match took too many steps or too much memory.
    case tooLong
  }

  /// What kind of fault it is.
  package let code: Code
  /// The error, for people.
  package let reason: String
  /// The character of the pattern, counted in Unicode scalars from 0; nil if no single one is to blame.
  package let position: Int?

  init(_ code: Code, _ reason: String, at position: Int? = nil) {
    self.code = code
    self.reason = reason
    self.position = position
  }

  /// The reason, and the position if known.
  package var description: String {
    position.map { "\(reason) (at character \($0))" } ?? reason
  }
}

// MARK: - PCRE2, loaded when the first pattern is compiled: CPCRE2 gives its types and numbers at build time

/// The functions of PCRE2 for UTF-8 that are called.
typealias PCRE2 = archtool_pcre2

extension PCRE2 {
  typealias Code = OpaquePointer
  typealias Callout =
    @convention(c) (UnsafeMutablePointer<pcre2_callout_block_8>?, UnsafeMutableRawPointer?) -> Int32

  private static let loaded: PCRE2? =
    SharedLibrary(linux: linuxName, darwin: darwinName)?.functions(archtool_pcre2_names())
  private static let linuxName = "libpcre2-8.so.0"
  private static let darwinName = "libpcre2-8.0.dylib"

  /// The library.
  ///
  /// - Throws: `PatternFault` with code `libraryMissing` if it is not installed.
  static func load() throws(PatternFault) -> PCRE2 {
    guard let loaded else {
      throw PatternFault(
        .libraryMissing,
        "patterns need PCRE2 (\(linuxName) or \(darwinName)), which is not installed"
      )
    }
    return loaded
  }

  func message(of error: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let length = errorMessage(error, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, Int(length))), as: UTF8.self)
  }
}

// MARK: - How much work one match may do, counted at every step that PCRE2 reports

/// Work that is left, in characters walked over.
struct MatchBudget {
  private(set) var rest: Int
  private var lastPosition = 0
  /// The translated pattern, in which backreferences are recognized.
  private let pattern: [UInt8]
  private let hasReferences: Bool

  /// Work for a text of so many bytes: so much for any text, and linear in long ones.
  init(_ work: Int, textLength: Int, pattern: [UInt8]) {
    rest = work + 16 * textLength
    self.pattern = pattern
    // A reference is written `\g{1}`: a pattern without a g needs no check at each step.
    hasReferences = pattern.contains(UInt8(ascii: "g"))
  }

  /// Pays for a step; false if nothing is left.
  private mutating func pay(_ block: UnsafePointer<pcre2_callout_block_8>) -> Bool {
    let position = block.pointee.current_position
    rest -= 1 + abs(position - lastPosition)
    lastPosition = position
    let part = block.pointee.pattern_position
    if hasReferences, part < pattern.count, pattern[part] == UInt8(ascii: "\\") {
      rest -= comparison(block.pointee)
    }
    return rest > 0
  }

  /// The maximum cost of comparing with a captured text: many bytes at once, but also if it fails.
  private func comparison(_ block: pcre2_callout_block_8) -> Int {
    var index = block.pattern_position
    guard index + 3 < pattern.count, pattern[index + 1] == UInt8(ascii: "g"),
      let offsets = block.offset_vector
    else { return 0 }
    index += 3
    var group = 0
    while index < pattern.count, (0x30...0x39).contains(pattern[index]), group < 1_000_000 {
      group = group * 10 + Int(pattern[index] - 0x30)
      index += 1
    }
    guard group < Int(block.capture_top), offsets[2 * group] <= offsets[2 * group + 1] else {
      return 0
    }
    let length = offsets[2 * group + 1] - offsets[2 * group]
    return length <= block.subject_length - block.current_position ? length / 16 : 0
  }

  /// What PCRE2 calls before each part of the pattern, with a pointer to the budget.
  static let callout: PCRE2.Callout = { block, data in
    guard let block, let budget = data?.assumingMemoryBound(to: MatchBudget.self) else { return 0 }
    return budget.pointee.pay(block) ? 0 : PCRE2_ERROR_CALLOUT
  }
}
