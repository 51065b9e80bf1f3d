// Class names as archives store them, as people read them and as patterns match them.
// The expected texts come from the toolchain's `swift-demangle`, which is run again if it is installed.

import Foundation
import TestSupport
import Testing

@testable import ArchiveWriting
@testable import KeyedArchives

@Suite struct ClassNameTests {
  @Test(arguments: ClassNameCases.understood)
  func isDisplayedAsPeopleReadIt(_ name: ClassNameCases.Name) {
    let className = ClassName(stored: name.stored)
    #expect(className.display == name.display)
    #expect(className.description == name.display)
    #expect(className.stored == name.stored)
  }

  @Test(arguments: ClassNameCases.notUnderstood)
  func isDisplayedAsStoredWhereItIsNotUnderstood(_ stored: String) {
    #expect(ClassName(stored: stored).display == stored)
  }

  @Test(arguments: ClassNameCases.paths)
  func isTakenApart(_ path: ClassNameCases.Path) {
    let className = ClassName(stored: path.stored)
    #expect(className.components == path.components)
    #expect(className.plainComponents == path.plain)
    #expect(className.module == path.module)
  }

  @Test(arguments: ClassNameCases.patterns)
  func isMatchedByPatterns(_ match: ClassNameCases.Match) {
    #expect(ClassName(stored: match.stored).matches(pattern: match.pattern) == match.isExpected)
  }

  @Test func namesWithOneStoredTextAreEqual() {
    let stored = "_TtCV3App5Movie10MovieClass"
    #expect(ClassName(stored: stored) == ClassName(stored: stored))
    #expect(ClassName(stored: stored) != ClassName(stored: "App.Movie.MovieClass"))
  }

  /// A backtracking matcher would need more steps here than there is time for.
  @Test func patternsOfManyStarsAreMatchedInBoundedTime() {
    let name = ClassName(stored: String(repeating: "a", count: 3000))
    let pattern = String(repeating: "*a", count: 400)
    let time = ProcessorTime.seconds {
      #expect(name.matches(pattern: pattern))
      #expect(!name.matches(pattern: pattern + "*b"))
    }
    #expect(time < 5)
  }
}

// MARK: - The judge

@Suite(.enabled(if: SwiftDemangle.path != nil, "swift-demangle is not installed beside swift"))
struct ClassNameJudgeTests {
  @Test func knownNamesAreSpelledAsTheToolchainSpellsThem() throws {
    let names = ClassNameCases.understood
    let spellings = try SwiftDemangle.spell(names.map(\.stored))
    for (name, spelling) in zip(names, spellings) {
      #expect(name.display == spelling, "\(name.stored)")
    }
  }

  /// Each letter that stands for a type of the standard library.
  @Test func standardTypesAreSpelledAsTheToolchainSpellsThem() throws {
    let letters = (UInt8(ascii: "A")...UInt8(ascii: "z")).map { String(Unicode.Scalar($0)) }
    let understood = letters.map { ClassName(stored: "$sS\($0)D") }
      .filter { $0.display != $0.stored }
    let spellings = try SwiftDemangle.spell(understood.map(\.stored))
    for (name, spelling) in zip(understood, spellings) {
      #expect(name.display == spelling, "\(name.stored)")
    }
    #expect(understood.count > 20)
  }

  /// Names cut short and mutated: each that is understood must mean what the toolchain says it means.
  @Test func damagedNamesAreSpelledAsTheToolchainSpellsThemOrAsStored() throws {
    var mutator = NameMutator(seed: 20_190_406)
    let names = ClassNameCases.prefixes + (0..<10_000).map { _ in mutator.mutatedName() }
    let understood = names.map { ClassName(stored: $0) }.filter { $0.display != $0.stored }
    let spellings = try SwiftDemangle.spell(understood.map(\.stored))
    for (name, spelling) in zip(understood, spellings) {
      #expect(name.display == spelling, "\(name.stored)")
    }
    #expect(understood.count > 300, "The comparison must not be empty.")
  }
}

// MARK: - Hostile names

