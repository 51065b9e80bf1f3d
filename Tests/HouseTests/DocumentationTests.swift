// The pages for maintainers name files and types that exist.

import Foundation
import TestSupport
import Testing

@Suite struct DocumentationTests {
  private static let project = TestArchives.root.deletingLastPathComponent()

  static let pages: [String] = {
    let folder = project.appendingPathComponent("Documentation").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted()
  }()

  /// The names of the project's Swift files, and all words in them.
  private static let sources: (names: Set<String>, words: Set<Substring>) = {
    var names: Set<String> = []
    var words: Set<Substring> = []
    for top in ["Package.swift", "Sources", "Tests"] {
      let folder = project.appendingPathComponent(top)
      let walk = FileManager.default.enumerator(atPath: folder.path)
      var files = walk?.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") } ?? []
      if files.isEmpty { files = [""] }
      for file in files {
        let path = file.isEmpty ? folder : folder.appendingPathComponent(file)
        names.insert(path.lastPathComponent)
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
          words.insert(word)
        }
      }
    }
    return (names, words)
  }()

  @Test func allPagesAreThere() {
    #expect(Self.pages.count >= 5)
  }

  @Test(arguments: pages)
  func namesFilesAndTypesThatExist(_ page: String) throws {
    let path = Self.project.appendingPathComponent("Documentation").appendingPathComponent(page)
    let text = try String(contentsOf: path, encoding: .utf8)
    for match in text.matches(of: /`([^`\n]+)`/) {
      for file in match.1.matches(of: /[\w+]+\.swift/) {
        let isThere = Self.sources.names.contains(String(file.0))
        #expect(isThere, "\(match.1)")
      }
      // A type of two words or more, with or without a member of it.
      guard !match.1.hasSuffix(".swift"),
        let type = match.1.wholeMatch(of: /([A-Z]\w*[a-z][A-Z]\w*)(\.\w+(\([\w:]*\))?)?/)
      else { continue }
      let isThere = Self.sources.words.contains(type.1)
      #expect(isThere, "\(match.1)")
    }
  }
}
