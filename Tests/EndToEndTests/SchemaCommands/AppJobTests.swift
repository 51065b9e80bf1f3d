// A developer's job from an application's user defaults to code that reads them: no file is edited.

import Foundation
import TestSupport
import Testing

/// A bookmark, as an application of some years ago archived it.
final class JobBookmark: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let title: String
  let url: URL
  let created: Date
  let notes: String?
  let visits: Int
  let tags: [String]
  let children: [JobBookmark]

  init(
    _ title: String, _ url: String, created: TimeInterval, notes: String? = nil, visits: Int = 0,
    tags: [String] = [], children: [JobBookmark] = []
  ) throws {
    self.title = title
    self.url = try #require(URL(string: url))
    self.created = Date(timeIntervalSinceReferenceDate: created)
    (self.notes, self.visits, self.tags, self.children) = (notes, visits, tags, children)
  }

  required init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode(title as NSString, forKey: "title")
    coder.encode(url as NSURL, forKey: "url")
    coder.encode(created as NSDate, forKey: "created")
    coder.encode(notes.map { $0 as NSString }, forKey: "notes")
    coder.encode(visits, forKey: "visits")
    coder.encode(tags as NSArray, forKey: "tags")
    coder.encode(children as NSArray, forKey: "children")
  }
}

/// The type of the new release, which its PropertyListDecoder decodes.
private struct NewBookmark: Codable, Equatable {
  let title: String
  let url: URL
  let created: Date
  let notes: String?
  let visits: Int
  let tags: [String]
  let children: [NewBookmark]
}

@Suite struct AppJobTests {
  private static func defaults() throws -> Data {
    let inner = try JobBookmark("Inner", "https://example.com/inner", created: 1, visits: 300)
    let first = try JobBookmark(
      "First", "https://example.com/?q=1", created: 600_000_000.25, notes: "read", visits: 12,
      tags: ["a", "b"], children: [inner])
    let last = try JobBookmark("Last", "https://example.com", created: 7, visits: 5, tags: ["a"])
    return try PropertyListSerialization.data(
      fromPropertyList: [
        "launches": 3, "first": archive(first), "last": archive(last),
      ], format: .binary, options: 0)
  }

  private static func archive(_ object: NSObject & NSSecureCoding) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
  }

  @Test func leadsFromUserDefaultsToCode() throws {
    let bench = try Workbench()
    try bench.write(try Self.defaults(), to: "app.plist")
    let at = ["--at", "$.first", "--at", "$.last"]
    for arguments in [
      ["schema", "infer"] + at
        + ["--family", "Bookmark", "--version", "v1", "--output-dir", "S", "app.plist"],
      [
        "schema", "derive", "--schemas", "S", "Bookmark@v1", "--version", "v2", "--envelope",
        "codable",
      ],
      ["schema", "check", "S/Bookmark"],
      [
        "schema", "swift", "--migrating", "--schemas", "S", "Bookmark", "-o", "Bookmark.swift",
      ],
      ["migrate", "--schemas", "S", "--to", "v2"] + at + ["-o", "new.plist", "app.plist"],
      ["migrate", "--schemas", "S", "--to", "v1"] + at + ["-o", "old.plist", "new.plist"],
    ] {
      let result = try bench.run(arguments)
      #expect(result.status == 0, "\(arguments.joined(separator: " ")): \(result.errors)")
    }
    let source = try String(contentsOf: bench.url("Bookmark.swift"), encoding: .utf8)
    #expect(source.contains("var url: URL") || source.contains("let url: URL"))
    try Self.compare(bench)
  }

  /// Foundation decodes the new archives, and the way back restores the old ones.
  private static func compare(_ bench: Workbench) throws {
    let data = try Data(contentsOf: bench.url("new.plist"))
    let plist = try #require(
      try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    let archive = try #require(plist["first"] as? Data)
    let root = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: NSData.self, from: archive))
    let first = try PropertyListDecoder().decode(NewBookmark.self, from: root as Data)
    #expect(first.title == "First" && first.url.absoluteString == "https://example.com/?q=1")
    #expect(first.created.timeIntervalSinceReferenceDate == 600_000_000.25)
    #expect(first.notes == "read" && first.children.map(\.title) == ["Inner"])
    #expect(first.children[0].notes == nil)
    let difference = try bench.run("diff", "app.plist", "old.plist")
    #expect(difference.status == 0, "\(String(decoding: difference.output, as: UTF8.self))")
  }

  @Test func erasBecomeVersions() throws {
    let bench = try Workbench()
    func write(_ text: String, _ name: String, day: Double) throws {
      try bench.write(text, to: "Old/\(name)")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_500_000_000 + day * 86_400)],
        ofItemAtPath: bench.url("Old/\(name)").path)
    }
    try write(#"{"title": "One", "minutes": 5}"#, "a.json", day: 1)
    try write(#"{"title": "Two", "minutes": 70}"#, "b.json", day: 2)
    try write(#"{"name": "Three", "minutes": 7, "level": "easy"}"#, "c.json", day: 200)
    try write(#"{"name": "Four", "minutes": 8, "level": "easy", "note": "x"}"#, "d.json", day: 201)
    try write(#"{"name": "Five", "minutes": 8, "level": "easy"}"#, "e.json", day: 202)
    let result = try bench.run(
      "schema", "infer", "--eras", "--family", "Recipe", "--output-dir", "S", "-r", "Old")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("wrote Recipe@v1 from Old/a.json, Old/b.json"))
    #expect(result.errors.contains("wrote Recipe@v2 from Old/c.json, Old/d.json, Old/e.json"))
    #expect(result.errors.contains("new: level, name, note; gone: title"))
    let lens = try String(contentsOf: bench.url("S/Recipe/v1-v2.lens.json"), encoding: .utf8)
    for word in ["\"rename\"", "\"name\"", "\"level\"", "\"easy\""] {
      #expect(lens.contains(word), "\(lens)")
    }
    #expect(try bench.run("schema", "check", "S").status == 0)
  }
}
