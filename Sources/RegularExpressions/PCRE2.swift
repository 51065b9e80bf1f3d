// PCRE2, loaded when the first pattern is compiled: CPCRE2 gives its types and numbers at build time.

import Basics
internal import CPCRE2

/// The functions of PCRE2 for UTF-8 that are called.
struct PCRE2: @unchecked Sendable {
  typealias Code = OpaquePointer
  typealias Callout =
    @convention(c) (UnsafeMutablePointer<pcre2_callout_block_8>?, UnsafeMutableRawPointer?) -> Int32

  let compile: Compile
  let freeCode: Free
  let makeCompileContext: Make
  let freeCompileContext: Free
  let limitNesting: Limit
  let makeMatchContext: Make
  let freeMatchContext: Free
  let limitMatch: Limit
  let limitDepth: Limit
  let limitHeap: Limit
  let setCallout: SetCallout
  let makeMatchData: MakeData
  let freeMatchData: Free
  let match: Match
  private let errorMessage: ErrorMessage

  private static let loaded = try? PCRE2()
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

  private init() throws {
    guard let library = SharedLibrary(linux: Self.linuxName, darwin: Self.darwinName) else {
      throw PatternFault(.libraryMissing, "")
    }
    compile = try library.needed("pcre2_compile_8")
    freeCode = try library.needed("pcre2_code_free_8")
    makeCompileContext = try library.needed("pcre2_compile_context_create_8")
    freeCompileContext = try library.needed("pcre2_compile_context_free_8")
    limitNesting = try library.needed("pcre2_set_parens_nest_limit_8")
    makeMatchContext = try library.needed("pcre2_match_context_create_8")
    freeMatchContext = try library.needed("pcre2_match_context_free_8")
    limitMatch = try library.needed("pcre2_set_match_limit_8")
    limitDepth = try library.needed("pcre2_set_depth_limit_8")
    limitHeap = try library.needed("pcre2_set_heap_limit_8")
    setCallout = try library.needed("pcre2_set_callout_8")
    makeMatchData = try library.needed("pcre2_match_data_create_8")
    freeMatchData = try library.needed("pcre2_match_data_free_8")
    match = try library.needed("pcre2_match_8")
    errorMessage = try library.needed("pcre2_get_error_message_8")
  }

  /// The library's message for an error number.
  func message(of error: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let length = errorMessage(error, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, Int(length))), as: UTF8.self)
  }
}

extension PCRE2 {
  // The signatures as the header declares them.
  typealias Compile =
    @convention(c) (
      UnsafePointer<UInt8>?, Int, UInt32, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int>?,
      OpaquePointer?
    ) -> Code?
  typealias Make = @convention(c) (OpaquePointer?) -> OpaquePointer?
  typealias Free = @convention(c) (OpaquePointer?) -> Void
  typealias Limit = @convention(c) (OpaquePointer?, UInt32) -> Int32
  typealias SetCallout =
    @convention(c) (OpaquePointer?, Callout?, UnsafeMutableRawPointer?) -> Int32
  typealias MakeData = @convention(c) (UInt32, OpaquePointer?) -> OpaquePointer?
  typealias Match =
    @convention(c) (
      Code?, UnsafePointer<UInt8>?, Int, Int, UInt32, OpaquePointer?, OpaquePointer?
    ) -> Int32
  typealias ErrorMessage =
    @convention(c) (Int32, UnsafeMutablePointer<UInt8>?, Int) -> Int32
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
