// The manual page: complete, correct mdoc, and identical to the installed one.

import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import CommandLineInterface
@testable import Commands

struct ManualPageTests {
  static let source = ManualPage().render()
  static let file = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("man/archtool.1")
  static let mandoc = Program.find("mandoc")

  @Test func isTheFileThatIsInstalled() throws {
    let installed = try String(contentsOf: Self.file, encoding: .utf8)
    #expect(
      installed == Self.source,
      "make it again with: archtool help --manual > man/archtool.1")
  }

  @Test(arguments: Commands.table.commands)
  func describesEveryCommand(command: CommandDescription) throws {
    let lines = Self.source.split(separator: "\n")
    #expect(lines.contains(".Cm \(command.name)"))
    let start = try #require(lines.firstIndex(of: ".Ss archtool \(command.name)"))
    let section = lines[lines.index(after: start)...].prefix { !$0.hasPrefix(".S") }
    for option in command.options {
      let items = section.filter { line in
        line.hasPrefix(".It ") && line.split(separator: " ").contains("-\(option.name)")
      }
      #expect(items.count == (option.isHidden ? 0 : 1), "\(option.name)")
    }
    for option in command.commonOptions {
      #expect(lines.contains { $0.hasPrefix(".It ") && $0.contains("Fl -\(option.name)") })
    }
    for example in command.examples {
      #expect(lines.contains { $0 == "$ " + MdocText.literal(example.command) })
    }
  }

  @Test func hasTheSectionsOfAManualInTheirOrder() {
    let titles = Self.source.split(separator: "\n").filter { $0.hasPrefix(".Sh ") }
    let expected = [
      "NAME", "SYNOPSIS", "DESCRIPTION", "FORMATS", "DATABASES", "ENVELOPES", "SCHEMAS", "LINTS",
      "CLASSES", "JSON OUTPUT", "RUNS OVER SEVERAL FILES", "REPORTS", "PATHS", "ENVIRONMENT",
      "EXIT STATUS", "EXAMPLES", "COMING FROM PLUTIL AND PLISTBUDDY", "DIAGNOSTICS", "SEE ALSO",
      "STANDARDS",
    ]
    #expect(titles.map { $0.dropFirst(4) } == expected.map { $0[...] })
  }

  /// The tags that a dump in JSON puts before what JSON itself cannot say.
  @Test(arguments: [
    "$array", "$class", "$data", "$date", "$entries", "$float", "$id", "$int", "$object",
    "$orderedSet", "$real", "$ref", "$set", "$uid", "$value", "$inline", "$boxed", "$types", "$0",
    "$lost",
  ])
  func explainsEveryTagOfTheJSON(tag: String) throws {
    let start = try #require(Self.source.range(of: ".Sh JSON OUTPUT\n"))
    let end = try #require(Self.source.range(of: ".Sh REPORTS\n"))
    let section = Self.source[start.upperBound..<end.lowerBound]
    #expect(section.contains("Ql \(tag)") || section.contains("\"\(tag)\": "))
  }

  /// Ql takes all that follows on its line, and would quote a second one within the first.
  @Test(arguments: ["archtool.1", "archtool-schema.5", "archtool-journal.5", "archtool-migrate.1"])
  func quotesNoTermsInOneAnother(page: String) throws {
    let file = TestArchives.root.deletingLastPathComponent().appendingPathComponent("man/" + page)
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    where line.hasPrefix(".") { #expect(line.components(separatedBy: "Ql ").count < 3, "\(line)") }
  }

  @Test(arguments: Lint.allCases)
  func explainsEveryLint(lint: Lint) throws {
    let start = try #require(Self.source.range(of: ".Sh LINTS\n"))
    let end = try #require(Self.source.range(of: ".Sh CLASSES\n"))
    let parts = Self.source[start.upperBound..<end.lowerBound].components(
      separatedBy: ".Ss Advice\n")
    let item = ".It Sy \(MdocText.argument(lint.rawValue))\n"
    #expect(parts.map { $0.contains(item) } == [!lint.isAdvisory, lint.isAdvisory])
    let text = MdocText.paragraph(HelpText.sentence(lint.explanation))
    #expect(parts.joined().contains(item + text.joined(separator: "\n") + "\n"))
  }

  @Test func namesEveryClassThatIsKnown() throws {
    let start = try #require(Self.source.range(of: ".Sh CLASSES\n"))
    let end = try #require(Self.source.range(of: ".Sh JSON OUTPUT\n"))
    let words = Set(
      Self.source[start.upperBound..<end.lowerBound].split { $0 == " " || $0 == "\n" })
    for family in ClassRegistry.listing.flatMap(\.classes) {
      for name in family.names { #expect(words.contains(Substring(name)), "\(name)") }
      #expect(Self.source.contains(MdocText.paragraph(HelpText.sentence(family.shown))[0]))
    }
  }

  @Test func listsEveryExitStatus() {
    for status in ExitStatus.allCases {
      #expect(Self.source.contains("\n.It Sy \(status.rawValue)\n\(status.meaning)\n"))
    }
  }

  /// What the environment says to the program: the variables that its sources read.
  @Test(arguments: [
    "ARCHTOOL_SCHEMAS", "COLUMNS", "HOME", "NO_COLOR", "TERM", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
  ])
  func explainsEveryVariable(name: String) throws {
    let start = try #require(Self.source.range(of: ".Sh ENVIRONMENT\n"))
    let end = try #require(Self.source.range(of: ".Sh EXIT STATUS\n"))
    #expect(Self.source[start.upperBound..<end.lowerBound].contains(".It Ev \(name)\n"))
  }

  /// Each page leads to those that go on with its matter.
  @Test(arguments: [
    ("archtool.1", ["archtool-migrate 1", "archtool-journal 5", "archtool-schema 5"]),
    ("archtool-migrate.1", ["archtool 1", "archtool-journal 5", "archtool-schema 5"]),
    ("archtool-journal.5", ["archtool 1", "archtool-migrate 1"]),
    ("archtool-schema.5", ["archtool 1", "archtool-migrate 1"]),
  ])
  func pagesLeadToEachOther(page: String, others: [String]) throws {
    let file = Self.file.deletingLastPathComponent().appendingPathComponent(page)
    let text = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(
      of: "\\-", with: "-")
    let end = try #require(text.components(separatedBy: "\n.Sh SEE ALSO\n").last)
    let found = end.split(separator: "\n").prefix { $0.hasPrefix(".Xr ") }
    for other in others {
      #expect(found.contains { $0.hasPrefix(".Xr \(other)") }, "\(other)")
    }
  }

  @Test func isASCIIWithoutTrailingSpaces() {
    for line in Self.source.split(separator: "\n") {
      #expect(line.utf8.allSatisfy { $0 < 0x80 }, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
  }

  @Test(.enabled(if: mandoc != nil, "mandoc is not installed"))
  func pleasesMandoc() throws {
    let folder = try TemporaryFolder()
    let page = folder.file("archtool.1")
    try Data(Self.source.utf8).write(to: page)
    let program = try #require(Self.mandoc)
    let lint = try Program.run(at: program, ["-T", "lint", "-W", "warning", page.path])
    #expect(lint.text == "")
    #expect(lint.status == 0)
    let shown = try Program.run(at: program, ["-T", "ascii", "-O", "width=80", page.path])
    // mandoc marks bold and underlined letters by overstriking.
    let text = shown.text.replacing(#/.\x08/#, with: "")
    #expect(text.contains("archtool create --schema NAME[@VERSION]"))
    for line in text.split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }
}
