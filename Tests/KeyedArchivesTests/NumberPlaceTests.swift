// One stored number at places of several types: each has its own copy, however many values come between.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

/// A dictionary with a list of numbers for each type.
private struct ColumnHints: TypeHints {
  static let types: [(name: String, type: NumberShape)] = [
    ("any", .any), ("flags", .boolean), ("integers", .integer), ("reals", .real),
  ]

  var root: Int { 0 }
  func element(_ place: Int) -> Int { place }

  func member(_ place: Int, _ key: Text) -> Int? {
    Self.types.firstIndex { key.string == $0.name }.map { $0 + 1 } ?? 0
  }

  func number(_ place: Int) -> NumberShape { place == 0 ? .any : Self.types[place - 1].type }
}

@Suite struct NumberPlaceTests {
  /// More values than a walk remembers.
  private static let count = 6000

  /// A number with its type: numbers of different types are equal.
  private func described(_ number: NSNumber) -> String {
    "\(String(cString: number.objCType)) \(number)"
  }

  /// A number as a decoder of a type reads it: a boolean and a real number are stored as such.
  private func typed(_ number: Int, _ type: NumberShape) -> NSNumber {
    switch type {
    case .any, .integer: NSNumber(value: number)
    case .boolean: NSNumber(value: number == 1)
    case .real: NSNumber(value: Double(number))
    }
  }

  @Test(arguments: [false, true])
  func numbersHaveTheTypeOfTheirPlace(archived: Bool) throws {
    // Texts are between the numbers, so that what is remembered of these is replaced.
    let list = (0..<Self.count).flatMap { [$0 % 2, "text \($0)"] as [Any] }
    let columns = Dictionary(uniqueKeysWithValues: ColumnHints.types.map { ($0.name, list) })
    let graph = try readGraph(
      archived
        ? NSKeyedArchiver.archivedData(withRootObject: columns, requiringSecureCoding: false)
        : PropertyListSerialization.data(fromPropertyList: columns, format: .binary, options: 0))
    let document = try CodableCopy.copy(graph.root, of: graph, shape: ColumnHints())
    let written = BinaryWriter.write(document)
    let copied = try PropertyListSerialization.propertyList(
      from: Data(written.bytes), format: nil)
    let read = try #require(copied as? [String: [Any]])
    for (name, type) in ColumnHints.types {
      let column = try #require(read[name])
      try #require(column.count == list.count)
      let wrong = list.indices.first { position in
        if position % 2 == 1 { return column[position] as? String != list[position] as? String }
        let number = typed(position / 2 % 2, type)
        return (column[position] as? NSNumber).map(described) != described(number)
      }
      #expect(wrong == nil, "\(name)")
    }
  }
}
