// Compiled interface files, compared with what an independent reader shows of them.

import Foundation
import TestSupport
import Testing

@Suite struct NibArchiveTests {
  private static let names = ["view.nib", "cycle.nib", "elements.nib"]

  private func path(_ name: String) -> String {
    TestArchives.root.appendingPathComponent("Nibs/\(name)").path
  }

  /// The objects of JSON that have labels.
  private func labeled(_ value: Any) -> [String: Any] {
    let members = value as? [String: Any] ?? [:]
    let children = members.map(\.value) + (value as? [Any] ?? [])
    var found = children.map { labeled($0) }.reduce(into: [:]) { $0.merge($1) { one, _ in one } }
    if let label = members["$id"] as? String { found[label] = value }
    return found
  }

  /// JSON without labels: each object where it is referred to, but not within itself.
  private func unlabeled(_ value: Any, _ objects: [String: Any], _ path: Set<String> = []) -> Any {
    guard let members = value as? [String: Any] else {
      return (value as? [Any])?.map { unlabeled($0, objects, path) } ?? value
    }
    if let label = members["$ref"] as? String {
      guard !path.contains(label), let object = objects[label] else { return value }
      return unlabeled(object, objects, path)
    }
    let path = path.union((members["$id"] as? String).map { [$0] } ?? [])
    if let elements = members["$array"] as? [Any] {
      return elements.map { unlabeled($0, objects, path) }
    }
    return members.filter { $0.key != "$id" }.mapValues { unlabeled($0, objects, path) }
  }

  @Test(.enabled(if: Program.find("python3") != nil), arguments: names)
  func showWhatAnIndependentReaderShows(_ name: String) throws {
    let python = try #require(Program.find("python3"))
    let judge = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/nib_archives.py").path
    let wanted = try Program.run(at: python, [judge, path(name)])
    #expect(wanted.status == 0, "\(wanted.errors)")
    let shown = try Program.run(arguments: ["dump", "--format", "json", path(name)])
    #expect(shown.status == 0, "\(shown.errors)")
    let whole = try JSONSerialization.jsonObject(with: shown.output)
    let found = unlabeled(whole, labeled(whole)) as? NSObject
    #expect(found == (try TestArchives.json(wanted.output)))
  }

  /// What convert writes shows the same, and a NIBArchive in a data value is opened.
  @Test(arguments: names) func staysTheSameAsAKeyedArchive(_ name: String) throws {
    let plain = try Program.run(arguments: ["dump", path(name)])
    for target in ["keyed-archive", "binary1", "xml1"] {
      let archive = try Program.run(arguments: ["convert", "--to", target, path(name), "-o", "-"])
      let shown = try Program.run(arguments: ["dump", "-"], input: archive.output)
      #expect(shown.text == plain.text, "\(target): \(archive.errors)")
    }
    let nib = try Data(contentsOf: URL(fileURLWithPath: path(name)))
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["nib": nib], format: .binary, options: 0)
    let nested = try Program.run(arguments: ["dump", "-"], input: list)
    #expect(nested.text.contains("⟨NIBArchive⟩"), "\(nested.text)")
    #expect(nested.status == 0)
  }

  /// Offsets are those of the values in the file.
  @Test func offsetsLeadToTheValues() throws {
    let shown = try Program.run(arguments: ["dump", "--offsets", path("view.nib")]).text
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path("view.nib"))))
    let line = try #require(shown.split(separator: "\n").first { $0.contains("UIBounds") })
    let place = try #require(line.split(separator: "@").last.flatMap { Int($0) })
    #expect(Array(bytes[place..<place + 17]) == [7] + [UInt8](repeating: 0, count: 16))
  }

  // MARK: Twins

  /// A value of one file beside that of the other, and its key.
  private struct ValuePair {
    let key: String
    let nib: Any
    let keyed: Any
  }

  /// What the two versions of the same interface differ in, as Interface Builder made one for an older system.
  private static let olderKeys: Set = ["NSWidth", "NSTvFlags"]

  private func dumped(_ name: String) throws -> [String: Any] {
    let url = try #require(Corpus.file(name))
    let shown = try Program.run(arguments: ["dump", "--format", "json", url.path])
    return try #require(try TestArchives.json(shown.output) as? [String: Any], "\(shown.errors)")
  }

  /// Every value that a NIBArchive and the keyed archive of the same interface both have is equal.
  @Test(arguments: Corpus.files("nibs/twins").filter { $0.hasSuffix(".nib") })
  func hasTheValuesOfItsKeyedTwin(_ name: String) throws {
    let nib = try dumped(name)
    let keyed = try dumped(name.dropLast(3) + "keyed")
    let (nibObjects, keyedObjects) = (labeled(nib), labeled(keyed))
    func object(_ value: Any, _ objects: [String: Any]) -> Any {
      let members = value as? [String: Any]
      let target = (members?["$ref"] as? String).flatMap { objects[$0] } ?? value
      return (target as? [String: Any])?["$array"] ?? target
    }
    var known: Set<String> = []
    var equal = 0
    var pending = [ValuePair(key: "$", nib: nib, keyed: keyed)]
    while let pair = pending.popLast() {
      let (one, two) = (object(pair.nib, nibObjects), object(pair.keyed, keyedObjects))
      if let one = one as? [String: Any], let two = two as? [String: Any] {
        let labels = [one, two].compactMap { $0["$id"] as? String }
        guard labels.count < 2 || known.insert(labels.joined(separator: " ")).inserted else {
          continue
        }
        for (key, value) in one where key != "$id" {
          guard let other = two[key] else { continue }
          pending.append(ValuePair(key: key, nib: value, keyed: other))
        }
      } else if let one = one as? [Any], let two = two as? [Any] {
        #expect(one.count == two.count, "\(pair.key)")
        for (one, two) in zip(one, two) {
          pending.append(ValuePair(key: pair.key, nib: one, keyed: two))
        }
      } else if !Self.olderKeys.contains(pair.key) {
        equal += 1
        #expect(one as? NSObject == two as? NSObject, "\(pair.key): \(one), \(two)")
      }
    }
    #expect(equal > 200)
  }

  /// Classes are renamed in no NIBArchive, and never silently not.
  @Test func renamingIsRefused() throws {
    let folder = try TemporaryFolder()
    let result = try Program.run(
      arguments: [
        "rename-class", "-c", "UIView=UIWindow", path("view.nib"), "-o", folder.file("out").path,
      ])
    #expect(result.status == 1 || result.status == 65)
    #expect(result.errors.contains("a NIBArchive is not rewritten"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("out").path))
  }
}
