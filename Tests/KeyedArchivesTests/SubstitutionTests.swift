// Archives with renamed classes, opened by Foundation as the renamed app would.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import FileTransactions
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct SubstitutionTests {
  static let formats: [PropertyListSerialization.PropertyListFormat] = [.binary, .xml]

  /// A movie whose values are the very texts that name its class.
  private static var movie: JudgedMovie {
    JudgedMovie(
      title: JudgedMovie.ownName, year: 2009, rating: 64.25,
      sequel: JudgedMovie(title: "$classname", year: -1),
      extra: [JudgedMovie.ownName: "NSObject", "list": [1, "NSObject", 2.5]] as NSDictionary)
  }

  @Test(
    arguments: formats,
    [
      ("KeyedArchivesTests.JudgedMovie=New.Film", "New.Film"),
      ("KeyedArchivesTests.*=New.*", "New.JudgedMovie"),
      ("*.Judged*=New.*Film*", "New.KeyedArchivesTestsFilmMovie"),
    ])
  func foundationOpensTheArchiveUnderTheNewName(
    _ format: PropertyListSerialization.PropertyListFormat, _ rule: (text: String, name: String)
  ) throws {
    let old = JudgedMovie.archive(Self.movie, format)
    let bytes = try #require(try Substituted.bytes(old, classes: [rule.text]))
    #expect(bytes.starts(with: old.prefix(6)))
    let found = try #require(try JudgedMovie.unarchive(bytes, as: rule.name) as? JudgedMovie)
    #expect(found.title == JudgedMovie.ownName)
    #expect(found.year == 2009)
    #expect(found.rating == 64.25)
    #expect(found.extra == Self.movie.extra)
    #expect(found.sequel?.title == "$classname")
    #expect(found.sequel?.year == -1)
  }

  @Test(arguments: formats)
  func recordsAndObjectsAreCounted(
    _ format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let outcome = try Substituted.outcome(
      JudgedMovie.archive(Self.movie, format), classes: ["KeyedArchivesTests.*=New.*", "No=Yes"])
    #expect(outcome.counts.map(\.records) == [1, 0])
    #expect(outcome.counts.map(\.objects) == [2, 0])
  }

  @Test(arguments: formats, [false, true])
  func archivesInDataAreRenamedToo(
    _ format: PropertyListSerialization.PropertyListFormat, _ isPlain: Bool
  ) throws {
    let inner = JudgedMovie.archive(Self.movie, format)
    let middle = JudgedMovie.archive(["movie": inner, "other": Data([1, 2])] as NSDictionary)
    let outer =
      isPlain
      ? try PropertyListSerialization.data(
        fromPropertyList: ["cache": middle], format: format, options: 0)
      : JudgedMovie.archive(["cache": middle] as NSDictionary, format)
    let outcome = try Substituted.outcome(outer, classes: ["\(JudgedMovie.ownName)=New.Film"])
    #expect(outcome.counts.map(\.records) == [1])
    let bytes = try #require(outcome.storage.map { Data($0.bytes) })
    let opened =
      isPlain
      ? try PropertyListSerialization.propertyList(from: bytes, format: nil)
      : try JudgedMovie.unarchive(bytes, as: "New.Film") as Any
    let cache = try #require((opened as? [String: Any])?["cache"] as? Data)
    let pairs = try #require(try JudgedMovie.unarchive(cache, as: "New.Film") as? [String: Any])
    #expect(pairs["other"] as? Data == Data([1, 2]))
    let movie = try #require(pairs["movie"] as? Data)
    let found = try JudgedMovie.unarchive(movie, as: "New.Film") as? JudgedMovie
    #expect(found?.title == JudgedMovie.ownName)
  }

  @Test(arguments: formats)
  func anArchiveWithoutTheClassStaysAsItIs(
    _ format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let outcome = try Substituted.outcome(
      JudgedMovie.archive(Self.movie, format),
      classes: ["JudgedMovie=Film", "Other.*=New.*", "NSObject=NSObject"],
      archiver: "NSKeyedArchiver", drop: ["Other"], keys: ["Other.title=name"])
    #expect(outcome.storage == nil)
    #expect(outcome.counts.allSatisfy { $0.isZero })
  }

  @Test(arguments: formats)
  func thereAndBackIsTheSameArchive(
    _ format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let movie = JudgedMovie(title: "Avatar", year: 2009)
    let old = JudgedMovie.archive(movie, format)
    let new = try #require(
      try Substituted.bytes(old, classes: ["\(JudgedMovie.ownName)=A.MuchLongerNameThanBefore"]))
    let back = try #require(
      try Substituted.bytes(new, classes: ["A.MuchLongerNameThanBefore=\(JudgedMovie.ownName)"]))
    #expect(try Substituted.stored(back) == Substituted.stored(old))
    if format == .binary { #expect(back == old) }
  }

  @Test func twoNamesAreSwapped() throws {
    let archive = ArchivedSample.object("A", ["b": .object("B", ["text": "A"]), "s": "B"]).archive
    let bytes = try #require(try Substituted.bytes(archive, classes: ["A=B", "B=A"]))
    let expected = ArchivedSample.object("B", ["b": .object("A", ["text": "A"]), "s": "B"]).archive
    #expect(try Substituted.stored(bytes) == Substituted.stored(expected))
  }

  @Test func theFirstRuleHolds() throws {
    #expect(try Substituted.name(of: "App.A", under: ["App.*=X.*", "App.A=Y"]) == "X.A")
    #expect(try Substituted.name(of: "App.A", under: ["App.A=Y", "App.*=X.*"]) == "Y")
    #expect(try Substituted.name(of: "App.A", under: ["App.A=App.A", "App.*=X.*"]) == nil)
  }

  @Test func theArchiverGetsItsName() throws {
    let old = JudgedMovie.archive(NSString(string: "NSKeyedArchiver"))
    let bytes = try #require(try Substituted.bytes(old, archiver: "NRKeyedArchiver"))
    let graph = try readGraph(bytes)
    #expect(graph.documents[0].archive?.archiver == "NRKeyedArchiver")
    #expect(graph.foundationObject(graph.root) == NSString(string: "NSKeyedArchiver"))
    #expect(try Substituted.bytes(bytes, archiver: "NSKeyedArchiver") == old)
  }

  static let names: [(rule: String, stored: String, new: String?)] = [
    ("OldApp.Movie=NewApp.Film", "OldApp.Movie", "NewApp.Film"),
    ("OldApp.Movie=NewApp.Film", "OldApp.Movies", nil),
    ("OldApp.Movie=NewApp.Film", "_TtC6OldApp5Movie", "_TtC6NewApp4Film"),
    ("OldApp.*=New.*", "_TtCC6OldApp5Outer5Inner", "_TtCC3New5Outer5Inner"),
    ("OldApp.*=New.*", "_TtCV6OldApp5Movie10MovieClass", "_TtCV3New5Movie10MovieClass"),
    ("OldApp.Outer.Inner=New.Inner", "_TtCV6OldApp5Outer5Inner", "_TtC3New5Inner"),
    ("OldApp.Movie=New.Outer.Movie", "_TtC6OldApp5Movie", "_TtCC3New5Outer5Movie"),
    (
      "Demo.*=Neo.*", "_TtCV4Demo5MovieP33_0123456789ABCDEF0123456789ABCDEF10MovieClass",
      "_TtCV3Neo5MovieP33_0123456789ABCDEF0123456789ABCDEF10MovieClass"
    ),
    ("*Movie=*Film", "_TtC6OldApp5Movie", "_TtC6OldApp4Film"),
    ("_TtC6OldApp5Movie=New.Film", "_TtC6OldApp5Movie", "_TtC3New4Film"),
    ("_TtC6OldApp5Movie=_TtC3New4Film", "OldApp.Movie", "New.Film"),
    ("OldApp.Movie=_TtCV3New1A1B", "_TtC6OldApp5Movie", "_TtCV3New1A1B"),
    ("OldApp.Movie=Plain", "_TtC6OldApp5Movie", "Plain"),
    ("OldApp.Movie=Ñew.Film", "_TtC6OldApp5Movie", "Ñew.Film"),
    ("$s6OldApp5MovieC=New.Film", "_TtC6OldApp5Movie", "_TtC3New4Film"),
    ("OldApp.*=New.*", "_TtGC6OldApp3GenSi_", "New.Gen<Swift.Int>"),
    ("__lldb_expr_*.MovieClass=App.Movie*", "__lldb_expr_11.MovieClass", "App.Movie11"),
    ("A?C=X?Z", "ABC", "XBZ"), ("A?C=X?Z", "AC", nil), ("A?=?", "Aé", "é"),
    ("*.Zone=New.Zone", "Old.Zone", "New.Zone"), ("*.Zone=New.Zone", "New.Zone", nil),
    ("*.Zone=New.Zone", "_TtC6OldApp4Zone", "_TtC3New4Zone"), ("A?=B", "Ax", "B"),
    ("*.*.*=*/*/*", "a.b.c.d", "a/b/c.d"), ("*=*X", "", "X"), ("*a*b=*1*2", "aab", "1a2"),
    ("é=e", "e\u{301}", nil),
  ]

  @Test(arguments: names)
  func aRuleGivesTheName(_ rule: String, _ stored: String, _ new: String?) throws {
    let found = try Substituted.name(of: stored, under: [rule])
    #expect(found.map { Array($0.utf8) } == new.map { Array($0.utf8) })
  }

  /// Rules, what they leave alone, and those of them that a second run would apply to what the first one made.
  static let repeating: [(rules: [String], exempt: [String], found: [String])] = [
    (["MS*=MSAC*"], [], ["MS*=MSAC*"]), (["MS*=MSAC*"], ["MSAC*"], []),
    (["MSAC*=MSAC*", "MS*=MSAC*"], [], []), (["MS*=MSAC*"], ["MSAD*"], ["MS*=MSAC*"]),
    (["*=New.*", "A=B"], [], ["*=New.*"]), (["A=B", "B=A"], [], []), (["A=A"], [], []),
    (["App.*=App.Sub.*"], [], ["App.*=App.Sub.*"]), (["*.Zone=New.Zone"], [], []),
    (["Old.*=New.*"], [], []), (["?=A?"], [], []), (["A*=AB"], [], []),
  ]

  @Test(arguments: repeating)
  func rulesThatMatchTheirOwnResultAreKnown(
    _ rules: [String], _ exempt: [String], _ found: [String]
  ) throws {
    let substitutions = try Substitutions(
      classRenames: rules, archiver: nil, droppedClasses: [], keyRenames: [],
      exemptClasses: exempt)
    #expect(substitutions.repeatingRenames.map(\.text) == found)
  }

  @Test func threeHistoricNamesBecomeOne() throws {
    let archive = ArchivedSample.array([
      .object("A.Zone", ["n": 1]), .object("B.Zone", ["n": 2]), .object("C.Zone", ["n": 3]),
    ]).archive
    let bytes = try #require(try Substituted.bytes(archive, classes: ["*.Zone=C.Zone"]))
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: bytes)
    unarchiver.requiresSecureCoding = false
    unarchiver.setClass(JudgedNumber.self, forClassName: "C.Zone")
    let found = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? [JudgedNumber]
    #expect(found?.map(\.number) == [1, 2, 3])
  }

  @Test func exemptClassesStayAsTheyAre() throws {
    let archive = ArchivedSample.array([
      .object("MSDevice", ["n": 1]), .object("MSACDevice", ["n": 2]),
    ]).archive
    let outcome = try Substituted.outcome(
      archive, classes: ["MS*=MSAC*"], keys: ["MS*.n=m"], exempt: ["MSAC*"])
    #expect(outcome.counts.map(\.objects) == [1, 1])
    let bytes = try #require(outcome.storage.map { Data($0.bytes) })
    let expected = ArchivedSample.array([
      .object("MSACDevice", ["m": 1]), .object("MSACDevice", ["n": 2]),
    ]).archive
    // The two class records stay two.
    #expect(
      try Substituted.stored(bytes).replacing("m", with: "n")
        != Substituted.stored(archive).replacing("m", with: "n"))
    let (new, wanted) = (try readGraph(bytes), try readGraph(expected))
    #expect(new.foundationObject(new.root) == wanted.foundationObject(wanted.root))
    let dropped = try Substituted.outcome(archive, drop: ["MS*"], exempt: ["MSAC*"])
    #expect(dropped.counts.map(\.objects) == [1])
  }

  @Test(arguments: [
    "", "A", "=", "A=", "=B", "A=B=C", "A*=B?", "A=B*", "A?=B*", "*?=**", "*.*=*",
  ])
  func whatIsNoRuleIsRefused(_ rule: String) throws {
    let error = #expect(throws: ArchiveError.self) { _ = try ClassRename(rule: rule) }
    #expect(error?.code == .malformed)
    #expect(error?.message.contains("'\(rule)'") == true)
  }

  @Test(arguments: ["", "A.b", "b=c", ".b=c", "A.=c", "A.b=", "A.b=c=d"])
  func whatIsNoRuleForKeysIsRefused(_ rule: String) throws {
    let error = #expect(throws: ArchiveError.self) { _ = try KeyRename(rule: rule) }
    #expect(error?.code == .malformed)
  }
}
