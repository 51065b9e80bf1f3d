// archtool as git's external diff program and text converter, set up as the README says, in a real repository.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Program.find("git") != nil, "git is not installed"))
struct GitDiffTests {
  private let bench: TemporaryFolder

  init() throws {
    bench = try TemporaryFolder()
    try git("init", "--quiet")
    try git("config", "diff.archtool.command", "\"\(Program.folder)/archtool\" diff --git")
    try git("config", "diff.archtool.textconv", "\"\(Program.folder)/archtool\" dump")
    try Data("*.plist diff=archtool\n".utf8).write(to: bench.file(".gitattributes"))
    try put("Movie/v1", "a.plist")
    try put("Movie/v2", "gone.plist")
    try git("add", "-A")
    try git("commit", "--quiet", "-m", "first")
  }

  @discardableResult
  private func git(_ words: String...) throws -> String {
    let program = try #require(Program.find("git"))
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    let result = try Program.run(
      at: program, identity + words, in: bench.url,
      environment: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"])
    #expect(result.status == 0, "\(words): \(result.errors)")
    return result.text
  }

  private func put(_ archive: String, _ name: String) throws {
    try Data(contentsOf: TestArchives.root.appendingPathComponent(archive))
      .write(to: bench.file(name))
  }

  @Test func showsValuesInsteadOfBytes() throws {
    try put("Actor/v1", "a.plist")
    try FileManager.default.removeItem(at: bench.file("gone.plist"))
    try put("Movie/v0-mirror-class", "new.plist")
    try Data("no archive".utf8).write(to: bench.file("other.txt"))
    try git("add", "-A")
    let text = try git("diff", "--cached")
    #expect(
      text.contains("diff --git a/a.plist b/a.plist\n- $.director: \"James Cameron\"\n"), "\(text)")
    #expect(text.contains("~ $.name: \"Avatar\" → \"Sam Worthington\"\n"), "\(text)")
    #expect(
      text.contains("diff --git a/gone.plist b/gone.plist\ndeleted file\n- $: data"), "\(text)")
    #expect(text.contains("diff --git a/new.plist b/new.plist\nnew file\n+ $: "), "\(text)")
    #expect(text.contains("+no archive"), "\(text)")
  }

  @Test func tellsThatOnlyTheFormChanged() throws {
    try put("Movie/v2", "a.plist")
    #expect(try git("diff") == "diff --git a/a.plist b/a.plist\nequal values\n")
  }

  @Test func showsWhatCannotBeRead() throws {
    try put("Broken/truncated", "a.plist")
    let text = try git("diff")
    #expect(text.contains("Files a/a.plist and b/a.plist differ"), "\(text)")
  }

  @Test func convertsToTextWhereGitComparesItself() throws {
    try put("Actor/v1", "a.plist")
    try git("commit", "--quiet", "-am", "second")
    let text = try git("show", "--no-ext-diff")
    #expect(text.contains("-├─ director: \"James Cameron\"\n"), "\(text)")
  }
}
