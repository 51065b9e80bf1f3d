// OpenStep property lists: the values that Foundation reads, GNUstep's types, and the locations of errors.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

/// Reads a text as an OpenStep property list, whatever else it may look like.
func readOpenStep(_ data: Data, limits: Limits = Limits()) throws(ArchiveError) -> ObjectGraph {
  let storage = ByteStorage(copying: Array(data))
  var options = ReadingOptions()
  options.limits = limits
  let reading = try OpenStepFormat.read(
    FormatInput(storage.bytes, storage: [storage], fileOffset: 0, options))
  let graph = ObjectGraph(limits: limits)
  graph.warnings = reading.warnings
  _ = graph.add(reading.document)
  return graph
}

/// What Foundation reads in a property list, in the form of `SampleValue.canonical`; nil if it refuses it.
func foundationReading(_ data: Data) -> String? {
  do {
    let object = try PropertyListSerialization.propertyList(from: data, format: nil)
    return SampleValue(foundation: object).canonical
  } catch {
    return nil
  }
}

extension ObjectGraph {
  /// The root and all below it, in the form of `SampleValue.canonical`.
  var canonical: String { SampleValue(foundation: foundationObject(root)).canonical }
}

@Suite struct OpenStepReaderTests {
  @Test(arguments: shared) func readsWhatFoundationReads(_ text: String) throws {
    let wanted = try #require(foundationReading(Data(text.utf8)), "Foundation refuses the text")
    #expect(try readOpenStep(Data(text.utf8)).canonical == wanted)
  }

  @Test(arguments: refused)
  func refusesWhatFoundationRefuses(_ text: String, _ code: ArchiveError.Code, _ offset: Int) {
    #expect(foundationReading(Data(text.utf8)) == nil)
    #expect(throws: ArchiveError(code, "", offset: offset)) {
      _ = try readOpenStep(Data(text.utf8))
    }
  }

  @Test(arguments: refusedAlone)
  func refusesWhatFoundationMakesUp(_ text: String, _ code: ArchiveError.Code, _ offset: Int) {
    #expect(foundationReading(Data(text.utf8)) != nil)
    #expect(throws: ArchiveError(code, "", offset: offset)) {
      _ = try readOpenStep(Data(text.utf8))
    }
  }

  @Test(arguments: alone)
  func readsFormsThatFoundationHasNot(_ text: String, _ value: SampleValue) throws {
    #expect(foundationReading(Data(text.utf8)) != value.canonical)
    let graph = try readOpenStep(Data(text.utf8))
    #expect(
      SampleValue(of: graph.root, in: graph).canonical == value.canonical)
  }

  @Test(arguments: dates)
  func readsDatesOfGNUstep(_ text: String, _ wanted: String) throws {
    let formatter = ISO8601DateFormatter()
    let date = try #require(formatter.date(from: wanted))
    for spelled in ["<*D\(text)>", "<*D\"\(text)\">"] {
      let graph = try readOpenStep(Data(spelled.utf8))
      #expect(graph.foundationObject(graph.root) == date as NSDate)
    }
  }

  @Test(arguments: [
    ("2001-01-01 00:00:00.5 +0000", 0.5), ("2001-01-01 00:00:00.1", 0.1),
    ("2000-12-31 23:59:59.75 +0000", -0.25), ("2000-12-31 23:59:59.9", -0.1),
    ("2000-12-31 23:59:58.70", -1.3), ("2001-01-01 00:00:01.000", 1),
    ("2019-04-06 04:30:00.123456789", 576_217_800.123456789),
  ])
  func readsFractionsToTheLastBit(_ text: String, _ seconds: Double) throws {
    let graph = try readOpenStep(Data("<*D\(text)>".utf8))
    #expect(
      graph.foundationObject(graph.root) == NSDate(timeIntervalSinceReferenceDate: seconds))
  }

  @Test func readsEveryOctalEscapeAsFoundationDoes() throws {
    for byte in 0..<0o376 {
      let text =
        "\"\\" + String(repeating: "0", count: byte < 8 ? 2 : byte < 64 ? 1 : 0)
        + String(byte, radix: 8) + "\""
      #expect(
        try readOpenStep(Data(text.utf8)).canonical == foundationReading(Data(text.utf8)), "\(text)"
      )
    }
  }

  @Test func keepsALoneSurrogate() throws {
    let graph = try readOpenStep(Data(#"("\UD800x")"#.utf8))
    var output = OutputBuffer(descriptor: nil)
    _ = try OpenStepFormat.write(
      graph.documents[0], WritingOptions(limits: Limits()), to: &output)
    #expect(String(decoding: output.bytes.bytes, as: UTF8.self) == "(\n    \"\\Ud800x\"\n)\n")
  }

  @Test(arguments: ["{a=b;a=c;}", "{a;a;}", "a=b; a=c;", "a;a;", "({a=b;\n'a';})"])
  func warnsOfARepeatedKeyAndKeepsItsLastValue(_ text: String) throws {
    let graph = try readOpenStep(Data(text.utf8))
    #expect(graph.warnings.count == 1)
    #expect(graph.warnings.first?.message.contains("'a'") == true)
    guard case .dictionary(let pairs) = graph.value(of: dictionary(of: graph)) else {
      Issue.record("no dictionary")
      return
    }
    #expect(pairs.count == 1)
  }

  private func dictionary(of graph: ObjectGraph) -> Node {
    guard case .array(let elements) = graph.value(of: graph.root) else { return graph.root }
    return graph.node(elements, 0)
  }

  @Test func valuesHaveTheirPlacesInTheFile() throws {
    let graph = try readOpenStep(Data("  first = (b, <00>); /**/ e = {f = g;};".utf8))
    guard case .dictionary(let pairs) = graph.value(of: graph.root) else {
      Issue.record("no dictionary")
      return
    }
    let nodes = [graph.root, graph.key(pairs, 0), graph.value(pairs, 0), graph.key(pairs, 1)]
    #expect(nodes.map { graph.fileOffset(of: $0) } == [2, 2, 10, 26])
    #expect(graph.fileOffset(of: graph.value(pairs, 1)) == 30)
  }

  @Test(.enabled(if: Corpus.isPresent)) func readsAProjectOfXcode() throws {
    let file = try #require(Corpus.file("plist/rust-plist/netnewswire.pbxproj"))
    let data = try Data(contentsOf: file)
    let graph = try readGraph(data)
    #expect(graph.warnings.isEmpty)
    let wanted = try PropertyListSerialization.propertyList(from: data, format: nil)
    #expect(graph.foundationObject(graph.root) == wanted as? NSObject)
  }
}
