// Relative URLs resolved against their bases, checked against Foundation.

import ArchiveBasics
import Foundation
import Testing

@testable import KeyedArchives

@Suite struct URLReferenceTests {
  @Test(
    arguments: [
      "../x", "./x", "x", "../../x", "../../../x", "..", ".", "../", "./", "x/../y", "x/./y/..",
      "/../x", "/x/./../y", "?q", "#f", "..x", "x/..", "//h/p/../q", "s:a/../b",
    ], ["http://a/b/c/d;p?q", "http://a", "http://a/", "file:///a/b/", "http://a/b/../c"])
  func resolvesAsFoundationDoes(_ reference: String, _ base: String) throws {
    let url = try #require(URL(string: reference, relativeTo: URL(string: base)))
    #expect(URLReference.resolve(reference, against: base) == url.absoluteString)
  }

  /// RFC 3986 section 5.2.4, where the path of the base begins with no slash.
  @Test(arguments: [
    ("../x", "a/b", "/x"), ("../x", "a/b/c", "a/x"), ("x", "a/b", "a/x"),
    ("../../x", "a/b/c", "/x"),
    ("./x", "a/b", "a/x"), ("..", "a/b", "/"), ("../x", "b", "x"),
  ])
  func removesSegmentsOfAPathWithoutARoot(
    _ reference: String, _ base: String, _ resolved: String
  ) {
    #expect(URLReference.resolve(reference, against: base) == resolved)
  }

  /// The grammar of RFC 3986 is one of octets; a mark and the combining character after it are one character of Swift.
  @Test(arguments: ["#", "?", "/"])
  func marksCountBeforeCombiningCharacters(_ mark: String) {
    let rest = mark + "\u{301}x"
    let kept = mark == "/" ? "s://h" : "s://h/a/b"
    #expect(URLReference.resolve(rest, against: "s://h/a/b") == kept + rest)
    #expect(URLReference.resolve("../y", against: "s://h/a/\u{301}b/c") == "s://h/a/y")
  }
}