@Suite struct HostileClassNameTests {
  /// What must hold of any name whatever.
  private func check(_ stored: String) {
    let name = ClassName(stored: stored)
    #expect(!name.display.isEmpty)
    #expect(name.stored == stored)
    #expect(name.display.utf8.count <= max(stored.utf8.count, 16_384))
    for parts in [name.components, name.plainComponents] where parts.isEmpty || parts.contains("") {
      Issue.record("An empty part in \(parts) of \(stored)")
    }
    #expect(name.components.count == name.plainComponents.count)
  }

  @Test func namesCutShortAnywhereAreShown() {
    for name in ClassNameCases.prefixes { check(name) }
  }

  @Test func mutatedNamesAreShownInBoundedTime() {
    let given = ProcessInfo.processInfo.environment["ARCHTOOL_SEED"].flatMap { UInt64($0) }
    let seed = given ?? 1
    var mutator = NameMutator(seed: seed)
    let time = ProcessorTime.seconds {
      for _ in 0..<10_000 { check(mutator.mutatedName()) }
    }
    #expect(time < 60, "seed \(seed)")
  }

  /// The names are whole at every depth, so that nothing but the depth can be why one is refused.
  @Test(arguments: [
    ("contexts", "C", "3App", "1A"), ("generic arguments", "GC3App1A", "Si", "_"),
    ("tuples", "T", "Si", "_"), ("functions", "F", "T_", "T_"), ("metatypes", "M", "Si", ""),
    ("extensions", "VE3App", "C3App1B", "1A"), ("local classes", "CF", "C3App1B", "1fFT_T_L_1A"),
    ("existential metatypes", "PM", "P_", ""),
  ])
  func deepNestingIsRefusedInBoundedTime(
    _ what: String, open: String, core: String, close: String
  ) {
    let time = ProcessorTime.seconds {
      for depth in [10, 63, 64, 65, 100, 400, 4000, 100_000] {
        let name =
          "_Tt" + String(repeating: open, count: depth) + core
          + String(repeating: close, count: depth)
        check(name)
        #expect(ClassName(stored: name).display != name || depth > 10, "\(what) \(depth)")
        #expect(ClassName(stored: name).display == name || depth < 65, "\(what) \(depth)")
      }
    }
    #expect(time < 10, "\(what)")
  }

  /// Each type is a pair of the one before it, so the text doubles while the name grows by a few bytes.
  @Test func textThatDoublesIsRefusedInBoundedTime() {
    func doubled(_ levels: Int) -> String {
      let types = (1..<levels).map { "CGS0_S\($0)_S\($0)__1A" }
      return "_TtTCGC3App1PSiSi_1A" + types.joined() + "_"
    }
    let time = ProcessorTime.seconds {
      for levels in 1...60 { check(doubled(levels)) }
      #expect(ClassName(stored: doubled(6)).display != doubled(6))
      #expect(ClassName(stored: doubled(20)).display == doubled(20))
      #expect(ClassName(stored: ClassNameCases.doubledNewName(levels: 6)).module == "Demo")
      for levels in [12, 30, 60, 200] {
        let name = ClassNameCases.doubledNewName(levels: levels)
        check(name)
        #expect(ClassName(stored: name).display == name)
      }
    }
    #expect(time < 10)
  }

  @Test func numbersThatOverflowAreRefused() {
    let counts = [
      "99999999999999999999", "9223372036854775807", "18446744073709551616", "4294967295",
    ]
    for count in counts {
      for name in [
        "_TtC\(count)A1B", "_TtC3App\(count)A", "_TtGC3App1AS\(count)__", "_TtC3AppL\(count)_1A",
        "$s\(count)A1BC", "$s3App1ACA\(count)_", "$s3App1ACA\(count)a", "$s3App1ACyS\(count)iG",
        "_TtCX\(count)abc", "$s00\(count)abc", "_TtC3AppX13JJJJJJJJJJJJJ",
        "$s3App0013JJJJJJJJJJJJJC",
      ] {
        #expect(ClassName(stored: name).display == name)
      }
    }
  }

  @Test func namesBeyondTheLengthBoundAreShownAsStored() {
    func name(length: Int) -> String { "_TtC1A\(length)\(String(repeating: "a", count: length))" }
    #expect(ClassName(stored: name(length: 4000)).components.count == 2)
    #expect(ClassName(stored: name(length: 4090)).display == name(length: 4090))
  }
}
