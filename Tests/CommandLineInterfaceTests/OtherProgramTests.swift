// Another program, which the engine knows only by its command table.

import Foundation
import TestSupport
import Testing

@testable import CommandLineInterface

struct OtherProgramTests {
  static let table = CommandTable(
    program: "tool", abstract: "do things",
    commands: ["open", "close", "help"],
    describe: { name in
      name == "help"
        ? .help(examples: [:])
        : CommandDescription(
          name: name, abstract: "\(name) things",
          operands: .init(name: "THING", minimum: 1, maximum: 1), options: [width],
          commonOptions: [.help], discussion: "", exits: [])
    }, options: [.help, .version], headings: { [OptionHeading("Size", [width])] },
    synonym: { ["shut": "close", "-c": "close"][$0] }, fileCommand: { _ in "open" },
    folderCommand: "close")

  static let width = OptionDescription.integer("width", in: 1...9, help: "Set the width to N.")

  /// A folder whose name a shell needs in quotes.
  static let quotedFolder: URL = {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("archtool two words")
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }()

  static let file = #filePath
  static let folder = String(file.prefix { $0 != "." }.dropLast("/OtherProgramTests".count))

  @Test(arguments: [
    ("shut", "unknown command 'shut'; did you mean 'close'?"),
    ("clos", "unknown command 'clos'; did you mean 'close'?"),
    (file, "unknown command '\(file)'; did you mean 'tool open \(file)'?"),
    (folder, "unknown command '\(folder)'; did you mean 'tool close \(folder)'?"),
    (
      quotedFolder.path,
      "unknown command '\(quotedFolder.path)'; did you mean: tool close '\(quotedFolder.path)'"
    ),
    ("-c", "unknown option '-c'; did you mean 'tool close'?"),
    ("dump", "unknown command 'dump'; 'tool help' lists the commands"),
    ("cat", "unknown command 'cat'; 'tool help' lists the commands"),
  ])
  func namesWhatWasMeantByTheTable(word: String, message: String) {
    let error = #expect(throws: UsageError.self) {
      try ArgumentParser(table: Self.table).parse([word])
    }
    #expect(error?.line(program: Self.table.program) == "tool: error: \(message)")
  }

  @Test func groupsOptionsByTheTable() throws {
    let help = HelpText(table: Self.table).render(Self.table.command(named: "open"), .brief)
    #expect(help.contains("\nSize:\n      --width N  Set the width to N.\n\nOther options:\n"))
    #expect(help.hasSuffix("\nRun 'tool open --help' for all details.\n"))
  }

  /// Nothing of archtool is in the engine: not its name and not those of its commands.
  @Test func engineKnowsNothingOfArchtool() throws {
    let folder = TestArchives.root.deletingLastPathComponent().appendingPathComponent(
      "Sources/CommandLineInterface")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }.map(folder.appendingPathComponent)
    #expect(files.count > 10)
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      for word in ["archtool", "\"dump", "'dump", " dump ", "migrat", "archives"] {
        #expect(!text.lowercased().contains(word), "\(file.lastPathComponent): \(word)")
      }
    }
  }
}
