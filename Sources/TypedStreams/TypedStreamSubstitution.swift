// Names of classes in a typedstream replaced, objects made nil, data values exchanged; all else stays.

import Basics

/// Edits to typedstreams.
public enum TypedStreamSubstitution {
  /// Edits a typedstream.
  ///
  /// What is written is read again and compared, value by value, with what it should be.
  ///
  /// - Parameters:
  ///   - storage: the whole stream.
  ///   - limits: the bounds that hold.
  ///   - renaming: for each class its new name, nil to leave it; it is told how many objects are of the class itself.
  ///   - dropping: whether the objects of a class become nil; they leave arrays, sets and dictionaries.
  ///   - dropped: is told of each class with such objects: how many, and how many references to them are gone.
  ///   - data: new bytes for those of an NSData object, nil to leave them.
  /// - Returns: the new stream; nil if nothing is to be changed.
  /// - Throws: `ArchiveError` if the stream cannot be read or a top-level object would be dropped.
  public static func apply(
    to storage: ByteStorage, limits: Limits,
    renaming: (_ name: String, _ objects: Int) -> String?,
    dropping: (String) -> Bool,
    dropped: (_ name: String, _ objects: Int, _ references: Int) -> Void,
    data: (UnsafeRawBufferPointer) throws(ArchiveError) -> ByteStorage?
  ) throws(ArchiveError) -> ByteStorage? {
    var edits = TypedStreamEdits(try TypedStreamParser.parse(storage.bytes, limits: limits))
    try edits.drop(dropping, dropped)
    edits.rename(renaming)
    try edits.exchange(data)
    guard edits.isChanged else { return nil }
    let result = TypedStreamWriter.write(edits.contents).intoStorage()
    let written = try TypedStreamParser.parse(result.bytes, limits: limits)
    var comparison = TypedStreamComparison(edits.contents, written)
    guard comparison.run() else {
      throw ArchiveError(
        .unrepresentable, "the rewritten typedstream would not be the old one under new names")
    }
    return result
  }
}

/// A stream's contents while they are edited.
private struct TypedStreamEdits {
  var contents: TypedStreamContents
  private(set) var isChanged = false
  /// What new data values point into.
  private var storage: [ByteStorage] = []
  /// For each object that is dropped its class's number.
  private var droppedClasses: [Int: Int] = [:]
  private var references: [Int: Int] = [:]

  /// The numbers of the classes that are, or derive from, those of Foundation whose layout is known.
  private let dataClasses: Set<Int>
  private let listClasses: Set<Int>
  private let dictionaryClasses: Set<Int>

  init(_ contents: TypedStreamContents) {
    self.contents = contents
    dataClasses = Self.classes(in: contents, below: ["NSData"])
    listClasses = Self.classes(in: contents, below: ["NSArray", "NSSet"])
    dictionaryClasses = Self.classes(in: contents, below: ["NSDictionary"])
  }

  private static func classes(in contents: TypedStreamContents, below names: Set<String>) -> Set<
    Int
  > {
    var found: Set<Int> = []
    // A class comes behind the one that it derives from.
    for (number, type) in contents.classes.enumerated()
    where names.contains(type.name) || type.superclass.map({ found.contains($0) }) == true {
      found.insert(number)
    }
    return found
  }

  // MARK: Names

  mutating func rename(_ renaming: (String, Int) -> String?) {
    var objects: [Int: Int] = [:]
    for object in contents.objects {
      if let number = object.classNumber { objects[number, default: 0] += 1 }
    }
    for (number, type) in contents.classes.enumerated() {
      guard let name = renaming(type.name, objects[number] ?? 0) else { continue }
      contents.classes[number] = TypedClass(
        name: name, version: type.version, superclass: type.superclass)
      isChanged = true
    }
  }

  // MARK: Data

