// The tables of a typedstream: classes, C strings and shared strings are written once, and have numbers.
//
// Format facts: python-typedstream, stream.py.

import ArchiveBasics

extension TypedStreamParser {
  // MARK: Classes

  /// The number of a class; nil for nil.
  @inline(__always)
  mutating func type(_ head: Int8) throws(ArchiveError) -> Int? {
    let reference = Int(head) &- Head.firstReference
    if head >= Head.lowestNumber, reference < entries.count,
      let known = entries[reference].pointee.type, known >= 0
    {
      return known
    }
    return try anyType(head)
  }

  /// A class and those that it derives from, up to nil or one that is known.
  @inline(never)
  private mutating func anyType(_ head: Int8) throws(ArchiveError) -> Int? {
    var chain: [(name: String, version: Int64, entry: Int)] = []
    var head = head
    while head == Head.new {
      let start = cursor.position
      let name = try sharedString(cursor.head(for: "a class name"), for: "a class name")
      guard let name else {
        throw ArchiveError(.malformed, "a class must have a name, found nil", offset: start)
      }
      let version = try cursor.integer(for: "a class version")
      // Its index in the table precedes those of its superclasses.
      let text = String(decoding: strings[name].pointee, as: UTF8.self)
      guard entries.count < Entry.bound else { throw tooMany("classes", start) }
      chain.append((text, version, entries.count))
      entries.push(.type(-1))
      head = try cursor.head(for: "a class")
    }
    var number: Int?
    if head != Head.null {
      let reference = try cursor.reference(head, for: "a class")
      guard reference >= 0, reference < entries.count,
        let known = entries[reference].pointee.type, known >= 0
      else { throw dangling(reference, "class", cursor.position - 1) }
      number = known
    }
    while let (name, version, entry) = chain.popLast() {
      tables.classes.append(TypedClass(name: name, version: version, superclass: number))
      number = tables.classes.count - 1
      entries[entry].pointee = .type(tables.classes.count - 1)
    }
    return number
  }

  // MARK: Strings

  /// The number of a string in the table of shared strings; nil for nil.
  mutating func sharedString(_ head: Int8, for what: String) throws(ArchiveError) -> Int? {
    let start = cursor.position - 1
    if head == Head.null { return nil }
    if head == Head.new {
      return try addString(characters(cursor.head(for: what)))
    }
    let number = try cursor.reference(head, for: what)
    guard number >= 0, number < strings.count else { throw dangling(number, "string", start) }
    return number
  }

  mutating func characters(_ head: Int8) throws(ArchiveError) -> ByteView {
    let length = try cursor.length(head, for: "a string")
    return try cursor.read(length, for: "a string")
  }

  /// The characters of a value; of those that the end of the stream cuts the part is kept.
  mutating func ownCharacters(_ head: Int8) throws(ArchiveError) -> ByteView {
    let start = cursor
    do {
      return try characters(head)
    } catch {
      cursor = start
      let length = try cursor.unsigned(head, for: "a string")
      if length > UInt64(cursor.remaining), StreamPart.isText(cursor.rest) {
        tables.cut = StreamPart(bytes: cursor.rest, count: length)
        part = .text(cursor.rest)
      }
      throw error
    }
  }

  mutating func cString() throws(ArchiveError) -> StreamValue {
    let start = cursor.position
    let head = try cursor.head(for: "a C string")
    if head == Head.null { return .null }
    if head == Head.new {
      let head = try cursor.head(for: "a C string")
      if head == Head.new { return try newCString() }
      let number = try sharedString(head, for: "a C string")
      guard let number else {
        throw ArchiveError(.malformed, "a C string must have characters, found nil", offset: start)
      }
      entries.push(.text(number))
      return .text(strings[number].pointee)
    }
    let number = try cursor.reference(head, for: "a C string")
    guard number >= 0, number < entries.count, let text = entries[number].pointee.text else {
      throw dangling(number, "C string", start)
    }
    return .text(strings[text].pointee)
  }

  private mutating func newCString() throws(ArchiveError) -> StreamValue {
    let number = try addString(ownCharacters(cursor.head(for: "a C string")))
    entries.push(.text(number))
    return .text(strings[number].pointee)
  }

  /// Adds a shared string, at a place where its bytes stay.
  ///
  /// - Returns: its number.
  private mutating func addString(_ bytes: ByteView) throws(ArchiveError) -> Int {
    guard strings.count < Entry.bound else { throw tooMany("strings", cursor.position) }
    strings.push(texts?.copy(bytes) ?? bytes)
    return strings.count - 1
  }

  /// The error about more of something than numbers of 4 bytes can name.
  func tooMany(_ what: String, _ offset: Int) -> ArchiveError {
    let count = Counted.number(Entry.bound)
    return ArchiveError(.limit, "the stream has more than \(count) \(what)", offset: offset)
  }

  func dangling(_ number: Int, _ what: String, _ offset: Int) -> ArchiveError {
    ArchiveError(
      .dangling, "refers to \(what) \(number), which does not exist", offset: offset)
  }
}

// MARK: - What the parser remembers of a number in the tables of a typedstream

extension TypedStreamParser {
  /// The meaning of a number in the table that objects, classes and C strings share: 4 bytes, since there are very many.
  struct Entry {
    /// Numbers are below this: a stream that has more of anything is refused.
    static let bound = 1 << 29

    private let bits: Int32

    /// The number is below `bound`.
    private init(_ kind: Int32, _ number: Int) {
      bits = Int32(truncatingIfNeeded: number) << 2 | kind
    }

    static func object(_ number: Int) -> Entry { Entry(0, number) }
    /// A class; -1 if its own superclass is still to be read.
    static func type(_ number: Int) -> Entry { Entry(1, number) }
    /// A C string by its number among the shared strings.
    static func text(_ number: Int) -> Entry { Entry(2, number) }

    var object: Int? { bits & 3 == 0 ? Int(bits >> 2) : nil }
    var type: Int? { bits & 3 == 1 ? Int(bits >> 2) : nil }
    var text: Int? { bits & 3 == 2 ? Int(bits >> 2) : nil }
  }

  /// A shared string as the types of groups.
  struct TypeString {
    /// Its list of types; -1 if it was not asked for.
    var list = -1
    /// See `StreamTypes`.
    var letter: UInt8 = 0
    /// What each group but the first costs.
    var cost = 0
  }
}
