// Words of a command line in bash: what they mean, and how candidates are typed in their place, as bash itself says.

import Foundation
import TestSupport
import Testing

@testable import CommandLineInterface

struct TypedWordTests {
  /// Bash, which every system has on which the completions are used; nil where it is not.
  static let bash = Program.find("bash")

  /// What bash makes of a word that is not to be expanded.
  private func meaning(_ word: String) throws -> String {
    let bash = try #require(Self.bash)
    let result = try Program.run(at: bash, ["-c", "printf %s \(word)"])
    #expect(result.errors.isEmpty, "\(word): \(result.errors)")
    return result.text
  }

  @Test(
    arguments: [
      "plain", #"a\ b"#, #"'a b'"#, #""a b""#, #"a'b c'd"#, #"it\'s"#, #"'it'\''s'"#,
      #""\"q\" \\ \x""#,
      #"\$HOME"#, #"'$HOME'"#, #""\$HOME""#, #"caf\é"#, #"\~/x"#, #"a\;b\|c\&d"#, #"''"#, #""""#,
      #"\\\\"#, #"'\'"#,
    ]) func meansWhatBashSays(word: String) throws
  {
    #expect(try #require(TypedWord(word)).text == meaning(word))
  }

  static let candidates = [
    "plain", "$.title", "$['a b']", "a b", "it's", #"say "so""#, #"back\slash"#, "$(touch x)",
    "`touch x`", "a;b|c&d", "a>b<c", "*?[a]{b,c}", "~root", "#no", "!!", "%1", "a=b:c@d", "日本 é",
    "-x", "(a)", "^a^b^",
  ]

  /// A candidate in place of a word, and the quote that ends it, are the candidate again.
  @Test(arguments: candidates, ["", "'", "\"", "x", "\\$", "'x", "\"x"])
  func isTypedAsBashReadsIt(candidate: String, word: String) throws {
    let typed = try #require(TypedWord(word)).typed(candidate)
    switch word.first {
    case "'": #expect((typed == nil) == candidate.contains("'"))
    case "\"": #expect((typed == nil) == candidate.contains("!"))
    default: #expect(typed != nil)
    }
    guard let typed else { return }
    let quote = word.first.map { "'\"".contains($0) ? String($0) : "" } ?? ""
    #expect(typed.hasPrefix(quote))
    #expect(try meaning(typed + quote) == candidate)
  }

  /// What another completion cannot continue.
  @Test(arguments: ["'a'b", "a'b", "\"a\"", "a\"b"])
  func cannotBeContinuedInQuotesInTheMiddle(word: String) {
    #expect(TypedWord(word)?.typed("abc") == nil)
  }

  @Test(arguments: ["$'a", "$\"a", "x$'"]) func doesNotReadOtherQuotes(word: String) {
    #expect(TypedWord(word) == nil)
  }

  @Test(arguments: [
    ("~/a", "/home/a"), ("~", "/home"), ("'~/a", "~/a"), ("\\~/a", "~/a"), ("~other/a", "~other/a"),
    ("a/~", "a/~"),
  ]) func hasTheHomeFolderAtItsBeginning(word: String, path: String) {
    #expect(TypedWord(word)?.path(home: "/home") == path)
  }
}