  /// The bytes of NSData objects: their number, then an array of that many characters.
  mutating func exchange(
    _ data: (UnsafeRawBufferPointer) throws(ArchiveError) -> ByteStorage?
  ) throws(ArchiveError) {
    for number in contents.objects.indices {
      let object = contents.objects[number]
      guard object.groups.count == 2, isKind(object, dataClasses),
        case .integer? = object.groups[0].values.first, object.groups[1].types.count == 1,
        case .array(_, let element) = object.groups[1].types[0],
        case .data(let bytes)? = object.groups[1].values.first, let new = try data(bytes)
      else { continue }
      storage.append(new)
      contents.objects[number].groups[0].values[0] = .integer(Int64(new.bytes.count))
      contents.objects[number].groups[1].types[0] = .array(new.bytes.count, element)
      contents.objects[number].groups[1].values[0] = .data(new.bytes)
      isChanged = true
    }
  }

  private func isKind(_ object: TypedObject, _ classes: Set<Int>) -> Bool {
    object.classNumber.map { classes.contains($0) } == true
  }

  // MARK: Dropped objects

  mutating func drop(
    _ dropping: (String) -> Bool, _ dropped: (String, Int, Int) -> Void
  ) throws(ArchiveError) {
    let classes = Set(contents.classes.indices.filter { dropping(contents.classes[$0].name) })
    if classes.isEmpty { return }
    for (number, object) in contents.objects.enumerated() {
      if let type = object.classNumber, classes.contains(type) { droppedClasses[number] = type }
    }
    if droppedClasses.isEmpty { return }
    for value in contents.tops.flatMap(\.values) {
      guard case .object(let number) = value, isDropped(value) else { continue }
      throw ArchiveError(
        .mismatch, "the root object has a class to be dropped; an archive needs its root",
        offset: contents.objects[number].offset)
    }
    isChanged = true
    for number in contents.objects.indices {
      dropElements(of: number)
      for group in contents.objects[number].groups.indices {
        let values = contents.objects[number].groups[group].values
        contents.objects[number].groups[group].values = values.map { withoutDropped($0) }
      }
    }
    for group in contents.tops.indices {
      contents.tops[group].values = contents.tops[group].values.map { withoutDropped($0) }
    }
    let counts = droppedClasses.values.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    for (type, count) in counts {
      dropped(contents.classes[type].name, count, references[type] ?? 0)
    }
  }

  private func isDropped(_ value: StreamValue) -> Bool {
    if case .object(let number) = value { droppedClasses[number] != nil } else { false }
  }

  private mutating func count(_ value: StreamValue) {
    if case .object(let number) = value, let type = droppedClasses[number] {
      references[type, default: 0] += 1
    }
  }

  /// Arrays and sets hold their count and their elements, dictionaries their count, then keys and values in turn.
  private mutating func dropElements(of number: Int) {
    let object = contents.objects[number]
    let size = isKind(object, dictionaryClasses) ? 2 : 1
    guard size == 2 || isKind(object, listClasses), let head = object.groups.first,
      case .integer(let length)? = head.values.first, head.values.count == 1,
      (object.groups.count - 1) / size == length, (object.groups.count - 1) % size == 0
    else { return }
    var groups = [head]
    var left: Int64 = 0
    for start in stride(from: 1, to: object.groups.count, by: size) {
      let entry = object.groups[start..<start + size]
      if entry.contains(where: { $0.values.contains(where: isDropped) }) {
        for value in entry.flatMap(\.values) { count(value) }
      } else {
        groups += entry
        left += 1
      }
    }
    groups[0].values[0] = .integer(left)
    contents.objects[number].groups = groups
  }

  /// Types nest to a bounded depth (`EncodedType`).
  private mutating func withoutDropped(_ value: StreamValue) -> StreamValue {
    switch value {
    case .object where isDropped(value):
      count(value)
      return .null
    case .array(let values): return .array(values.map { withoutDropped($0) })
    case .structure(let values): return .structure(values.map { withoutDropped($0) })
    default: return value
    }
  }
}
