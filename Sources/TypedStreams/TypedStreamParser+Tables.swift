// The tables of a typedstream: objects, classes, C strings and shared strings, told once and referred to by number.
//
// Format facts: python-typedstream, stream.py.

import Basics

extension TypedStreamParser {
  // MARK: Classes

  /// A class and those that it derives from, up to nil or one that is known.
  mutating func type(_ head: Int8) throws(ArchiveError) -> Int? {
    var chain: [(name: String, version: Int64, entry: Int)] = []
    var head = head
    while head == Head.new {
      let start = cursor.position
      let name = try sharedString(cursor.head(for: "a class name"), for: "a class name")
      guard let name else {
        throw ArchiveError(.malformed, "a class must have a name, found nil", offset: start)
      }
      let version = try cursor.integer(for: "a class version")
      // Its place in the table comes before those of the classes that it derives from.
      chain.append((String(decoding: strings[name], as: UTF8.self), version, entries.count))
      entries.append(.type(-1))
      head = try cursor.head(for: "a class")
    }
    var number: Int?
    if head != Head.null {
      let reference = try cursor.reference(head, for: "a class")
      guard reference >= 0, reference < entries.count, case .type(let known) = entries[reference],
        known >= 0
      else { throw dangling(reference, "class", cursor.position - 1) }
      number = known
    }
    while let (name, version, entry) = chain.popLast() {
      contents.classes.append(TypedClass(name: name, version: version, superclass: number))
      number = contents.classes.count - 1
      entries[entry] = .type(contents.classes.count - 1)
    }
    return number
  }

  // MARK: Strings

  /// The number of a string in the table of those that are stored once; nil for nil.
  mutating func sharedString(_ head: Int8, for what: String) throws(ArchiveError) -> Int? {
    let start = cursor.position - 1
    if head == Head.null { return nil }
    if head == Head.new {
      strings.append(try characters(cursor.head(for: what)))
      return strings.count - 1
    }
    let number = try cursor.reference(head, for: what)
    guard number >= 0, number < strings.count else { throw dangling(number, "string", start) }
    return number
  }

  mutating func characters(_ head: Int8) throws(ArchiveError) -> UnsafeRawBufferPointer {
    let length = try cursor.length(head, for: "a string")
    return try cursor.take(length, for: "a string")
  }

  mutating func cString() throws(ArchiveError) -> TypedValue {
    let start = cursor.position
    let head = try cursor.head(for: "a C string")
    if head == Head.null { return .null }
    if head == Head.new {
      let number = try sharedString(cursor.head(for: "a C string"), for: "a C string")
      guard let number else {
        throw ArchiveError(.malformed, "a C string must have characters, found nil", offset: start)
      }
      entries.append(.text(strings[number]))
      return .text(strings[number])
    }
    let number = try cursor.reference(head, for: "a C string")
    guard number >= 0, number < entries.count, case .text(let text) = entries[number] else {
      throw dangling(number, "C string", start)
    }
    return .text(text)
  }

  func dangling(_ number: Int, _ what: String, _ offset: Int) -> ArchiveError {
    ArchiveError(
      .dangling, "refers to \(what) \(number), which is none of those before it", offset: offset)
  }
}
