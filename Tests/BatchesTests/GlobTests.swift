// Patterns of names and paths.

import ArchiveBatches
import CommandLineInterface
import Testing

@Suite struct GlobTests {
  @Test(arguments: [
    // Names.
    ("*.plist", "a.plist", true), ("*.plist", "b/c/a.plist", true),
    ("*.plist", "a.plist.old", false),
    ("*.plist", "a.plist/b", false), ("a", "a", true), ("a", "b/a", true), ("a", "ab", false),
    ("?", "é", true), ("?", "ab", false), ("?", "", false), ("*", "", false), ("a*", "a", true),
    ("*a*b*", "xxaxxbxx", true), ("*a*b*", "xxbxxaxx", false), (".*", ".git", true),
    ("*", ".hidden", true),
    // Sets.
    ("[abc]", "b", true), ("[abc]", "d", false), ("[!abc]", "d", true), ("[^abc]", "a", false),
    ("v[0-9]*", "v2-feed", true), ("v[0-9]*", "vx", false), ("[]]", "]", true),
    ("[!]]", "]", false),
    ("[a-]", "-", true), ("[a", "[a", true), ("a[", "a[", true), ("[\\]]", "]", true),
    // What stands for itself.
    ("\\*", "*", true), ("\\*", "a", false), ("a\\", "a\\", true), ("{a,b}", "a", false),
    // Paths.
    ("b/*", "b/a", true), ("b/*", "b/c/a", false), ("b/*", "x/b/a", false), ("/b", "b", true),
    ("/b", "a/b", false), ("./b/a", "b/a", true), ("b/a", "./b/a", true), ("*/a", "b/a", true),
    ("*/a", "a", false), ("a/", "a", true), ("a/", "b/a", false),
    // Any folders.
    ("**/a", "a", true), ("**/a", "b/a", true), ("**/a", "b/c/a", true), ("**/a", "b/c/ab", false),
    ("b/**", "b/c/a", true), ("b/**", "b", false), ("b/**", "c/b", false),
    ("b/**/a", "b/a", true), ("b/**/a", "b/c/d/a", true), ("b/**/a", "c/b/a", false),
    ("**/b/**", "x/b/y", true), ("**/b/**", "b/y/z", true), ("**/b/**", "x/y", false),
    ("**/a/**/b/c", "a/b/x/b/c", true), ("**", "a", true), ("a**b", "axxb", true),
    ("**/v1/*.plist", "x/v1/y/v1/a.plist", true),
  ])
  func matches(pattern: String, path: String, isMatch: Bool) {
    #expect(Glob(pattern).matches(path) == isMatch, "\(pattern) \(path)")
  }

  @Test func staysFastWhenStarsMultiply() {
    let name = String(repeating: "a", count: 5000)
    #expect(!Glob(String(repeating: "*a", count: 500) + "b").matches(name))
    let path = Array(repeating: "a", count: 2000).joined(separator: "/")
    #expect(!Glob(String(repeating: "**/a/", count: 200) + "b").matches(path))
  }
}
