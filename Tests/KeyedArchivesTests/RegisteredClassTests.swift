// Classes that an application registers: their values, on every thread, without other changes.

import ArchiveBasics
import ArchiveGraph
import Foundation
import TestSupport
import Testing

@testable import ArchiveEditing
@testable import ArchiveWriting
@testable import KeyedArchives

/// A temperature, as text.
private enum TemperatureClass: ClassFamily {
  static let classNames = ["Weather.Temperature"]
  static let shown = "its degrees"

  static func value(of object: ArchivedObject) -> Value? {
    guard let degrees = object.integer("degrees") else { return nil }
    return object.derivedText { "\(degrees) °C" }
  }

  static func summary(of object: ArchivedObject) -> String? {
    object.integer("degrees").map { $0 < 0 ? "frost" : "mild" }
  }
}

@Suite struct RegisteredClassTests {
  private static func graph(_ archive: Data, _ classes: [any ClassFamily.Type]) throws
    -> ObjectGraph
  {
    try ArchiveReader(classes: classes).read(ByteStorage(copying: Array(archive)))
  }

  /// The root's value, if it is a text.
  private static func text(of graph: ObjectGraph) -> String? {
    guard case .string(let text) = graph.value(of: graph.root) else { return nil }
    return text.string
  }

  private static let archive = ArchivedSample.object("Weather.Temperature", ["degrees": -4]).archive

  @Test func anObjectHasTheValueThatItsClassGives() throws {
    let graph = try Self.graph(Self.archive, [TemperatureClass.self])
    #expect(Self.text(of: graph) == "-4 °C")
    #expect(graph.summary(of: graph.root) == "frost")
  }

  @Test func withoutTheClassItIsItsFields() throws {
    let graph = try Self.graph(Self.archive, [])
    guard case .object(_, let pairs) = graph.value(of: graph.root) else {
      Issue.record("no object")
      return
    }
    #expect(pairs.count == 1)
  }

  @Test func anObjectThatLacksItsFieldKeepsThoseThatItHas() throws {
    let archive = ArchivedSample.object("Weather.Temperature", ["kelvin": 269]).archive
    let graph = try Self.graph(archive, [TemperatureClass.self])
    guard case .object(_, let pairs) = graph.value(of: graph.root) else {
      Issue.record("no object")
      return
    }
    #expect(pairs.count == 1)
  }

  @Test func threadsShareClasses() async throws {
    let classes: [any ClassFamily.Type] = [TemperatureClass.self]
    let archive = Self.archive
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<32 {
        group.addTask {
          let graph = try Self.graph(archive, classes)
          return Self.text(of: graph)
        }
      }
      for try await text in group { #expect(text == "-4 °C") }
    }
  }
}
