// The commands of BROWSER: where the page belongs in them.

import Testing

@testable import ArchtoolCommands

struct BrowserTests {
  @Test(arguments: [
    ("firefox", "firefox /tmp/a.html"), ("firefox %s", "firefox /tmp/a.html"),
    ("firefox --new-tab=%s -x", "firefox --new-tab=/tmp/a.html -x"),
    ("sh -c 'echo %%s'", "sh -c 'echo %s' /tmp/a.html"), ("br 5%", "br 5% /tmp/a.html"),
  ])
  func thePageIsWhereTheCommandHasIt(_ command: String, _ line: String) {
    #expect(Browser(command: command).line(for: "/tmp/a.html") == line)
  }

  @Test func aPathIsOneWord() {
    #expect(Browser(command: "x %s").line(for: "/tmp/a b;c") == "x '/tmp/a b;c'")
  }
}
