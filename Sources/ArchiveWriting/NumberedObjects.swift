// The objects of a keyed archive that is made anew, as Foundation numbers them.

import ArchiveBasics
import ArchiveGraph

/// Numbers objects: `$null` first, equal scalars once, a class record after the first object of the class.
struct NumberedObjects: ~Copyable {
  var builder: GraphBuilder
  /// For each object number its stored value.
  private var stored: [UInt32] = []
  /// The object number of each stored scalar, or `.max`.
  private var scalarNumbers: [UInt32] = []
  private var classNumbers: [ClassDescription: UInt32] = [:]
  /// The object of NSNull, once it is needed.
  private var nullNumber: UInt32?

  init(capacity: Int) {
    builder = GraphBuilder(capacity: capacity)
    _ = add(builder.add("$null"))
  }

  /// Adds an object, which may get its stored value later.
  mutating func add(_ index: UInt32 = .max) -> UInt32 {
    stored.append(index)
    return UInt32(truncatingIfNeeded: stored.count - 1)
  }

  mutating func set(_ number: UInt32, to index: UInt32) { stored[Int(number)] = index }

  mutating func scalar(_ index: UInt32) -> UInt32 {
    while scalarNumbers.count <= Int(index) { scalarNumbers.append(.max) }
    if scalarNumbers[Int(index)] == .max { scalarNumbers[Int(index)] = add(index) }
    return scalarNumbers[Int(index)]
  }

  /// The stored value of a reference to an object.
  mutating func uid(_ number: UInt32) -> UInt32 { builder.add(uid: UInt64(number)) }

  mutating func null() -> UInt32 {
    let number = nullNumber ?? object("NSNull", [])
    nullNumber = number
    return number
  }

  /// Adds an object of a Foundation class with inline fields.
  mutating func object(_ name: String, _ fields: [(String, UInt32)]) -> UInt32 {
    let number = add()
    builder.open(fields)
    appendClass(FoundationClass.description(name))
    set(number, to: builder.closeDictionary())
    return number
  }

  mutating func appendClass(_ description: ClassDescription) {
    builder.append(builder.add("$class"))
    let number = classNumbers[description] ?? addRecord(of: description)
    builder.append(uid(number))
  }

  private mutating func addRecord(of description: ClassDescription) -> UInt32 {
    let number = add(
      builder.classRecord(
        description.name, chain: description.chain, hints: description.hints,
        versions: description.versions))
    classNumbers[description] = number
    return number
  }

  consuming func finish(
    tops: [(String, UInt32)], archiver: String = "NSKeyedArchiver", version: Int64 = 100_000
  ) -> Document {
    builder.finish(archive: stored, tops: tops, archiver: archiver, version: version)
  }
}
