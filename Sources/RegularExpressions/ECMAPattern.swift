// Regular expressions as JSON Schema means them: ECMA-262 with Unicode, found anywhere in a text.

import Basics
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
  /// - Throws: `PatternFault` if it is not a regular expression, or cannot be matched here.
  package convenience init(_ source: String) throws(PatternFault) {
    let parsed = try PatternParser.parse(source)
    let translation = try PatternTranslation(parsed.tree, referenced: parsed.referenced)
    try self.init(
      source, translated: translation.text, literal: RequiredLiteral(of: parsed.tree))
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
    let options = PCRE2_NO_UTF_CHECK
    var result: Result<Bool, PatternFault> = .success(false)
    text.withUTF8 { utf8 in
      do throws(PatternFault) {
        result = .success(try match(UnsafeRawBufferPointer(utf8), options))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }

  /// Whether the pattern matches somewhere in a text that is given as its UTF-8.
  ///
  /// - Throws: `PatternFault` with code `malformedText` if the bytes are not UTF-8, `tooLong` as with a string.
  package func matches(utf8: UnsafeRawBufferPointer) throws(PatternFault) -> Bool {
    try match(utf8, 0)
  }

  /// Whether the pattern matches somewhere in a text of bytes below 0x80.
  ///
  /// - Throws: as with a string.
  package func matches(ascii: UnsafeRawBufferPointer) throws(PatternFault) -> Bool {
    try match(ascii, PCRE2_NO_UTF_CHECK)
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

  private func match(
    _ text: UnsafeRawBufferPointer, _ options: UInt32
  ) throws(PatternFault) -> Bool {
    cost &+= 1 &+ text.count / 64
    // Only text that is known to be well formed: what else it is has to be said of any.
    if options & PCRE2_NO_UTF_CHECK != 0, literal?.occurs(in: text) == false { return false }
    if text.count <= Self.shortText {
      // PCRE2 counts again at each start, and a step may walk over the whole text: this bounds all of them.
      let square = (text.count + 1) * (text.count + 1)
      let most = square < 1_000 ? 1_000_000 : UInt32(max(250, 1_000_000_000 / square))
      // PCRE2 does not say how many steps a match took, but whether they were fewer than a limit.
      var limit = min(Self.fewSteps, most)
      while true {
        limitMatch(limit)
        cost &+= Int(limit) / Self.stepsOfCost
        let result = run(code, text, options)
        if result != PCRE2_ERROR_MATCHLIMIT { return try answer(result) }
        guard limit < most else { break }
        limit = min(limit &* 16, most)
      }
    }
    return try answer(try countedMatch(text, options))
  }

  private func countedMatch(
    _ text: UnsafeRawBufferPointer, _ options: UInt32
  ) throws(PatternFault) -> Int32 {
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
      return run(countedCode, text, options)
    }
  }

  private func limitMatch(_ limit: UInt32) {
    guard limit != matchLimit else { return }
    matchLimit = limit
    _ = library.limitMatch(context, limit)
  }

  private func run(
    _ code: PCRE2.Code?, _ text: UnsafeRawBufferPointer, _ options: UInt32
  ) -> Int32 {
    let bytes = text.bindMemory(to: UInt8.self)
    guard let start = bytes.baseAddress else {
      var nothing: UInt8 = 0
      return library.match(code, &nothing, 0, 0, options, matchData, context)
    }
    return library.match(code, start, bytes.count, 0, options, matchData, context)
  }

  private func answer(_ result: Int32) throws(PatternFault) -> Bool {
    switch result {
    case 0...: return true
    case PCRE2_ERROR_NOMATCH: return false
    case PCRE2_ERROR_UTF8_ERR21...PCRE2_ERROR_UTF8_ERR1:
      throw PatternFault(.malformedText, "the text is not UTF-8: \(library.message(of: result))")
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
  let bytes: [UInt8]

  /// PCRE2 looks for a single byte itself.
  private static let leastCount = 2

  /// Finds the run in a pattern that was parsed, which bounds how deep its parts are nested.
  init(of tree: PatternNode) {
    var search = Search()
    search.add(tree)
    search.endRun()
    bytes = search.longest.count < Self.leastCount ? [] : search.longest
  }

  /// Whether a text that is given as its UTF-8 contains the run.
  @inline(__always)
  func occurs(in text: UnsafeRawBufferPointer) -> Bool {
    bytes.isEmpty || text.count >= bytes.count && text.includes(bytes)
  }
}

/// The runs of a pattern from its beginning to its end.
private struct Search {
  private(set) var longest: [UInt8] = []
  private var run: [UInt8] = []

  mutating func add(_ node: PatternNode) {
    switch node {
    case .set(let set):
      guard let scalar = set.single.flatMap(Unicode.Scalar.init), let code = UTF8.encode(scalar)
      else { return endRun() }
      run += code
    // They match no character, so that those before and after are neighbours.
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

  mutating func endRun() {
    if run.count > longest.count { longest = run }
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
    /// The text is not well-formed UTF-8.
    case malformedText
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
