// Transcripts: a user's input and the program's output, replayed and compared.

import Foundation
import TestSupport

/// A command of a transcript with what it prints, standard error included.
struct TranscriptStep: Equatable {
  let command: String
  var output: String
}

/// Commands that are run one after another in one folder.
struct Transcript {
  var steps: [TranscriptStep] = []

  /// Reads `$ command` lines with the lines that follow each, which end with a line feed even where CSV has two characters.
  init(_ text: some StringProtocol) {
    // As scalars: CRLF, which ends the lines of CSV, is one character.
    for scalars in String(text).unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      let line = String(String.UnicodeScalarView(scalars))
      if line.hasPrefix("$ ") {
        steps.append(TranscriptStep(command: String(line.dropFirst(2)), output: ""))
      } else if !steps.isEmpty {
        steps[steps.count - 1].output += line + "\n"
      }
    }
    // The line break that ends the text is none of the last output's.
    if let last = steps.last, last.output.hasSuffix("\n") {
      steps[steps.count - 1].output.removeLast()
    }
  }

  /// The transcripts in the `console` blocks of a Markdown file.
  static func blocks(ofMarkdown text: String) -> [Transcript] {
    text.components(separatedBy: "```console\n").dropFirst().map { rest in
      Transcript(rest.components(separatedBy: "```")[0])
    }
  }

  /// The same as text.
  var text: String { steps.map { "$ \($0.command)\n\($0.output)" }.joined() }

  /// Runs the commands in a new folder that holds a copy of TestArchives, and gives what they print.
  func replayed() throws -> Transcript {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(at: TestArchives.root, to: folder.file("TestArchives"))
    return try replayed(in: folder)
  }

  /// Runs the commands in a folder.
  func replayed(in folder: TemporaryFolder) throws -> Transcript {
    var transcript = self
    // The runs of a transcript are the only ones that it knows of.
    let state = try TemporaryFolder()
    for (position, step) in steps.enumerated() {
      let result = try Program.run(
        at: URL(fileURLWithPath: "/bin/sh"), ["-c", "exec 2>&1; " + step.command],
        in: folder.url,
        environment: [
          "PATH": Program.folder + ":"
            + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"), "TZ": "UTC",
          "XDG_STATE_HOME": state.url.path,
        ])
      transcript.steps[position].output = Self.timeless(result.text, in: folder)
    }
    return transcript
  }

  /// An output without what is another each time: moments, how long it took, the names of runs, and the folder.
  private static func timeless(_ text: String, in folder: TemporaryFolder) -> String {
    text.replacing("\r\n", with: "\n")
      .replacing(folder.url.resolvingSymlinksInPath().path, with: "/home/user")
      .replacing(#/, in [0-9.]+ s\n/#, with: ", in 0.0 s\n")
      .replacing(#/started: [-0-9T:]+Z/#, with: "started: 2026-01-01T00:00:00Z")
      .replacing(#/run: [0-9a-f]{16}/#, with: "run: 0123456789abcdef")
      .replacing(#/undo \S*/archtool/\S*\.journal/#, with: "undo JOURNAL")
      .replacing(#/\d{4}-\d\d-\d\dT[0-9:]+Z  (?=[a-z])/#, with: "2026-01-01T00:00:00Z  ")
      .replacing(#/of \d{4}-\d\d-\d\dT[0-9:]+Z, in/#, with: "of 2026-01-01T00:00:00Z, in")
      .replacing(#/ \S*/archtool/\S*\.journal/#, with: " JOURNAL")
  }
}
