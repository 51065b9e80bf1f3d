// The manual page: complete, correct mdoc, and identical to the installed one.

import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import ArchtoolCommands
@testable import CommandLineInterface

struct ManualPageTests {
  static let source = ManualPage().render()
  static let pages =
    ["archtool.1", "archtool-schema.5", "archtool-journal.5", "archtool-migrate.1"]
    + [
      "archtool-app.7", "archtool-classes.7", "archtool-formats.7", "archtool-lints.7",
      "archtool-tutorial.7",
    ]
  static let file = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("man/archtool.1")
  static let mandoc = Program.find("mandoc")

  /// The page in the folder `man`.
  static func installed(_ name: String) throws -> String {
    let page = file.deletingLastPathComponent().appendingPathComponent(name)
    return try String(contentsOf: page, encoding: .utf8)
  }

  @Test(arguments: ManualPages.names) func isTheFileThatIsInstalled(_ name: String) throws {
    let installed = try Self.installed(name)
    #expect(
      installed == ManualPages.render(name),
      "make it again with: archtool help --manual \(name) > man/\(name)")
    #expect(try Program.run(arguments: ["help", "--manual", name]).text == installed)
  }

  @Test func theProgramKnowsItsPages() throws {
    #expect(try Program.run(arguments: ["help", "--manual"]).text == Self.source)
    let result = try Program.run(arguments: ["help", "--manual", "archtool-x.7"])
    #expect(result.status == 64)
    #expect(result.errors.contains("there are archtool.1, archtool-classes.7"), "\(result.errors)")
    let folder = Self.file.deletingLastPathComponent().path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(files.filter { !$0.hasSuffix(".css") }.sorted() == Self.pages.sorted())
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
      "NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES", "COMMANDS",
      "RUNS OVER SEVERAL FILES", "SCHEMAS", "ADDRESSES", "DATABASES", "GIT",
      "COMING FROM PLUTIL AND PLISTBUDDY", "DIAGNOSTICS", "SEE ALSO", "STANDARDS",
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
    let source = try Self.installed("archtool-formats.7")
    let start = try #require(source.range(of: ".Sh JSON OUTPUT\n"))
    let section = source[start.upperBound...]
    #expect(section.contains("Ql \(tag)") || section.contains("\"\(tag)\": "))
  }

  /// Ql takes all that follows on its line, and would quote a second one within the first.
  @Test(arguments: pages) func quotesNoTermsInOneAnother(page: String) throws {
    let file = TestArchives.root.deletingLastPathComponent().appendingPathComponent("man/" + page)
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    where line.hasPrefix(".") { #expect(line.components(separatedBy: "Ql ").count < 3, "\(line)") }
  }

  @Test(arguments: Lint.allCases)
  func explainsEveryLint(lint: Lint) throws {
    let source = LintsPage.render()
    let end = try #require(source.range(of: ".Sh REPORTS\n"))
    let parts = source[..<end.lowerBound].components(separatedBy: ".Ss Advice\n")
    let item = ".It Sy \(MdocText.argument(lint.rawValue))\n"
    #expect(parts.map { $0.contains(item) } == [!lint.isAdvisory, lint.isAdvisory])
    let text = MdocText.paragraph(HelpText.sentence(lint.explanation))
    #expect(parts.joined().contains(item + text.joined(separator: "\n") + "\n"))
  }

  @Test func namesEveryClassThatIsKnown() throws {
    let source = ClassesPage.render()
    let words = Set(source.split { $0 == " " || $0 == "\n" })
    for family in ClassRegistry.listing.flatMap(\.classes) {
      for name in family.names { #expect(words.contains(Substring(name)), "\(name)") }
      #expect(source.contains(MdocText.paragraph(HelpText.sentence(family.shown))[0]))
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
    (
      "archtool.1",
      [
        "archtool-migrate 1", "archtool-journal 5", "archtool-schema 5", "archtool-classes 7",
        "archtool-formats 7", "archtool-lints 7", "archtool-tutorial 7",
      ]
    ),
    ("archtool-classes.7", ["archtool 1"]), ("archtool-formats.7", ["archtool 1"]),
    ("archtool-lints.7", ["archtool 1", "archtool-schema 5"]),
    ("archtool-tutorial.7", ["archtool 1", "archtool-migrate 1", "archtool-schema 5"]),
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

  @Test(arguments: ManualPages.names + ["archtool-formats.7"])
  func isASCIIWithoutTrailingSpaces(_ name: String) throws {
    for line in try Self.installed(name).split(separator: "\n") {
      #expect(line.utf8.allSatisfy { $0 < 0x80 }, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
  }

  @Test(
    .enabled(if: mandoc != nil, "mandoc is not installed"),
    arguments: ManualPages.names + ["archtool-formats.7"])
  func pleasesMandoc(_ name: String) throws {
    let folder = try TemporaryFolder()
    let page = folder.file(name)
    try Data(try Self.installed(name).utf8).write(to: page)
    let program = try #require(Self.mandoc)
    let lint = try Program.run(at: program, ["-T", "lint", "-W", "warning", page.path])
    #expect(lint.text == "")
    #expect(lint.status == 0)
    let shown = try Program.run(at: program, ["-T", "ascii", "-O", "width=80", page.path])
    // mandoc marks bold and underlined letters by overstriking.
    let text = shown.text.replacing(#/.\x08/#, with: "")
    if name == "archtool.1" {
      #expect(text.contains("archtool create [option ...] --schema NAME[@VERSION] FILE"))
    }
    for line in text.split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }

  /// The pages as HTML: every link leads to a file and a place that is there, or to the web.
  @Test(.enabled(if: mandoc != nil, "mandoc is not installed"))
  func linksOfTheWebPagesWork() throws {
    let folder = try TemporaryFolder()
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Scripts/docs.sh").path
    let result = try Program.run(
      at: URL(fileURLWithPath: "/bin/sh"), [script, folder.url.path])
    #expect(result.status == 0, "\(result.errors)")
    var pages: [String: String] = [:]
    for name in Self.pages.map({ $0 + ".html" }) + ["index.html"] {
      pages[name] = try String(contentsOf: folder.file(name), encoding: .utf8)
    }
    var count = 0
    for (name, text) in pages {
      for match in text.matches(of: #/href="([^"]*)"/#) where !match.1.hasPrefix("https:") {
        count += 1
        let parts = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        if parts[0] == "manual.css" { continue }
        let target = parts[0].isEmpty ? text : pages[String(parts[0])]
        #expect(target != nil, "\(name): \(match.1)")
        if parts.count > 1 {
          #expect(target?.contains("id=\"\(parts[1])\"") == true, "\(name): \(match.1)")
        }
      }
    }
    #expect(count > 200)
  }
}
