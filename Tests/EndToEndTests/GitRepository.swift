// A git repository in which tests run git as a user would, with archtool as its drivers.

import Foundation
import TestSupport
import Testing

/// A temporary repository, set up with lines of the documentation.
struct GitRepository {
  private let folder: TemporaryFolder

  /// Makes a repository, and runs lines of a shell in it.
  init(_ setup: [String]) throws {
    folder = try TemporaryFolder()
    try git("init", "--quiet", "--initial-branch", "main")
    for line in setup {
      let result = try shell(line)
      #expect(result.status == 0, "\(line): \(result.errors)")
    }
  }

  /// The lines about git in README.md: from a comment to the next.
  static func documentedLines(after comment: String) throws -> [String] {
    let readme = TestArchives.root.deletingLastPathComponent().appendingPathComponent("README.md")
    let lines = try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("# ") && $0.contains(comment) })
    return lines[(start + 1)...].prefix { !$0.hasPrefix("#") && !$0.hasPrefix("```") }
      .filter { !$0.isEmpty }
  }

  /// The place of a file.
  func url(_ name: String) -> URL { folder.file(name) }

  /// The bytes of a file.
  func data(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }

  /// Writes a file.
  func write(_ data: Data, to name: String) throws { try data.write(to: url(name)) }

  private static let environment = [
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "PATH": Program.folder + ":"
      + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"),
  ]

  /// Runs git, whatever its exit status.
  @discardableResult
  func run(_ words: [String]) throws -> ProgramResult {
    try Program.run(
      at: try #require(Program.find("git")), words, in: folder.url, environment: Self.environment)
  }

  /// Runs git, which must succeed.
  @discardableResult
  func git(_ words: String...) throws -> String {
    let result = try run(words)
    #expect(result.status == 0, "\(words): \(result.errors)")
    return result.text
  }

  /// Runs a line of a shell.
  @discardableResult
  func shell(_ line: String) throws -> ProgramResult {
    try Program.run(
      at: URL(fileURLWithPath: "/bin/sh"), ["-c", line], in: folder.url,
      environment: Self.environment)
  }

  /// Commits everything.
  func commit(_ subject: String) throws {
    try git("add", "-A")
    try git("commit", "--quiet", "--allow-empty", "-m", subject)
  }
}
