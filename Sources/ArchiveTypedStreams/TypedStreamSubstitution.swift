// Names of classes in a typedstream replaced, objects made nil, data values exchanged; all else stays.

import ArchiveBasics

/// Edits to typedstreams.
package enum TypedStreamSubstitution {
  /// Edits a typedstream.
  ///
  /// The result is read again and compared, value by value, with the intended values.
  ///
  /// - Parameters:
  ///   - storage: the whole stream.
  ///   - limits: the bounds that hold.
  ///   - renaming: for each class its new name, or nil; receives the number of objects of the class itself.
  ///   - dropping: whether the objects of a class become nil; they leave arrays, sets and dictionaries.
  ///   - dropped: receives each class with such objects, their number, and the number of removed references.
  ///   - data: new bytes for those of an NSData object, nil to leave them.
  /// - Returns: the new stream; nil if nothing is to be changed.
  /// - Throws: `ArchiveError` if the stream cannot be read or a top-level object would be dropped.
  package static func apply(
    to storage: ByteStorage, limits: Limits,
    renaming: (_ name: String, _ objects: Int) -> String?,
    dropping: (String) -> Bool,
    dropped: (_ name: String, _ objects: Int, _ references: Int) -> Void,
    data: (ByteView) throws(ArchiveError) -> ByteStorage?
  ) throws(ArchiveError) -> ByteStorage? {
    var edits = TypedStreamEdits(try StreamContents(storage.bytes, limits: limits))
    try edits.drop(dropping, dropped)
    edits.rename(renaming)
    try edits.exchange(data)
    guard edits.isChanged else { return nil }
    let result = TypedStreamWriter.write(&edits.contents).intoStorage()
    let written = try StreamContents(result.bytes, limits: limits)
    guard edits.haveResult(written) else {
      throw ArchiveError(
        .unrepresentable, "the rewritten typedstream would not be the old one under new names")
    }
    return result
  }
}

/// A stream's contents while they are edited.
private struct TypedStreamEdits: ~Copyable {
  var contents: StreamContents
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

  init(_ contents: consuming StreamContents) {
    let classes = contents.tables.classes
    dataClasses = Self.among(classes, below: ["NSData"])
    listClasses = Self.among(classes, below: ["NSArray", "NSSet"])
    dictionaryClasses = Self.among(classes, below: ["NSDictionary"])
    self.contents = contents
  }

  private static func among(_ classes: [TypedClass], below names: Set<String>) -> Set<Int> {
    var found: Set<Int> = []
    // A class follows its superclass.
    for (number, type) in classes.enumerated()
    where names.contains(type.name) || type.superclass.map({ found.contains($0) }) == true {
      found.insert(number)
    }
    return found
  }

  /// Whether a stream is the edited one.
  consuming func haveResult(_ written: consuming StreamContents) -> Bool {
    let storage = storage
    var comparison = TypedStreamComparison(contents, written)
    return withExtendedLifetime(storage) { comparison.run() }
  }

  // MARK: Names

  mutating func rename(_ renaming: (String, Int) -> String?) {
    var objects: [Int: Int] = [:]
    for number in 0..<contents.objects.count {
      if let number = contents.objects[number].pointee.classNumber {
        objects[number, default: 0] += 1
      }
    }
    for (number, type) in contents.tables.classes.enumerated() {
      guard let name = renaming(type.name, objects[number] ?? 0) else { continue }
      contents.tables.classes[number] = TypedClass(
        name: name, version: type.version, superclass: type.superclass)
      isChanged = true
    }
  }

  // MARK: Data

