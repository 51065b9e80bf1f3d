// Patterns: their matches, the locations of their errors, and the termination of malicious ones.

import ArchivePatterns
import TestSupport
import Testing

@Suite struct ECMAPatternTests {
  @Test(arguments: cases)
  func matchesAsECMA262Says(_ row: Case) throws {
    let pattern = try ECMAPattern(row.pattern)
    #expect(pattern.source == row.pattern)
    for text in row.matches { #expect(try pattern.matches(text), "\(text.debugDescription)") }
    for text in row.others { #expect(try !pattern.matches(text), "\(text.debugDescription)") }
  }

  /// In long texts the work is counted step by step, and the answer is the same.
  @Test(arguments: cases.filter { $0.pattern.firstMatch(of: /\^|\\b|\\B|\(\?</) == nil })
  func answersTheSameInLongTexts(_ row: Case) throws {
    let pattern = try ECMAPattern("^~{4000}[^]*?(?:" + row.pattern + ")")
    let start = String(repeating: "~", count: 4000)
    for text in row.matches {
      #expect(try pattern.matches(start + text), "\(text.debugDescription)")
    }
    for text in row.others {
      #expect(try !pattern.matches(start + text), "\(text.debugDescription)")
    }
  }

  /// Where a match is; letters of other scripts have both cases, too.
  @Test(
    arguments: [
      ("b+", "abbc", false, 1..<3), ("^", "abc", false, 0..<0), ("$", "abc", false, 3..<3),
      ("é", "caféé", false, 3..<5), ("É", "café", false, nil), ("É", "café", true, 3..<5),
      ("(?<=a)B", "xab", true, 2..<3), ("ΣΊΣΥΦΟΣ", "σίσυφος", true, 0..<14),
      ("z", String(repeating: "y", count: 5000) + "zz", false, 5000..<5001),
    ] as [(String, String, Bool, Range<Int>?)])
  func saysWhereAMatchIs(
    _ pattern: String, _ text: String, _ ignoresCase: Bool, _ range: Range<Int>?
  ) throws {
    let pattern = try ECMAPattern(pattern, ignoresCase: ignoresCase)
    #expect(try pattern.firstMatch(in: text) == range)
  }

  // MARK: - Refused patterns

  /// Patterns that are none, with the character that is to blame.
  static let malformed: [(pattern: String, position: Int)] = [
    (#"\a"#, 0), (#"\A"#, 0), (#"\Z"#, 0), (#"\z"#, 0), (#"\h"#, 0), (#"\e"#, 0), (#"\G"#, 0),
    (#"\Q"#, 0), (#"\R"#, 0), (#"\X"#, 0), (#"\K"#, 0), (#"ab\y"#, 2), (#"\é"#, 0), (#"\"#, 0),
    (#"\8"#, 0), (#"\00"#, 0), (#"\01"#, 0), (#"\1"#, 0), (#"(a)\2"#, 3), (#"[\1]"#, 1),
    (#"[\B]"#, 1), (#"[\k]"#, 1), (#"\c"#, 0), (#"\c1"#, 0), (#"[\c_]"#, 1), (#"\x6"#, 0),
    (#"\xg1"#, 0), (#"\u006"#, 2), (#"\u{}"#, 2), (#"\u{110000}"#, 2), (#"\u{61"#, 2),
    (#"\k"#, 0), (#"\ka"#, 0), (#"\k<a>"#, 0), (#"(?<a>a)\k<b>"#, 7), (#"(?<a>a)(?<a>b)"#, 7),
    ("(?<1>a)", 3), ("(?<>a)", 3), ("(?<a", 3), ("(?P<n>a)", 0), ("(?P=n)", 0), ("(?#c)", 0),
    ("(?i)", 0), ("(?i)a", 0), ("(?>a)", 0), ("(?|a)", 0), ("(?'n'a)", 0), ("(?&n)", 0),
    ("(?R)", 0), ("(?1)", 0), ("(?(1)a)", 0), ("(?", 0), ("(?x:a)", 0), ("(?ii:a)", 0),
    ("(?i-i:a)", 0), ("(?-:a)", 0), ("a++", 2), ("a**", 2), ("a?+", 2), ("a{1}+", 4),
    ("a{1}{2}", 4), ("*a", 0), ("+", 0), ("a|*", 2), ("(?:*)", 3), ("^*", 0), (#"\b+"#, 0),
    ("(?=a)*", 0), ("(?<=a)?", 0), ("{1}", 0), ("a{2,1}", 1), ("(a", 0), ("a)", 1), ("b((a)", 1),
    ("[a", 0), ("a[", 1), (#"[a\]"#, 0), ("[z-a]", 1), ("]", 0), ("[[:alpha:]]", 10),
    (#"\p"#, 0), (#"\pL"#, 0), (#"\p{}"#, 0), (#"\p{Greek}"#, 0), (#"\p{letter}"#, 0),
    (#"\p{Script=greek}"#, 0), (#"\p{L"#, 0), (#"\p{ L}"#, 0), (#"\p{^L}"#, 0), (#"\p{L&}"#, 0),
    (#"\p{gc=}"#, 0), (#"\p{IsGreek}"#, 0), (#"[\p{Foo}]"#, 1), (#"\p{a=b=c}"#, 0),
  ]

  @Test(arguments: malformed)
  func refusesWhatIsNoPattern(_ pattern: String, _ position: Int) {
    let fault = #expect(throws: PatternFault.self) { _ = try ECMAPattern(pattern) }
    #expect(fault?.code == .syntax)
    #expect(fault?.position == position, "\(fault?.description ?? "")")
    #expect(!ECMAPattern.isWellFormed(pattern))
  }

  /// Patterns that are right, and cannot be matched with the same meaning here.
  @Test(arguments: [
    #"(?:(a)|b)*\1"#, #"(?<=(a)\1)b"#, #"(?<=\1(a))b"#, #"(?<=(a|bc)+)\1"#, #"(?:(a*)?)+\1"#,
    "(?:ab){70000}", #"\p{Changes_When_NFKC_Casefolded}"#,
    String(repeating: "(", count: 201) + String(repeating: ")", count: 201),
    String(repeating: "a", count: 100_001),
  ])
  func saysWhatItCannotMatch(_ pattern: String) {
    let fault = #expect(throws: PatternFault.self) { _ = try ECMAPattern(pattern) }
    #expect(fault?.code == .unsupported)
    #expect(ECMAPattern.isWellFormed(pattern))
  }

  // MARK: - Hostile patterns and texts

  private static func run(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  @Test(arguments: [
    ("^(a+)+$", run("a", 2_000) + "!"), ("(a|aa)+$", run("a", 2_000) + "!"),
    ("a*[bc]", run("a", 100_000)), ("(a*)*$", run("a", 3_000) + "!"),
    ("(?<=(?:a+)+c)b", run("a", 2_000) + "b"), ("^(.*)\\1x", run("a", 300_000) + "b"),
  ])
  func givesUpInTime(_ pattern: String, _ text: String) throws {
    let pattern = try ECMAPattern(pattern)
    let fault = #expect(throws: PatternFault.self) { _ = try pattern.matches(text) }
    #expect(fault?.code == .tooLong)
    // The next text is none the worse for it.
    #expect(throws: Never.self) { _ = try pattern.matches("aab") }
  }

  @Test func longTextsThatAreEasyHaveAnAnswer() throws {
    #expect(try ECMAPattern("^[a-z]*$").matches(Self.run("abcd", 250_000)))
    #expect(try ECMAPattern(#"\p{L}cole"#).matches(Self.run("été ", 100_000) + "école"))
    #expect(try !ECMAPattern("foo.*bar.*baz").matches(Self.run("foo bar ", 20_000)))
  }

  @Test(arguments: ["(", "[", "(?=", "(?<=", "[^", "(?<a", "{", #"\"#, "a|", "(?:a?)*", "(?i:"])
  func manyOfAKindEnd(_ piece: String) {
    for count in [50, 199, 20_000] {
      do throws(PatternFault) {
        _ = try ECMAPattern(Self.run(piece, count)).matches(Self.run("a", 50))
      } catch {
        #expect(error.code != .libraryMissing)
      }
    }
  }
}
