// Pruning removes all traces of dropped objects from the file; plistlib and Foundation read the others unchanged.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import FileTransactions
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct SubstitutionPruningTests {
  static let formats: [PropertyListSerialization.PropertyListFormat] = [.binary, .xml]

  private static let secret = "token-5f1c"

  /// A movie that shares values with a token, and a token that holds what nothing else does.
  private static func archive(
    _ format: PropertyListSerialization.PropertyListFormat
  ) -> Data {
    let shared: NSArray = ["shared", 1, JudgedMovie.ownName]
    let token = JudgedToken(
      text: secret,
      extra: [shared, ["address": "\(secret)@example.org"] as NSDictionary] as NSArray)
    let movie = JudgedMovie(title: "kept", year: 2, rating: 64.25, extra: shared)
    return JudgedMovie.archive(
      [
        "list": [token, movie, shared] as NSArray, "movie": movie, "token": token,
        "nested": JudgedMovie.archive([token, movie] as NSArray, format),
      ] as NSDictionary, format)
  }

  /// An archive, and the archives in its data values.
  private static func parts(of archive: Data) throws -> [Data] {
    let list = try PropertyListSerialization.propertyList(from: archive, format: nil)
    let objects = (list as? [String: Any])?["$objects"] as? [Any] ?? []
    return [archive]
      + objects.compactMap { $0 as? Data ?? ($0 as? [String: Any])?["NS.data"] as? Data }
  }

  @Test(arguments: formats)
  func whatWasDroppedIsGone(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let old = Self.archive(format)
    let plain = try #require(try Substituted.bytes(old, drop: ["*.JudgedToken"]))
    let outcome = try Substituted.outcome(old, drop: ["*.JudgedToken"], prunes: true)
    let bytes = try #require(outcome.storage.map { Data($0.bytes) })
    #expect(try Self.parts(of: plain).allSatisfy { $0.range(of: Data(Self.secret.utf8)) != nil })
    let parts = try Self.parts(of: bytes)
    #expect(parts.count == 2)
    for part in parts {
      for text in [Self.secret, "JudgedToken"] {
        #expect(part.range(of: Data(text.utf8)) == nil)
      }
    }
    let pruned = try #require(outcome.counts.last)
    #expect(pruned.kind == .pruning)
    #expect(pruned.records == 2)
    #expect(pruned.objects >= 10)
  }

  @Test(arguments: formats)
  func plistlibReadsTheSameAsWithoutPruning(
    _ format: PropertyListSerialization.PropertyListFormat
  ) throws {
    // Nested archives change with their parts, and are compared by themselves.
    let rules = ["*.JudgedToken"]
    let movie = JudgedMovie(title: "A", year: 1, extra: ["x", "y"] as NSArray)
    let token = JudgedToken(text: Self.secret, extra: ["x", movie] as NSArray)
    let archives = [
      JudgedMovie.archive([token, movie, token] as NSArray, format),
      JudgedMovie.archive([token, "x", token] as NSArray, format),
      JudgedMovie.archive(["a": token, "b": movie, "c": "x"] as NSDictionary, format),
      JudgedMovie.archive(NSSet(array: [token, movie, "x"]), format),
      JudgedMovie.archive(JudgedMovie(title: "x", year: 3, sequel: movie, extra: token), format),
    ]
    for archive in archives {
      let plain = try #require(try Substituted.bytes(archive, drop: rules))
      let outcome = try Substituted.outcome(archive, drop: rules, prunes: true)
      let bytes = try #require(outcome.storage.map { Data($0.bytes) })
      let readings = try KeyedJudge.read([plain, bytes])
      #expect(readings[0].graph == readings[1].graph)
      #expect(readings[0].ranks == readings[1].ranks)
      #expect(readings[0].unreachable > 0)
      #expect(readings[1].unreachable == 0)
      #expect(bytes.starts(with: archive.prefix(6)))
    }
  }

  @Test(arguments: formats)
  func foundationOpensWhatIsLeft(
    _ format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let old = Self.archive(format)
    let outcome = try Substituted.outcome(
      old, classes: ["*.JudgedMovie=New.Film"], drop: ["*.JudgedToken"], prunes: true)
    let bytes = try #require(outcome.storage.map { Data($0.bytes) })
    let root = try #require(try JudgedMovie.unarchive(bytes, as: "New.Film") as? NSDictionary)
    #expect(root["token"] == nil)
    let list = try #require(root["list"] as? NSArray)
    #expect(list.count == 2)
    let movie = try #require(list[0] as? JudgedMovie)
    #expect(movie === root["movie"] as? JudgedMovie)
    #expect(movie.rating == 64.25)
    #expect(movie.extra == list[1] as? NSObject)
  }

  @Test(arguments: formats)
  func aSecondPruningFindsNothing(
    _ format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let once = try Substituted.outcome(
      Self.archive(format), drop: ["*.JudgedToken"], prunes: true)
    let bytes = try #require(once.storage.map { Data($0.bytes) })
    #expect(try Substituted.outcome(bytes, prunes: true).storage == nil)
  }

  @Test func whatFoundationWritesHasNothingToPrune() throws {
    for entry in TestArchives.all
    where entry.decodable && entry.valid == true && entry.encoding == "binary property list" {
      let outcome = try Substituted.outcome(try Data(contentsOf: entry.url), prunes: true)
      #expect(outcome.storage == nil, "\(entry.path)")
    }
  }

  @Test func leftoversOfAnEarlierDropGo() throws {
    let dropped = try #require(
      try Substituted.bytes(Self.archive(.binary), drop: ["*.JudgedToken"]))
    #expect(dropped.range(of: Data(Self.secret.utf8)) != nil)
    let outcome = try Substituted.outcome(dropped, prunes: true)
    let bytes = try #require(outcome.storage.map { Data($0.bytes) })
    #expect(bytes.range(of: Data(Self.secret.utf8)) == nil)
    #expect(outcome.counts.map(\.kind) == [.pruning])
  }

  @Test func bytesThatNoValueHasGo() throws {
    // 40 bytes between the last value and the offset table.
    var archive = try PropertyListSerialization.data(
      fromPropertyList: ["a": "b"], format: .binary, options: 0)
    let table = Int(archive[archive.count - 1])
    archive.insert(
      contentsOf: Data((Self.secret + String(repeating: " ", count: 30)).utf8), at: table)
    archive[archive.count - 1] += 40
    let bytes = try #require(
      try Substituted.outcome(archive, prunes: true).storage.map { Data($0.bytes) })
    #expect(bytes.range(of: Data(Self.secret.utf8)) == nil)
    let read = try PropertyListSerialization.propertyList(from: bytes, format: nil)
    #expect(read as? [String: String] == ["a": "b"])
  }
}

/// What an app would not have others read.
final class JudgedToken: NSObject, NSCoding {
  let text: String
  let extra: NSObject?

  init(text: String, extra: NSObject?) {
    self.text = text
    self.extra = extra
  }

  init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode(text, forKey: "text")
    coder.encode(extra, forKey: "extra")
  }
}
