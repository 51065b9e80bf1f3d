// The class records of a keyed archive, and the objects of each class.

import ArchiveGraph
import ArchiveWriting
import KeyedArchives

/// The class records of a keyed archive, found in its stored values.
struct StoredClasses {
  let table: ValueTable
  /// The stored values of `$objects` by their numbers.
  let objects: [UInt32]
  /// The class records, in the order of their occurrence.
  private(set) var records: [UInt32] = []
  /// For each dictionary with a class its record.
  private(set) var recordOf: [UInt32: UInt32] = [:]
  /// The dictionaries with an inline class record, and its position among their children.
  private(set) var inlineClasses: [(holder: UInt32, position: Int, record: UInt32)] = []
  private(set) var names: [UInt32: String] = [:]
  private var isRecord: Set<UInt32> = []
  /// Dictionaries without a name, which a hostile archive may give to many objects for their class.
  private var isNoRecord: Set<UInt32> = []

  /// Looks through the values of a document.
  init(_ document: Document, objects list: UInt32) {
    table = document.table
    let (start, count) = document.table.counted(list)
    let table = document.table
    objects = (0..<count).map { table.reference(start, $0) }
    for index in 0..<UInt32(truncatingIfNeeded: table.count)
    where table.fault(at: index) == nil && table.marker(of: index) >> 4 == Marker.dictionary {
      findClass(of: index)
    }
    for index in objects where isDictionary(index) && recordOf[index] == nil { add(index) }
  }

  /// The stored name of the class of a dictionary, or nil.
  func className(of dictionary: UInt32) -> String? {
    recordOf[dictionary].flatMap { names[$0] }
  }

  /// Whether a dictionary is a class record.
  func isClassRecord(_ index: UInt32) -> Bool { isRecord.contains(index) }

  private mutating func findClass(of dictionary: UInt32) {
    let (start, count) = table.counted(dictionary)
    for position in 0..<count
    where table.text(at: table.reference(start, position))?.equals("$class") == true {
      let reference = table.reference(start, count + position)
      guard let record = target(of: reference), isDictionary(record), add(record) else { continue }
      if record == reference { inlineClasses.append((dictionary, count + position, record)) }
      if recordOf[dictionary] == nil { recordOf[dictionary] = record }
    }
  }

  private func target(of reference: UInt32) -> UInt32? {
    guard table.marker(of: reference) >> 4 == Marker.uid else { return reference }
    return Int(exactly: table.uid(at: reference)).flatMap {
      objects.indices.contains($0) ? objects[$0] : nil
    }
  }

  /// Treats a dictionary as a class record if it has a name.
  @discardableResult
  private mutating func add(_ index: UInt32) -> Bool {
    if isRecord.contains(index) { return true }
    if isNoRecord.contains(index) { return false }
    guard let name = table.value("$classname", of: index).flatMap({ table.text(at: $0) }) else {
      isNoRecord.insert(index)
      return false
    }
    isRecord.insert(index)
    records.append(index)
    names[index] = name.string
    return true
  }

  private func isDictionary(_ index: UInt32) -> Bool {
    table.marker(of: index) >> 4 == Marker.dictionary
  }
}

extension StoredClasses {
  /// How many objects each class record has.
  var objectCounts: [UInt32: Int] { recordOf.values.reduce(into: [:]) { $0[$1, default: 0] += 1 } }

  /// The stored name in a class record.
  func name(ofRecord record: UInt32) -> String? {
    names[record]
  }
}
