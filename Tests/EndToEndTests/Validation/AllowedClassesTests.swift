// `--allow-classes` and `--lint`: violations of secure coding, and questionable content.

import Foundation
import TestSupport
import Testing

@Suite struct AllowedClassesTests {
  static let movie = TestArchives.root.appendingPathComponent("Movie/v0-nested-class").path
  static let feed = TestArchives.root.appendingPathComponent("WeatherFeed/v1-1-city").path

  @Test(arguments: [
    ("App.Movie.MovieClass", true), ("_TtCV3App5Movie10MovieClass", true), ("*.MovieClass", true),
    ("App.*", true), ("*", true), ("  App.Movie.MovieClass \r\n", true),
    ("# a comment\n\nOther\nApp.*.MovieClass\n", true), ("#App.*\n", false), ("", false),
    ("MovieClass", false), ("App.Movie", false), ("app.movie.movieclass", false),
    ("App.Movie.MovieClass # no comment here", false), ("NSDictionary\nNSString", false),
  ]) func namesAndPatternsAreAllowed(_ list: String, _ isAllowed: Bool) throws {
    let bench = try Workbench(["list": list])
    let result = try bench.run("validate", "--allow-classes", "list", Self.movie)
    #expect(result.status == (isAllowed ? 0 : 1), "\(result.errors)")
    #expect(result.errors.contains("[class-not-allowed]") != isAllowed)
    #expect(result.errors.contains("App.Movie.MovieClass is not among") != isAllowed)
  }

  /// Every object counts, not the root alone, with and without a schema.
  @Test func everyObjectIsLookedAt() throws {
    let bench = try Workbench(["all": "NSDictionary\nNSArray\n", "some": "NSDictionary\n"])
    for schema in [[], ["--format-only"]] {
      let all = try bench.run(["validate", "--allow-classes", "all", Self.feed] + schema)
      #expect(all.status == 0, "\(all.errors)")
      let some = try bench.run(["validate", "--allow-classes", "some", Self.feed] + schema)
      #expect(some.status == 1)
      #expect(some.errors.contains("the class NSArray is not among the allowed ones"))
      #expect(!some.errors.contains("NSDictionary"))
    }
  }

  @Test func aListThatCannotBeReadIsNamed() throws {
    let bench = try Workbench()
    try bench.write(Data([0x4E, 0x53, 0xFF]), to: "latin")
    let latin = try bench.run("validate", "--allow-classes", "latin", Self.movie)
    #expect(latin.status == 65)
    #expect(latin.errors == "latin: error: the list of classes is not UTF-8\n")
    let absent = try bench.run("validate", "--allow-classes", "absent", Self.movie)
    #expect(absent.status == 66)
    #expect(absent.errors.hasPrefix("absent: error: cannot open"))
  }

  @Test func lintsAreAskedFor() throws {
    let bench = try Workbench()
    let file = TestArchives.root.appendingPathComponent("Graphs/conditional").path
    let plain = try bench.validate(["--format-only", file])
    #expect(plain.map { $0.warnings?.count } == [0])
    let linted = try bench.validate(["--format-only", "--lint", file])
    #expect(linted.map(\.valid) == [true])
    #expect(linted.first?.notes?.map(\.rule) == ["ambiguous-null"])
    #expect(linted.first?.notes?.map(\.valid) == [true])
    // Lints add to what a schema finds, and make nothing invalid.
    for (schema, verdict) in [("true", "valid"), ("false", "invalid")] {
      try bench.write(schema, to: "schema.json")
      let both = try bench.validate(["--lint", "--schema-file", "schema.json", file])
      #expect(both.map(\.verdict) == [verdict])
      #expect(both.first?.notes?.map(\.rule) == ["ambiguous-null"])
    }
    #expect(try bench.run("validate", "--lint", Self.feed).status == 0)
  }
}
