// Edits that are made together do what the same edits do one after another.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct EditBatchTests {
  /// Random edits at random paths, of which some have no target, and some change what earlier ones made.
  private struct EditMaker {
    var numbers: SeededNumbers
    var maker: SampleMaker
    let graph: ObjectGraph

    mutating func edit() -> String {
      let path = path()
      switch numbers.below(12) {
      case 0, 1: return #"{"op":"replace","path":"\#(path)","value":\#(value())}"#
      case 2: return #"{"op":"add","path":"\#(path)/new\#(numbers.below(3))","value":\#(value())}"#
      case 3: return #"{"op":"add","path":"\#(path)/\#(numbers.below(3))","value":\#(value())}"#
      case 4: return #"{"op":"add","path":"\#(path)/-","value":\#(value())}"#
      case 5: return #"{"op":"append","path":"\#(path)","value":\#(value())}"#
      case 6, 7: return #"{"op":"remove","path":"\#(path)"}"#
      case 8: return #"{"op":"move","from":"\#(path)","path":"\#(self.path())"}"#
      case 9: return #"{"op":"copy","from":"\#(path)","path":"\#(self.path())"}"#
      case 10: return #"{"op":"rename-key","path":"\#(path)","key":"key\#(numbers.below(3))"}"#
      default: return #"{"op":"set","path":"\#(path)","value":\#(value())}"#
      }
    }

    private mutating func value() -> String {
      [
        "1", "\"x\"", "{\"a\":[1,{\"b\":2}]}", "[]", "{\"$real\":0.5}",
        "{\"$date\":\"2020-01-01T00:00:00Z\"}",
      ][
        numbers.below(6)]
    }

    /// A path down the file as it is before all edits.
    private mutating func path() -> String {
      var path = ""
      var node = graph.root
      for _ in 0...numbers.below(4) {
        guard let container = GraphContainer(graph.value(of: node)), container.childCount > 0 else {
          break
        }
        let position = numbers.below(container.childCount)
        switch container.step(position, in: graph) {
        case .index(let index): path += "/\(index)"
        case .key(let key):
          let name = key.replacingOccurrences(of: "~", with: "~0")
            .replacingOccurrences(of: "/", with: "~1")
          let quoted = (try? JSONEncoder().encode(name)).map { String(decoding: $0, as: UTF8.self) }
          path += "/" + (quoted ?? "").dropFirst().dropLast()
        case .content, .anyMember, .anyElement: break
        }
        node = container.child(position, in: graph)
      }
      return path
    }
  }

  private static func apply(
    _ edits: [DocumentEdit], to storage: ByteStorage, _ sharing: SharedObjects, together: Bool
  ) -> (document: EditedDocument, error: String?) {
    var document = EditedDocument(storage, sharing: sharing)
    var failed = 0
    do {
      if together {
        try document.apply(edits) { failed = $0 }
      } else {
        for (number, edit) in edits.enumerated() {
          failed = number
          try document.apply([edit])
        }
      }
      return (document, nil)
    } catch {
      return (document, "\(failed): \(error)")
    }
  }

  private static func typed(_ storage: ByteStorage) throws -> String {
    let graph = try ArchiveReader().read(storage)
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(
      graph.root, of: graph, options: .init(isTyped: true, isCompact: true), to: &output)
    // The numbers of objects may differ: they count from 1 here.
    var numbers: [Substring: Int] = [:]
    let text = String(decoding: output.bytes.bytes, as: UTF8.self)
    return text.replacing(/"\$(id|ref)": (\d+)/) { match in
      let number = numbers[match.2, default: numbers.count + 1]
      numbers[match.2] = number
      return "\"$\(match.1)\": \(number)"
    }
  }

  /// The lines of records, without the numbers of objects.
  private static func lines(_ document: EditedDocument) -> [String] {
    document.records.map { $0.line.replacing(/"\$(id|ref)": \d+/, with: "") }
  }

  /// Samples in each encoding and envelope, an object that two paths share, and archives of TestArchives.
  private static func storages(_ seed: Int) throws -> [ByteStorage] {
    var maker = SampleMaker(seed: UInt64(seed))
    maker.hasDatesAndData = false
    let sample = SampleValue.array([maker.value(depth: 3), maker.value(depth: 3)])
    let binary = ByteStorage(copying: BinaryWriter.write(sample.document).array)
    var all = [binary]
    for target in [ConversionTarget.keyedArchive, .xml, .json] {
      var converted = OutputBuffer(descriptor: nil)
      _ = try Conversion(to: target).run(binary, name: "test", to: &converted)
      all.append(ByteStorage(copying: Array(converted.bytes.bytes)))
    }
    let inner = try PropertyListSerialization.data(
      fromPropertyList: ["in": Data(all[1].bytes), "n": [1, 2]] as [String: Any], format: .binary,
      options: 0)
    all.append(ByteStorage(copying: Array(inner)))
    for path in [
      "WeatherFeed/v1-1-city", "WeatherFeed/v2-1-city", "Graphs/cycle", "Graphs/shared-references",
      "TypedStreams/foundation",
    ] {
      let url = TestArchives.root.appendingPathComponent(path)
      all.append(ByteStorage(copying: Array(try Data(contentsOf: url))))
    }
    return all
  }

  @Test(arguments: [SharedObjects.refused, .changed, .copied])
  func doesWhatSingleEditsDo(_ sharing: SharedObjects) throws {
    var (done, refused) = (0, 0)
    for seed in 0..<8 {
      for storage in try Self.storages(seed) {
        var maker = EditMaker(
          numbers: SeededNumbers(seed: UInt64(seed * 31 + 5)),
          maker: SampleMaker(seed: UInt64(seed)),
          graph: try ArchiveReader().read(storage))
        // Only edits that are possible one after another, and perhaps one that is not.
        var lines: [String] = []
        var one = EditedDocument(storage, sharing: sharing)
        let fails = seed % 3 == 0
        for _ in 0..<16 {
          let line = maker.edit()
          let edit = try DocumentEdit.readLines(ByteStorage(copying: Array(line.utf8)))
          do {
            try one.apply(edit)
            lines.append(line)
          } catch {
            if fails, lines.count > 3 {
              lines.append(line)
              break
            }
          }
        }
        let text = lines.joined(separator: "\n")
        let edits = try DocumentEdit.readLines(ByteStorage(copying: Array(text.utf8)))
        let single = Self.apply(edits, to: storage, sharing, together: false)
        let whole = Self.apply(edits, to: storage, sharing, together: true)
        // A typedstream between two edits may be one that is not edited again.
        if single.error?.contains("the typedstream is not edited") == true { continue }
        #expect(whole.error == single.error, "\(text)")
        if single.error == nil {
          done += edits.count
          let (found, expected) = (
            try Self.typed(whole.document.storage), try Self.typed(single.document.storage)
          )
          #expect(found == expected, "\(text)")
          #expect(
            Self.lines(whole.document) == Self.lines(single.document), "\(text)")
        } else {
          refused += 1
          #expect(whole.document.storage.bytes.elementsEqual(storage.bytes))
          #expect(whole.document.records.isEmpty)
        }
      }
    }
    #expect(done > 200 && refused > 5, "\(done) \(refused)")
  }

  /// The file is read and written once for all edits that do not depend on each other.
  @Test func manyEditsCostLittleMoreThanOne() throws {
    let elements = (0..<1000).map { #"{"name":"n\#($0)","list":[1,\#($0)]}"# }
    let archive = try TypedValueArchive.archive("[\(elements.joined(separator: ","))]")
    func edits(_ count: Int) throws -> [DocumentEdit] {
      let lines = (0..<count).map { number in
        [
          #"{"op":"set","path":"/\#(number * 3)/name","value":"x\#(number)"}"#,
          #"{"op":"add","path":"/\#(number * 3)/list/1","value":7}"#,
          #"{"op":"remove","path":"/\#(number * 3 + 1)/list/0"}"#,
          #"{"op":"add","path":"/\#(number * 3 + 1)/new","value":{"a":[true]}}"#,
          #"{"op":"remove","path":"/\#(number * 3 + 1)"}"#,
          #"{"op":"add","path":"/\#(number * 3 + 1)","value":"y"}"#,
        ][number % 6]
      }
      return try DocumentEdit.readLines(
        ByteStorage(copying: Array(lines.joined(separator: "\n").utf8)))
    }
    var (together, single) = (EditedDocument(archive), EditedDocument(archive))
    let many = try edits(300)
    let few = try edits(15)
    let quick = try ProcessorTime.seconds { try together.apply(many) }
    let slow = try ProcessorTime.seconds { for edit in few { try single.apply([edit]) } }
    #expect(together.records.count == 300 && single.records.count == 15)
    #expect(quick < slow, "\(quick) \(slow)")
  }

  /// A member of a large set is added, and an equal one is refused.
  @Test(arguments: [10, 3000, 20_000]) func setsMayBeLarge(_ count: Int) throws {
    let members = (0..<count).map { "\"m\($0)\"" }.joined(separator: ",")
    let archive = try TypedValueArchive.archive("{\"$set\":[\(members)]}")
    var document = EditedDocument(archive)
    let new = try DocumentEdit.readLines(
      ByteStorage(copying: Array(#"{"op":"append","path":"","value":"new"}"#.utf8)))
    try document.apply(new)
    guard case .set(let elements) = try ArchiveReader().read(document.storage).rootValue else {
      Issue.record("no set")
      return
    }
    #expect(elements.count == count + 1)
    #expect(throws: ArchiveError.self) { try document.apply(new) }
    for value in [
      #""m5""#,
      #"{"$object":{"class":"NSMutableString","classes":["NSMutableString","NSString","NSObject"],"fields":{"NS.string":{"$inline":"m5"}}}}"#,
    ] {
      let equal = try DocumentEdit.readLines(
        ByteStorage(copying: Array("{\"op\":\"append\",\"path\":\"\",\"value\":\(value)}".utf8)))
      #expect(throws: ArchiveError.self) { try document.apply(equal) }
    }
  }

  /// Equal elements in any form: numbers by value, lists and dictionaries by content.
  @Test(arguments: [
    ("1", "1", false), ("1", "2", true), ("1", #"{"$real":1}"#, false), ("1", "true", false),
    ("[1]", "[1]", false), ("[1]", "[2]", true), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, false),
    (#"{"a":[1]}"#, #"{"a":[2]}"#, true), (#""é""#, #""e\u0301""#, true), ("[]", "{}", true),
  ]) func elementsOfSetsDiffer(_ one: String, _ other: String, _ isAllowed: Bool) throws {
    var document = EditedDocument(try TypedValueArchive.archive("{\"$set\":[\(one)]}"))
    let edit = try DocumentEdit.readLines(
      ByteStorage(copying: Array("{\"op\":\"append\",\"path\":\"\",\"value\":\(other)}".utf8)))
    if isAllowed {
      try document.apply(edit)
    } else {
      #expect(throws: ArchiveError.self) { try document.apply(edit) }
    }
  }
}

private enum TypedValueArchive {
  /// A keyed archive of typed JSON.
  static func archive(_ json: String) throws -> ByteStorage {
    var converted = OutputBuffer(descriptor: nil)
    _ = try Conversion(to: .keyedArchive).run(
      ByteStorage(copying: Array(json.utf8)), name: "test", to: &converted)
    return ByteStorage(copying: Array(converted.bytes.bytes))
  }
}

extension ObjectGraph {
  fileprivate var rootValue: Value { value(of: root) }
}
