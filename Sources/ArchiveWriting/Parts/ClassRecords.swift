// The class records of an archive, so that equal ones of another need not be added.

import ArchiveGraph
import KeyedArchives

/// Class records by content: a name, the names of the ancestors, and those of substitutes.
package struct ClassRecords {
  /// Records of a hostile archive may share long lists of long names; longer ones than these are treated as different.
  private static let mostNames = 64
  private static let longestName = 1024

  private var numbers: [[[UInt8]]: UInt64] = [:]

  /// Finds the records of an archive.
  package init(of side: StoredComparison.Side) {
    for (number, object) in (side.objects ?? []).enumerated() {
      add(object, of: side, number: UInt64(number))
    }
  }

  /// Adds an object if it is a class record, unless an equal one exists.
  package mutating func add(_ object: UInt32, of side: StoredComparison.Side, number: UInt64) {
    guard let content = Self.content(of: object, in: side.document.table) else { return }
    if numbers[content] == nil { numbers[content] = number }
  }

  /// The number of a record equal to one of another archive, or nil.
  package func number(like object: UInt32, of side: StoredComparison.Side) -> UInt64? {
    Self.content(of: object, in: side.document.table).flatMap { numbers[$0] }
  }

  /// The texts of a record, member by member; nil if it is not a record, or contains anything but names.
  package static func content(of object: UInt32, in table: ValueTable) -> [[UInt8]]? {
    guard table.marker(of: object) >> 4 == Marker.dictionary,
      table.value("$classname", of: object) != nil
    else { return nil }
    let (start, count) = table.counted(object)
    guard count <= 3 else { return nil }
    var members: [(key: String, texts: [[UInt8]])] = []
    for position in 0..<count {
      guard let key = table.text(at: table.reference(start, position))?.string,
        ["$classname", "$classes", "$classhints"].contains(key),
        let texts = texts(at: table.reference(start, count + position), in: table)
      else { return nil }
      members.append((key, texts))
    }
    members.sort { $0.key < $1.key }
    // No name is a single zero byte, so that members stay separate.
    return members.flatMap { [Array($0.key.utf8)] + $0.texts + [[0]] }
  }

  private static func texts(at index: UInt32, in table: ValueTable) -> [[UInt8]]? {
    if let text = table.text(at: index) {
      return text.byteCount > longestName ? nil : [Array(text.string.utf8)]
    }
    guard table.marker(of: index) >> 4 == Marker.array else { return nil }
    let (start, count) = table.counted(index)
    guard count <= mostNames else { return nil }
    var found: [[UInt8]] = []
    for position in 0..<count {
      guard let text = table.text(at: table.reference(start, position)),
        text.byteCount <= longestName
      else { return nil }
      found.append(Array(text.string.utf8))
    }
    return found
  }
}
