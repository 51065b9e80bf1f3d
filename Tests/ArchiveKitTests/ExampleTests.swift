// The examples in the library's documentation compile, and do what the documentation states.

import Foundation
import TestSupport
import Testing

@Suite struct ExampleTests {
  private static let project = TestArchives.root.deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: project.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func theProgramOfTheTutorialListsTheClassesOfAnArchive() throws {
    let program = try Self.text("Tests/ListClasses/main.swift")
    let displays = ManualText.displays(of: try Self.text("man/archtool-tutorial.7"))
    #expect(displays.contains(program.trimmingCharacters(in: .newlines)))
    let file = TestArchives.root.appendingPathComponent("Movie/v0-nested-class").path
    let result = try Program.run("ListClasses", [file])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text.contains("App.Movie.MovieClass\n"), "\(result.text)")
  }

  /// Each block of Swift in the articles is a part of a file that is compiled with these tests.
  @Test(arguments: ["ReadingAnArchive.md", "EncodingEnvelopeModel.md", "TeachingAClass.md"])
  func examplesOfArticlesAreCompiled(_ article: String) throws {
    let compiled = try Self.text("Tests/ArchiveKitTests/ArticleExamples.swift")
      .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "\n")
    let blocks = try Self.text("Sources/ArchiveKit/ArchiveKit.docc/\(article)")
      .components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    try #require(!blocks.isEmpty)
    for block in blocks {
      let lines = block.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(compiled.contains(lines.joined(separator: "\n")), "\(block)")
    }
  }
}
