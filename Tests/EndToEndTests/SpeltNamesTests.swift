// Names of classes and keys that are canonically equivalent but have other code points differ to an unarchiver.

import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite struct SpeltNamesTests {
  private static let composed = "App.Caf\u{E9}"
  private static let decomposed = "App.Cafe\u{301}"

  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func object(_ name: String) -> String {
    #"{"$object": {"class": "\#(name)", "classes": ["\#(name)", "NSObject"], "fields": {"n": 1}}}"#
  }

  /// Two objects of two classes.
  private func makeArchive() throws {
    try bench.write(
      #"""
      {"$object": {"class": "App.Root", "classes": ["App.Root", "NSObject"], "fields": {
        "tag1": "x", "k1": \#(object(Self.composed)), "k2": \#(object(Self.decomposed))}}}
      """#, to: "f.json")
    let made = try bench.run("convert", "--to", "keyed-archive", "f.json", "-o", "f")
    try #require(made.status == 0, "\(made.errors)")
  }

  /// The objects of an archive as Foundation finds them stored.
  private func objects(_ file: String) throws -> [Any] {
    let text = try bench.run("convert", "--to", "xml1", file, "-o", "-")
    let plain = text.text.replacingOccurrences(of: "CF$UID", with: "UID")
    let archive = try PropertyListSerialization.propertyList(from: Data(plain.utf8), format: nil)
    return try #require((archive as? [String: Any])?["$objects"] as? [Any])
  }

  private func target(_ value: Any?, _ objects: [Any]) throws -> [String: Any] {
    let number = try #require((value as? [String: Any])?["UID"] as? Int)
    return try #require(objects[number] as? [String: Any])
  }

  /// The bytes of the names of the classes in two members of the root.
  private func classes(_ file: String) throws -> [[UInt8]] {
    let objects = try objects(file)
    let root = try #require(
      objects.lazy.compactMap { $0 as? [String: Any] }.first { $0["k1"] != nil })
    return try ["k1", "k2"].map { key in
      let record = try target(try target(root[key], objects)["$class"], objects)
      let name = try #require(record["$classname"] as? String)
      let chain = try #require(record["$classes"] as? [String])
      #expect(Array(chain[0].utf8) == Array(name.utf8))
      return Array(name.utf8)
    }
  }

  private func family(_ lens: String) throws {
    try bench.write(#"{"family": "K", "versions": ["v1", "v2"]}"#, to: "S/K/family.json")
    for (version, name) in [("v1", "tag1"), ("v2", "tag2")] {
      try bench.write(
        #"{"x-archive": {"envelope": "nscoding"}, "type": "object", "required": ["\#(name)"]}"#,
        to: "S/K/\(version).schema.json")
    }
    try bench.write(
      #"{"lens": [{"rename": {"source": "tag1", "destination": "tag2"}}, \#(lens)]}"#,
      to: "S/K/v1-v2.lens.json")
  }

  private func migrate(_ file: String, to version: String, _ output: String) throws {
    let result = try bench.run(
      "migrate", "--schemas", "S", "--from", version == "v2" ? "v1" : "v2", "--to", version, file,
      "-o", output)
    try #require(result.status == 0, "\(result.errors)")
  }

  @Test func typedTextMakesTwoClasses() throws {
    try makeArchive()
    #expect(try classes("f") == [Array(Self.composed.utf8), Array(Self.decomposed.utf8)])
    try bench.run("dump", "--typed", "f", "-o", "t.json")
    try bench.run("convert", "--to", "keyed-archive", "t.json", "-o", "again")
    #expect(try classes("again") == [Array(Self.composed.utf8), Array(Self.decomposed.utf8)])
  }

  @Test(arguments: ["App.New", decomposed])
  func anObjectGetsTheClassThatTheLensSpells(_ name: String) throws {
    try makeArchive()
    try family(#"{"class": {"name": "k1", "from": "\#(Self.composed)", "to": "\#(name)"}}"#)
    try migrate("f", to: "v2", "there")
    #expect(try classes("there") == [Array(name.utf8), Array(Self.decomposed.utf8)])
    try migrate("there", to: "v1", "back")
    #expect(try classes("back") == [Array(Self.composed.utf8), Array(Self.decomposed.utf8)])
  }

  /// An archiver writes `$$0` for the key `$0`, and so does the way back.
  @Test(arguments: [
    (#"{"rename": {"source": "$0", "destination": "zero"}}"#, false),
    (#"{"remove": {"name": "$0"}}"#, false),
    (#"{"plunge": {"host": "h", "name": "$0"}}"#, false),
    (#"{"rename": {"source": "$1", "destination": "one"}}"#, true),
  ])
  func aKeyWithoutItsEscapeIsNotTaken(_ lens: String, _ isDone: Bool) throws {
    try bench.write(
      #"""
      {"$object": {"class": "App.Root", "classes": ["App.Root", "NSObject"], "fields": {
        "tag1": "x", "$0": 5, "$$1": 6}}}
      """#, to: "f.json")
    try bench.run("convert", "--to", "keyed-archive", "f.json", "-o", "f")
    let stored = try bench.run("dump", "--typed", "f").output
    try #require(stored.range(of: Data(#""$0""#.utf8)) != nil)
    try family(lens)
    let there = try bench.run(
      "migrate", "--schemas", "S", "--from", "v1", "--to", "v2", "--keep-lost", "f", "-o", "there")
    #expect((there.status == 0) == isDone, "\(there.errors)")
    guard isDone else { return #expect(there.errors.contains("$['$0']")) }
    try migrate("there", to: "v1", "back")
    #expect(try bench.run("dump", "--typed", "back").output == stored)
  }

  /// No reader of property lists but the unarchiver's own keeps both keys, so that the typed form tells.
  @Test func anObjectKeepsBothKeys() throws {
    try bench.write(
      #"""
      {"$object": {"class": "App.Root", "classes": ["App.Root", "NSObject"], "fields": {
        "tag1": "x", "caf\#u{E9}": 1, "cafe\#u{301}": 2}}}
      """#, to: "f.json")
    try bench.run("convert", "--to", "keyed-archive", "f.json", "-o", "f")
    try family(#"{"rename": {"source": "a", "destination": "b"}}"#)
    try migrate("f", to: "v2", "there")
    try migrate("there", to: "v1", "back")
    let dumps = try ["f", "back"].map { try bench.run("dump", "--typed", $0).output }
    for key in ["caf\u{E9}", "cafe\u{301}"] {
      #expect(dumps[0].range(of: Data(key.utf8)) != nil)
    }
    #expect(dumps[0] == dumps[1])
  }
}
