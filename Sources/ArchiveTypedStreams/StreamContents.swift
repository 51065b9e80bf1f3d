// All of a typedstream, to be changed, compared or written: its tables with the groups and values of all objects.

import ArchiveBasics

struct TypedClass {
  let name: String
  let version: Int64
  /// The number of the class that it derives from.
  let superclass: Int?
}

extension [TypedClass] {
  /// A class and those that it derives from.
  func chain(of number: Int?) -> [TypedClass] {
    var chain: [TypedClass] = []
    var next = number
    // A superclass is always read before its number can be referred to, so the chain ends.
    while let current = next, chain.count <= count {
      chain.append(self[current])
      next = self[current].superclass
    }
    return chain
  }
}

struct StreamContents: ~Copyable, StreamConsumer {
  /// What it has of itself, with the groups and values of all objects.
  var tables = StreamTables()
  var objects = RawStack<StreamObject>()
  /// The groups outside of objects.
  var tops = StreamRange.empty

  init() {}

  /// Reads a whole stream.
  ///
  /// - Throws: `ArchiveError` at the first fault.
  init(_ bytes: ByteView, limits: Limits) throws(ArchiveError) {
    var read = try TypedStreamParser.read(bytes, limits: limits, into: &self)
    let all = StreamRange(start: 0, count: read.groups.count)
    let rest = StreamObject(number: 0, offset: 0, classNumber: nil, groups: all, values: 0)
    tops = tables.add(rest, of: read).groups
    tables.exchangeContents(&read)
    swap(&tables, &read)
  }

  mutating func receive(_ object: StreamObject, _ tables: inout StreamTables) {
    // Those within it ended before it, and have higher numbers.
    while objects.count <= object.number { objects.push(object) }
    objects[object.number].pointee = self.tables.add(object, of: tables)
  }
}
