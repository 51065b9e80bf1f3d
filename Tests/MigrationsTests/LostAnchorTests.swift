// Values that are kept in the archive are restored to the element that they belonged to, or not at all.

import ArchiveBasics
import ArchiveGraph
import ArchiveSchemas
import Foundation
import Testing

@testable import ArchiveMigrations

@Suite struct LostAnchorTests {
  private typealias Item = [String: Any]

  private struct Refusal: Error {
    let reason: String
  }

  /// Lists of items whose lists of tags become their first.
  private static func family(_ envelope: String = "plist", by: String? = nil) throws -> LossyFamily
  {
    func schema(_ item: String) -> String {
      #"""
      {"x-archive": {"envelope": "\#(envelope)"}, "type": "object", "required": ["l"],
       "properties": {"l": {"type": "array", "items": {"type": "object", "properties": {\#(item)},
        "required": ["id"], "additionalProperties": false}}}}
      """#
    }
    let by = by.map { #""by": "\#($0)", "# } ?? ""
    let id = #""id": {"type": "string"}, "n": {"type": "number"}"#
    return try LossyFamily([
      "family.json": #"{"family": "Tags", "versions": ["v1", "v2"]}"#,
      "v1.schema.json": schema(#"\#(id), "tags": {"type": "array", "minItems": 1}"#),
      "v2.schema.json": schema(#"\#(id), "tag": {"type": "string"}"#),
      "v1-v2.lens.json": #"""
      {"lens": [{"in": {"name": "l", "lens": [{"map": {\#(by)"lens": [
        {"head": {"name": "tags"}}, {"rename": {"source": "tags", "destination": "tag"}}]}}]}}]}
      """#,
    ])
  }

  private static var items: [Item] {
    [
      ["id": "A", "n": 1, "tags": ["a1", "a2"]], ["id": "B", "n": 2.5, "tags": ["b1"]],
      ["id": "C", "n": 3, "tags": ["c1", "c2", "c3"]],
    ]
  }

  private static func data(_ model: Any) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: model, format: .binary, options: 0)
  }

  private static func model(_ data: Data) throws -> [String: Any] {
    try #require(
      PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
  }

  /// What comes back when the application has changed the migrated list.
  private static func back(
    _ family: LossyFamily, _ items: [Item] = items, _ losses: LossPolicy = .standard,
    _ edit: (inout [Item]) -> Void
  ) throws -> [Item] {
    guard
      case .changed(let there) = try family.migrate(
        data(["l": items]), "v1", "v2", .keepInside)
    else { return [] }
    var changed = try model(Data(there.storage.bytes))
    var list = try #require(changed["l"] as? [Item])
    edit(&list)
    changed["l"] = list
    let result = try family.migrate(data(changed), "v2", "v1", losses)
    if case .refused(let reason, _, _) = result { throw Refusal(reason: reason) }
    guard case .changed(let back) = result else { return [] }
    return try #require(try model(Data(back.storage.bytes))["l"] as? [Item])
  }

  private static func tags(_ items: [Item]) -> [String: [String]] {
    Dictionary(
      items.map { ($0["id"] as? String ?? "", $0["tags"] as? [String] ?? []) },
      uniquingKeysWith: { $0 + $1 })
  }

  @Test func whatIsUnchangedGetsItsValuesBack() throws {
    let items = try Self.back(Self.family()) { _ in }
    #expect(Self.tags(items) == ["A": ["a1", "a2"], "B": ["b1"], "C": ["c1", "c2", "c3"]])
  }

  @Test(arguments: ["remove", "reverse", "insert", "edit", "replace"])
  func noOtherElementGetsThem(_ edit: String) throws {
    let error = #expect(throws: Refusal.self) {
      try Self.back(Self.family()) { items in
        switch edit {
        case "remove": items.removeFirst()
        case "reverse": items.reverse()
        case "insert": items.insert(["id": "X", "n": 0, "tag": "x"], at: 0)
        case "edit": items[2]["n"] = 4
        default: items[0]["id"] = "X"
        }
      }
    }
    #expect(error?.reason.contains(edit == "edit" ? "(at $.l[2]" : "(at $.l[0]") == true)
    #expect(error?.reason.contains("was changed or moved since") == true)
  }

  @Test func withoutThemTheWayBackIsOpen() throws {
    let items = try Self.back(Self.family(), Self.items, .allowAll) { $0.reverse() }
    #expect(Self.tags(items) == ["A": ["a1"], "B": ["b1"], "C": ["c1"]])
  }

  /// Elements that look the same after the lens are not taken for one another.
  @Test func equalElementsAreDistinguishedByTheirList() throws {
    let twins: [Item] = [
      ["id": "A", "tags": ["x", "1"]], ["id": "A", "tags": ["x", "2"]], ["id": "B", "tags": ["b"]],
    ]
    #expect(
      try Self.tags(Self.back(Self.family(), twins) { _ in })
        == ["A": ["x", "1", "x", "2"], "B": ["b"]])
    #expect(throws: Refusal.self) {
      try Self.back(Self.family(), twins) { items in
        items.removeFirst()
        items.append(["id": "D", "tag": "d"])
      }
    }
  }

  @Test func elementsAreFollowedByAMember() throws {
    let items = try Self.back(Self.family(by: "id")) { items in
      items.reverse()
      items.remove(at: 1)
      items[0]["n"] = 7
      items.append(["id": "X", "tag": "x"])
    }
    #expect(Self.tags(items) == ["C": ["c1", "c2", "c3"], "A": ["a1", "a2"], "X": ["x"]])
    #expect(items.map { $0["id"] as? String } == ["C", "A", "X"])
  }

  @Test func aMemberThatTwoElementsShareFollowsNone() throws {
    let error = #expect(throws: Refusal.self) {
      try Self.back(Self.family(by: "id")) { items in items.append(["id": "A", "tag": "x"]) }
    }
    #expect(error?.reason.contains("finds several elements whose 'id'") == true)
  }

  /// A keyed archive's objects and the property list that the application wrote anew leave the same traces.
  @Test(arguments: ["dictionariable", "codable", "plist"])
  func tracesAreThoseOfTheModel(_ envelope: String) throws {
    let family = try Self.family(envelope)
    let source = try Self.data(["l": Self.items])
    let archive: Data
    switch envelope {
    case "plist": archive = source
    case "codable":
      archive = try NSKeyedArchiver.archivedData(
        withRootObject: source as NSData, requiringSecureCoding: false)
    default:
      archive = try NSKeyedArchiver.archivedData(
        withRootObject: ["l": Self.items] as NSDictionary, requiringSecureCoding: false)
    }
    guard
      case .changed(let there) = try family.migrate(archive, "v1", "v2", .keepInside),
      case .changed(let back) = try family.migrate(
        Data(there.storage.bytes), "v2", "v1", .standard)
    else {
      Issue.record("refused")
      return
    }
    #expect(!back.storage.bytes.isEmpty)
  }
}
