// The built-in families and the articles' own code: what it archived in one version is migrated, and read by it in another.

import Foundation
import TestSupport
import Testing

/// A model of an article in one version, migrated to another.
struct ArticlePair: Sendable, CustomTestStringConvertible {
  let family: String
  /// `v1`, `v2`, or for v0 the name of the class in the archive.
  let source: String
  let target: String
  let isList: Bool

  var testDescription: String { "\(isList ? "many" : "one") \(family) \(source) to \(target)" }

  private static let forms = [
    ("Movie", ["App.MovieClass", "_TtCV3App5Movie10MovieClass", "v1", "v2"]),
    ("Person", ["_TtCV3App6Person11HelperClass", "v1", "v2"]),
    ("Actor", ["v1", "v2"]), ("WeatherFeed", ["v1", "v2"]),
  ]

  static let all = forms.flatMap { family, forms in
    forms.flatMap { source in
      forms.filter { version($0) != version(source) }.flatMap { target in
        (family == "WeatherFeed" ? [false] : [false, true]).map {
          ArticlePair(family: family, source: source, target: target, isList: $0)
        }
      }
    }
  }

  /// The version of a form.
  static func version(_ form: String) -> String { form.hasPrefix("v") ? form : "v0" }
}

@Suite struct ArticleTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  @discardableResult
  private func article(_ pair: ArticlePair, _ verb: String, _ form: String, _ file: String) throws
    -> String
  {
    let result = try Program.run(
      "FoundationJudge", ["article", verb, pair.family, form, bench.url(file).path])
    try #require(result.status == 0, "\(file): \(result.errors)")
    return result.text
  }

  private func migrate(_ file: String, to form: String, _ output: String) throws {
    let version = ArticlePair.version(form)
    let result = try bench.run(
      ["migrate", "--to", version, "--allow-loss", file, "-o", output]
        + (version == "v0" ? ["--class", form] : []))
    try #require(result.status == 0, "\(result.errors)")
  }

  @Test(arguments: ArticlePair.all)
  func theArticlesReadWhatIsMigrated(_ pair: ArticlePair) throws {
    try article(pair, pair.isList ? "list" : "one", pair.source, "old")
    let models = try article(pair, "read", pair.source, "old")
    #expect(models.hasPrefix("[{"))
    try migrate("old", to: pair.target, "new")
    #expect(try article(pair, "read", pair.target, "new") == models)
    try migrate("new", to: pair.source, "again")
    #expect(try article(pair, "read", pair.source, "again") == models)
  }

  /// Every version of a built-in family is one that the articles write.
  @Test func everyVersionIsTried() throws {
    let listed = try bench.run("schema", "list", "--format", "json")
    let families = try #require(
      try JSONSerialization.jsonObject(with: listed.output) as? [[String: Any]])
    let versions = Set(
      families.flatMap { family in
        (family["versions"] as? [[String: Any]] ?? []).map {
          "\(family["family"] ?? "")@\($0["version"] ?? "")"
        }
      })
    let tried = Set(
      ArticlePair.all.map { "\($0.family)@\(ArticlePair.version($0.source))" })
    #expect(versions == tried)
  }
}
