// The handwritten manual pages: correct mdoc, and examples that are run as printed.

import Foundation
import TestSupport
import Testing

@Suite struct ManualGuideTests {
  /// A page and the transcript that its examples stand in.
  struct Page: CustomTestStringConvertible, Sendable {
    let name: String
    let transcript: String

    var testDescription: String { name }
    var file: URL {
      TestArchives.root.deletingLastPathComponent().appendingPathComponent("man/" + name)
    }
  }

  static let pages = [
    Page(name: "archtool-schema.5", transcript: "schema-family.txt"),
    Page(name: "archtool-migrate.1", transcript: "migration-guide.txt"),
    Page(name: "archtool-tutorial.7", transcript: "tutorial.txt"),
    Page(name: "archtool-app.7", transcript: "app-guide.txt"),
  ]
  static let mandoc = Program.find("mandoc")

  /// The commands of the page with the output that it shows, as roff prints them.
  private static func examples(of source: String) -> [TranscriptStep] {
    ManualText.displays(of: source).flatMap { Transcript($0).steps }
  }

  @Test(arguments: pages)
  func examplesStandInATranscript(_ page: Page) throws {
    let transcript = TestArchives.root.appendingPathComponent("Transcripts/" + page.transcript)
    let text = try String(contentsOf: transcript, encoding: .utf8)
    let examples = Self.examples(of: try String(contentsOf: page.file, encoding: .utf8))
    #expect(examples.count > 10)
    var steps = Transcript(text).steps[...]
    // In the page's order, since one needs what another has written.
    for example in examples {
      let place = steps.firstIndex { $0.command == example.command }
      let step = steps[try #require(place, "\(example.command)")]
      if !example.output.isEmpty {
        #expect(
          example.output.trimmingCharacters(in: .newlines)
            == step.output.replacingOccurrences(of: "\r\n", with: "\n")
            .trimmingCharacters(in: .newlines), "\(example.command)")
      }
      steps = steps[(try #require(place) + 1)...]
    }
  }

  @Test(arguments: pages)
  func isASCIIWithoutTrailingSpaces(_ page: Page) throws {
    let source = try String(contentsOf: page.file, encoding: .utf8)
    for line in source.split(separator: "\n") {
      #expect(line.utf8.allSatisfy { $0 < 0x80 }, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
  }

  @Test(.enabled(if: mandoc != nil, "mandoc is not installed"), arguments: pages)
  func pleasesMandoc(_ page: Page) throws {
    let program = try #require(Self.mandoc)
    let lint = try Program.run(at: program, ["-T", "lint", "-W", "warning", page.file.path])
    #expect(lint.text == "")
    #expect(lint.status == 0)
    let shown = try Program.run(at: program, ["-T", "ascii", "-O", "width=80", page.file.path])
    // mandoc marks bold and underlined letters by overstriking.
    for line in shown.text.replacing(#/.\x08/#, with: "").split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }

  /// Lines that set up git are those of the README, which are run in a repository.
  @Test func theTutorialSetsUpGitAsTheReadmeDoes() throws {
    let page = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("man/archtool-tutorial.7")
    let displays = ManualText.displays(of: try String(contentsOf: page, encoding: .utf8))
    for subject in ["git diff", "git merge"] {
      let lines = try GitRepository.documentedLines(after: subject).joined(separator: "\n")
      #expect(displays.contains(lines), "\(subject)")
    }
  }
}
