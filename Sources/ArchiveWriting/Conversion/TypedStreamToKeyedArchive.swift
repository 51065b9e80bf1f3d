// A typedstream's objects as a keyed archive that NSKeyedUnarchiver opens.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

/// Turns the table of a typedstream into that of a keyed archive.
///
/// Objects keep their numbers. Values without keys get `$0`, `$1`, …, as keyed archives name
/// values that were encoded without a key, unless keys are given for their class.
struct TypedStreamToKeyedArchive: ~Copyable {
  private let table: ValueTable
  private let document: Document
  private let keys: [String: [String]]
  private var builder: GraphBuilder
  private var copies: [UInt32?]
  private var objects: UnsafeRawPointer
  private var objectCount = 0
  /// The classes that keys were used for.
  private var found: Set<String> = []

  private init(_ document: Document, _ keys: [String: [String]]) {
    self.document = document
    self.keys = keys
    table = document.table
    builder = GraphBuilder(capacity: document.table.byteCount)
    copies = [UInt32?](repeating: nil, count: document.table.count)
    objects = document.table.base
  }

  /// Makes the stored values of a keyed archive.
  ///
  /// - Parameters:
  ///   - document: a typedstream in the keyed layout.
  ///   - keys: for classes by name the keys of their values in turn; an empty key leaves a value its number.
  /// - Returns: the values, and the classes among those with keys that the stream has objects of.
  /// - Throws: `ArchiveError` if a class has fewer values than keys.
  static func archive(
    of document: Document, keys: [String: [String]]
  ) throws(ArchiveError) -> (document: Document, found: Set<String>) {
    var transcription = TypedStreamToKeyedArchive(document, keys)
    let archive = try transcription.run()
    return (archive, transcription.found)
  }

  private mutating func run() throws(ArchiveError) -> Document {
    let top = table.value("$top", of: document.top)
    guard let list = table.value("$objects", of: document.top), let top else { return document }
    (objects, objectCount) = table.counted(list)
    var made: [UInt32] = []
    for number in 0..<objectCount {
      made.append(try copyObject(table.reference(objects, number)))
    }
    var tops: [(String, UInt32)] = []
    for (_, key, value) in table.members(of: top) {
      tops.append((table.text(at: key)?.string ?? "", copy(value)))
    }
    var finished = GraphBuilder(capacity: 16)
    swap(&finished, &builder)
    return finished.finish(archive: made, tops: tops)
  }

  // MARK: Objects

  private mutating func copyObject(_ index: UInt32) throws(ArchiveError) -> UInt32 {
    guard table.marker(of: index) >> 4 == Marker.dictionary else { return copy(index) }
    guard !keys.isEmpty, let name = className(of: index), let names = keys[name] else {
      return copy(index)
    }
    found.insert(name)
    let stored: [String?] = table.members(of: index).map { table.text(at: $0.key)?.string }
    let known = Set(stored)
    let count = (0...).first { !known.contains("$\($0)") } ?? 0
    guard names.count <= count else {
      throw document.error(
        .unrepresentable, "\(name) has \(count) values here, but --keys names \(names.count)",
        at: index)
    }
    let isWhole = names.count == count && !names.contains("")
    return pairs(of: index) { key in
      // Without values that go by their number their types mean nothing.
      if key == "$types" { return isWhole ? nil : key }
      guard key.hasPrefix("$"), let number = Int(key.dropFirst()), number < names.count,
        !names[number].isEmpty
      else { return key }
      return names[number].hasPrefix("$") ? "$" + names[number] : names[number]
    }
  }

  private func className(of object: UInt32) -> String? {
    guard let reference = table.value("$class", of: object),
      table.marker(of: reference) >> 4 == Marker.uid
    else { return nil }
    let number = table.uid(at: reference)
    guard number < UInt64(objectCount) else { return nil }
    let record = table.reference(objects, Int(number))
    guard table.marker(of: record) >> 4 == Marker.dictionary else { return nil }
    return table.value("$classname", of: record).flatMap { table.text(at: $0)?.string }
  }

  /// Copies a dictionary.
  ///
  /// - Parameter rename: gives a key's new name, nil to leave its value out; without it the keys stay, and each is copied
  ///   once: thousands of objects may share a long one.
  private mutating func pairs(
    of dictionary: UInt32, _ rename: ((String) -> String?)? = nil
  ) -> UInt32 {
    var made: [(UInt32, UInt32)] = []
    for (_, reference, value) in table.members(of: dictionary) {
      let key: UInt32
      if let rename {
        guard let name = rename(table.text(at: reference)?.string ?? "") else { continue }
        key = builder.add(name)
      } else {
        key = table.text(at: reference) == nil ? builder.add("") : copy(reference)
      }
      made.append((key, copy(value)))
    }
    return builder.add(pairs: made)
  }

  /// Copies a value with its inline values; objects are behind UIDs, so the recursion is short.
  private mutating func copy(_ index: UInt32) -> UInt32 {
    if let known = copies[Int(index)] { return known }
    let made: UInt32
    switch table.marker(of: index) >> 4 {
    case Marker.dictionary: made = pairs(of: index)
    case Marker.array:
      let elements = table.children(of: index).map { copy($0) }
      made = builder.add(list: elements)
    default: made = builder.add(scalar: table.scalar(at: index))
    }
    copies[Int(index)] = made
    return made
  }
}