  /// The bytes of NSData objects: their number, then an array of that many characters.
  mutating func exchange(
    _ data: (ByteView) throws(ArchiveError) -> ByteStorage?
  ) throws(ArchiveError) {
    for number in 0..<contents.objects.count {
      let object = contents.objects[number].pointee
      let groups = contents.tables.groups(object.groups)
      guard groups.count == 2, isKind(object, dataClasses), groups[0].values.count > 0,
        case .integer = contents.tables.value(of: groups[0]), groups[1].values.count == 1,
        case .array(_, let element)? = contents.tables.encodedTypes(of: groups[1]).first,
        case .data(let bytes) = contents.tables.value(of: groups[1]), let new = try data(bytes)
      else { continue }
      storage.append(new)
      let values = groups[1].values
      contents.tables.values[groups[0].values.start].pointee = .integer(Int64(new.bytes.count))
      contents.tables.values[values.start].pointee = .data(new.bytes)
      contents.tables.groups[object.groups.start + 1].pointee = StreamGroup(
        list: contents.tables.add([.array(new.bytes.count, element)]), values: values,
        letter: groups[1].letter)
      isChanged = true
    }
  }

  private func isKind(_ object: StreamObject, _ classes: Set<Int>) -> Bool {
    object.classNumber.map { classes.contains($0) } == true
  }

  // MARK: Dropped objects

  mutating func drop(
    _ dropping: (String) -> Bool, _ dropped: (String, Int, Int) -> Void
  ) throws(ArchiveError) {
    let all = contents.tables.classes
    let classes = Set(all.indices.filter { dropping(all[$0].name) })
    if classes.isEmpty { return }
    for number in 0..<contents.objects.count {
      if let type = contents.objects[number].pointee.classNumber, classes.contains(type) {
        droppedClasses[number] = type
      }
    }
    if droppedClasses.isEmpty { return }
    for group in contents.tables.groups(contents.tops) {
      for case .object(let number) in contents.tables.values(group.values)
      where droppedClasses[number] != nil {
        throw ArchiveError(
          .mismatch, "the root object has a class to be dropped; an archive needs its root",
          offset: contents.objects[number].pointee.offset)
      }
    }
    isChanged = true
    for number in 0..<contents.objects.count { dropElements(of: number) }
    for position in 0..<contents.tables.valueCount { dropValue(at: position) }
    let counts = droppedClasses.values.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    for (type, count) in counts { dropped(all[type].name, count, references[type] ?? 0) }
  }

  /// Makes a value nil that refers to an object that is dropped.
  private mutating func dropValue(at position: Int) {
    let value = contents.tables.values[position]
    if case .object(let number) = value.pointee, let type = droppedClasses[number] {
      references[type, default: 0] += 1
      value.pointee = .null
    }
  }

  private func hasDropped(_ group: StreamGroup) -> Bool {
    for case .object(let number) in contents.tables.values(group.values)
    where droppedClasses[number] != nil {
      return true
    }
    return false
  }

  /// Arrays and sets hold their count and their elements, dictionaries their count, then keys and values in turn.
  private mutating func dropElements(of number: Int) {
    let object = contents.objects[number]
    let groups = contents.tables.groups(object.pointee.groups)
    let size = isKind(object.pointee, dictionaryClasses) ? 2 : 1
    guard size == 2 || isKind(object.pointee, listClasses), let head = groups.first,
      head.values.count == 1, case .integer(let length) = contents.tables.value(of: head),
      (groups.count - 1) / size == length, (groups.count - 1) % size == 0
    else { return }
    let start = object.pointee.groups.start
    var kept = 1
    for first in stride(from: 1, to: groups.count, by: size) {
      let entry = groups[first..<first + size]
      var isDropped = false
      for group in entry where hasDropped(group) { isDropped = true }
      if isDropped {
        for range in entry.map(\.values) {
          for position in range.start..<range.start + range.count { dropValue(at: position) }
        }
      } else {
        for group in entry {
          contents.tables.groups[start + kept].pointee = group
          kept += 1
        }
      }
    }
    contents.tables.values[head.values.start].pointee = .integer(Int64((kept - 1) / size))
    object.pointee.groups = StreamRange(start: start, count: kept)
  }
}
