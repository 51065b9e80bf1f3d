// Every transcript and every README example prints the recorded output.

import CommandLineInterface
import Foundation
import TestSupport
import Testing

@testable import ArchtoolCommands

@Suite struct TranscriptTests {
  static let folder = TestArchives.root.appendingPathComponent("Transcripts")
  static let files =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted()
    ?? []
  static let updates = ProcessInfo.processInfo.environment["ARCHTOOL_UPDATE_TRANSCRIPTS"] == "1"

  @Test func areThere() { #expect(Self.files.count > 3) }

  @Test(arguments: files)
  func transcriptPrintsWhatItSays(_ file: String) throws {
    let url = Self.folder.appendingPathComponent(file)
    let expected = Transcript(try String(contentsOf: url, encoding: .utf8))
    let actual = try expected.replayed()
    if Self.updates {
      try actual.text.write(to: url, atomically: true, encoding: .utf8)
      return
    }
    for (wanted, found) in zip(expected.steps, actual.steps) {
      #expect(found.output == wanted.output, "\(file): \(wanted.command)")
    }
  }

  @Test func readmeExamplesPrintWhatTheySay() throws {
    let url = TestArchives.root.deletingLastPathComponent().appendingPathComponent("README.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(at: TestArchives.root, to: folder.file("TestArchives"))
    let blocks = Transcript.blocks(ofMarkdown: text)
    #expect(blocks.count > 1)
    for block in blocks {
      let replayed = try block.replayed(in: folder)
      for (wanted, found) in zip(block.steps, replayed.steps) {
        #expect(found.output == wanted.output, "README.md: \(wanted.command)")
      }
    }
  }

  /// The ten commands of the README need nothing but an empty folder.
  @Test func tenCommandsLeadFromNothingToAnUndoneFolder() throws {
    let url = TestArchives.root.deletingLastPathComponent().appendingPathComponent("README.md")
    let blocks = Transcript.blocks(ofMarkdown: try String(contentsOf: url, encoding: .utf8))
    let steps = try #require(blocks.first).steps
    #expect(steps.count == 10)
    for word in ["create", "validate", "migrate", "undo"] {
      #expect(steps.contains { $0.command.contains("archtool \(word)") }, "\(word)")
    }
    let folder = try TemporaryFolder()
    let replayed = try #require(blocks.first).replayed(in: folder)
    for (wanted, found) in zip(steps, replayed.steps) {
      #expect(found.output == wanted.output, "\(wanted.command)")
    }
  }

  /// So do the commands for users of plutil and PlistBuddy.
  @Test func habitsAreInATranscript() throws {
    let url = Self.folder.appendingPathComponent("plutil.txt")
    let steps = Transcript(try String(contentsOf: url, encoding: .utf8)).steps.map(\.command)
    for habit in ManualPage.habits { #expect(steps.contains(habit.value), "\(habit.value)") }
  }

  /// The manual page's examples stand in a transcript, so that they are run as they are printed.
  @Test(arguments: Commands.table.commands)
  func manualExamplesAreInATranscript(_ command: CommandDescription) throws {
    let url = Self.folder.appendingPathComponent("manual-examples.txt")
    let steps = Transcript(try String(contentsOf: url, encoding: .utf8)).steps
    for example in command.examples {
      #expect(steps.contains { $0.command == example.command }, "\(example.command)")
    }
  }
}
