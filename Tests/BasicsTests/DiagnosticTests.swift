// Problems as lines, and the paths of errors across nested archives.

import ArchiveBasics
import Testing

@Suite struct DiagnosticTests {
  private static let path = GraphPath([.key("a b"), .index(2)])

  @Test(
    arguments: [
      (Diagnostic(rule: "r", message: "is wrong"), "F: error: is wrong"),
      (
        Diagnostic(rule: "r", severity: .warning, message: "is odd", path: path, offset: 7),
        "F@7: warning: is odd (at $['a b'][2])"
      ),
      (Diagnostic(rule: "r", isLint: true, message: "is wrong"), "F: error: is wrong [r]"),
      (Diagnostic(rule: "r", message: "is wrong", file: "G", offset: 0), "G@0: error: is wrong"),
      (
        Diagnostic(
          ArchiveError(.malformed, "is wrong", offset: 9, path: GraphPath())
            .at(position: TextPosition(line: 2, column: 4))), "F:2:4: error: is wrong (at $)"
      ),
    ])
  func isALine(_ diagnostic: Diagnostic, _ line: String) {
    #expect(diagnostic.line(file: "F") == line)
  }

  @Test func anErrorInANestedArchiveHasThePathThroughItsData() {
    let error = ArchiveError(.malformed, "is wrong", path: GraphPath([.key("x")]))
    let inside = error.inside("keyed archive")
    #expect(inside.path?.description == "$⟨keyed archive⟩.x")
    #expect(inside.below(path: Self.path).path?.description == "$['a b'][2]⟨keyed archive⟩.x")
    // An error that is not about the content keeps its path, or has that of the data.
    #expect(error.below(path: Self.path).path == error.path)
    #expect(ArchiveError(.malformed, "is wrong").below(path: Self.path).path == Self.path)
  }

  @Test func causesAreMeasuredToo() {
    let cause = Diagnostic(
      rule: "type", message: "", offset: 3,
      expectation: Expectation(expected: "a number", found: "a string"))
    let whole = Diagnostic(
      rule: "anyOf", message: "", offset: 1, byteCount: 8,
      expectation: Expectation(expected: "", found: "", causes: [cause]))
    let measured = whole.measured { $0 * 10 }
    #expect(measured.byteCount == 8)
    #expect(measured.expectation?.causes.map(\.byteCount) == [30])
  }
}
