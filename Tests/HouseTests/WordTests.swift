// Names and comments use the field's words.

import Foundation
import TestSupport
import Testing

@Suite struct WordTests {
  /// Words that once had other meanings here than a reader expects, in all their forms.
  static let avoided: [Substring] = [
    "blueprint", "company", "judge", "neighbour", "proof", "proved", "rival", "sight", "site",
    "spell", "spelling", "spelt", "spot", "station", "stranger", "told", "travel", "twin", "untold",
  ]
  /// The same for names of several words.
  static let avoidedNames: Set<Substring> = [
    "giveBack", "goOn", "mayHold", "putOut", "standsInHolder", "takeMyself",
  ]

  static let files: [String] = {
    let folder = TestArchives.root.deletingLastPathComponent().appendingPathComponent("Sources")
    let walk = FileManager.default.enumerator(atPath: folder.path)
    let names = walk?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".swift") }.map { folder.appendingPathComponent($0).path }
  }()

  private static func isAvoided(_ word: Substring) -> Bool {
    avoided.contains { [$0, $0 + "s", $0 + "ed", $0 + "d"].contains(word) }
  }

  /// The words of names, and those of comments, outside string literals.
  static func avoidedWords(of text: String) -> [String] {
    text.replacing(/"(?:\\.|[^"\\\n])*"/, with: "").matches(of: /[A-Za-z]+/).flatMap { name in
      if avoidedNames.contains(name.0) { return [String(name.0)] }
      let words = name.0.matches(of: /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/).map { $0.0.lowercased() }
      return words.filter { isAvoided($0[...]) }
    }
  }

  @Test func arePlain() throws {
    #expect(Self.files.count > 100)
    for file in Self.files {
      let found = Self.avoidedWords(of: try String(contentsOfFile: file, encoding: .utf8))
      #expect(found == [], "\(file)")
    }
  }

  /// A name that was given to paths, positions, pointers and files alike.
  @Test func nothingIsNamedPlace() throws {
    for file in Self.files {
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let code = text.replacing(/"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|\/\/.*/, with: "")
      #expect(code.matches(of: /\bplaces?\b/).isEmpty, "\(file)")
    }
  }

  @Test(arguments: [
    ("let spot = 1  // a proof", ["spot", "proof"]), ("untoldStrangers", ["untold", "strangers"]),
    ("func giveBack()", ["giveBack"]), ("\"a spot\" // opposite", []),
    ("isSpelled, provedIt", ["spelled", "proved"]),
  ])
  func areFound(_ text: String, _ words: [String]) {
    #expect(Self.avoidedWords(of: text) == words)
  }
}
