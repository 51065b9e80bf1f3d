// The numbers of a typedstream: objects, classes, C strings and shared strings are written once, and have numbers.
//
// Format facts: python-typedstream, stream.py.

import ArchiveBasics

/// What the numbers in a typedstream stand for.
struct StreamNumbers: ~Copyable {
  private var strings = RawStack<ByteView>()
  private var entries = RawStack<Entry>()
  /// What keeps the shared strings; nil if the bytes of the stream stay.
  private let texts: StreamTexts?

  init(_ texts: StreamTexts?) { self.texts = texts }

  // MARK: Objects and classes

  /// The number of a new object.
  mutating func add(object number: Int, at offset: Int) throws(ArchiveError) {
    guard number < Entry.bound else { throw Self.tooMany("objects", offset) }
    entries.push(.object(number))
  }

  func object(_ number: Int, at offset: Int) throws(ArchiveError) -> Int {
    guard number >= 0, number < entries.count, let object = entries[number].pointee.object else {
      throw Self.dangling(number, "object", offset)
    }
    return object
  }

  /// The number of a class; nil for nil.
  @inline(__always)
  mutating func type(
    _ head: Int8, _ cursor: inout TypedStreamCursor, _ classes: inout [TypedClass]
  ) throws(ArchiveError) -> Int? {
    let reference = Int(head) &- Head.firstReference
    if head >= Head.lowestNumber, reference < entries.count,
      let known = entries[reference].pointee.type, known >= 0
    {
      return known
    }
    return try anyType(head, &cursor, &classes)
  }

  /// A class and those that it derives from, up to nil or one that is known.
  @inline(never)
  private mutating func anyType(
    _ head: Int8, _ cursor: inout TypedStreamCursor, _ classes: inout [TypedClass]
  ) throws(ArchiveError) -> Int? {
    var chain: [(name: String, version: Int64, entry: Int)] = []
    var head = head
    while head == Head.new {
      let start = cursor.position
      let name = try string(cursor.head(for: "a class name"), &cursor, for: "a class name")
      guard let name else {
        throw ArchiveError(.malformed, "a class must have a name, found nil", offset: start)
      }
      let version = try cursor.integer(for: "a class version")
      // Its index in the table precedes those of its superclasses.
      let text = String(decoding: strings[name].pointee, as: UTF8.self)
      guard entries.count < Entry.bound else { throw Self.tooMany("classes", start) }
      chain.append((text, version, entries.count))
      entries.push(.type(-1))
      head = try cursor.head(for: "a class")
    }
    var number: Int?
    if head != Head.null {
      let reference = try cursor.reference(head, for: "a class")
      guard reference >= 0, reference < entries.count,
        let known = entries[reference].pointee.type, known >= 0
      else { throw Self.dangling(reference, "class", cursor.position - 1) }
      number = known
    }
    while let (name, version, entry) = chain.popLast() {
      classes.append(TypedClass(name: name, version: version, superclass: number))
      number = classes.count - 1
      entries[entry].pointee = .type(classes.count - 1)
    }
    return number
  }

  // MARK: Strings

  var stringCount: Int { strings.count }

  func characters(of string: Int) -> ByteView { strings[string].pointee }

  /// The number of a string in the table of shared strings; nil for nil.
  mutating func string(
    _ head: Int8, _ cursor: inout TypedStreamCursor, for what: String
  ) throws(ArchiveError) -> Int? {
    let start = cursor.position - 1
    if head == Head.null { return nil }
    if head == Head.new {
      return try add(string: cursor.characters(cursor.head(for: what)), at: cursor.position)
    }
    let number = try cursor.reference(head, for: what)
    guard number >= 0, number < strings.count else { throw Self.dangling(number, "string", start) }
    return number
  }

  /// Adds a shared string, at a place where its bytes stay.
  ///
  /// - Returns: its number.
  private mutating func add(string bytes: ByteView, at offset: Int) throws(ArchiveError) -> Int {
    guard strings.count < Entry.bound else { throw Self.tooMany("strings", offset) }
    strings.push(texts?.copy(bytes) ?? bytes)
    return strings.count - 1
  }

  /// Adds a C string with its characters, which are a new shared string.
  mutating func add(cString bytes: ByteView, at offset: Int) throws(ArchiveError) -> ByteView {
    add(cString: try add(string: bytes, at: offset))
  }

  /// Adds a C string whose characters are a shared string.
  mutating func add(cString string: Int) -> ByteView {
    entries.push(.text(string))
    return strings[string].pointee
  }

  func cString(_ number: Int, at offset: Int) throws(ArchiveError) -> ByteView {
    guard number >= 0, number < entries.count, let text = entries[number].pointee.text else {
      throw Self.dangling(number, "C string", offset)
    }
    return strings[text].pointee
  }

  /// The error about more of something than numbers of 4 bytes can name.
  private static func tooMany(_ what: String, _ offset: Int) -> ArchiveError {
    let count = Counted.number(Entry.bound)
    return ArchiveError(.limit, "the stream has more than \(count) \(what)", offset: offset)
  }

  private static func dangling(_ number: Int, _ what: String, _ offset: Int) -> ArchiveError {
    ArchiveError(
      .dangling, "refers to \(what) \(number), which does not exist", offset: offset)
  }

  // MARK: Entries

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
}
