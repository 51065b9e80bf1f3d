// Typedstreams in NSArchiver's layout: each string, class and object once, references after that.
//
// Format facts: python-typedstream, stream.py.

import ArchiveBasics
import ArchiveGraph

/// Writes objects with their groups of values.
struct TypedStreamWriter: ~Copyable {
  /// The parts to write in order; an object that is written for the first time interrupts its container.
  private enum Step {
    case types([UInt8])
    case value(UInt8, StreamValue)
    case bytes(ByteView)
    case end
  }

  /// Not a `GraphWalk`: the stream is walked along its types, not along a graph.
  private struct Frame {
    let steps: [Step]
    var next = 0
  }

  private var contents = StreamContents()
  private var output = ByteBuffer()
  private var strings: [[UInt8]: Int] = [:]
  private var texts: [[UInt8]: Int] = [:]
  /// Long texts by their addresses, with their entries and their numbers: many values may share one.
  private var addresses: [UnsafeRawPointer?: (count: Int, entry: Int)] = [:]
  private var names: [UnsafeRawPointer?: (count: Int, number: Int)] = [:]
  private var objectNumbers: [Int: Int] = [:]
  private var classNumbers: [Int: Int] = [:]
  /// How many numbers objects, classes and C strings have taken.
  private var entries = 0
  private var stack: [Frame] = []

  /// Writes a stream.
  ///
  /// - Parameter contents: the stream, which is not changed: what cannot be copied is lent.
  static func write(_ contents: inout StreamContents) -> ByteBuffer {
    var writer = TypedStreamWriter()
    swap(&writer.contents, &contents)
    writer.run()
    swap(&writer.contents, &contents)
    return writer.output
  }

  private mutating func run() {
    output.append(contents.tables.version)
    output.append(11)
    output.append(contentsOf: contents.tables.isBigEndian ? "typedstream" : "streamtyped")
    append(unsigned: UInt64(bitPattern: contents.tables.systemVersion))
    stack.append(Frame(steps: steps(of: contents.tops)))
    while let frame = stack.last {
      guard frame.next < frame.steps.count else {
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      switch frame.steps[frame.next] {
      case .types(let text): appendShared(text)
      case .bytes(let bytes): output.append(bytes)
      case .end: append(head: Head.end)
      case .value(let code, let value): append(value, code)
      }
    }
  }

  // MARK: Steps

  private func steps(of groups: StreamRange) -> [Step] {
    var steps: [Step] = []
    for group in contents.tables.groups(groups) {
      let types = contents.tables.encodedTypes(of: group)
      steps.append(.types(Array(types.map(\.text).joined().utf8)))
      add(types, group.values, to: &steps)
    }
    return steps
  }

  private func add(
    _ types: some Sequence<EncodedType>, _ values: StreamRange, to steps: inout [Step]
  ) {
    for (type, value) in zip(types, contents.tables.values(values)) { add(type, value, to: &steps) }
  }

  /// Types nest to a bounded depth (`EncodedType`).
  private func add(_ type: EncodedType, _ value: StreamValue, to steps: inout [Step]) {
    switch (type, value) {
    case (.scalar(let code), _): steps.append(.value(code, value))
    case (.array, .data(let bytes)): steps.append(.bytes(bytes))
    case (.array(_, let element), .array(let values)):
      add(repeatElement(element, count: values.count), values, to: &steps)
    case (.structure(_, let fields), .structure(let values)): add(fields, values, to: &steps)
    default: break
    }
  }

  // MARK: Values

  private mutating func append(_ value: StreamValue, _ code: UInt8) {
    switch code {
    case UInt8(ascii: "c"), UInt8(ascii: "C"), UInt8(ascii: "B"):
      output.append(UInt8(truncatingIfNeeded: Self.integer(value)))
    case UInt8(ascii: "s"): append(Int64(Int16(truncatingIfNeeded: Self.integer(value))))
    case UInt8(ascii: "i"): append(Int64(Int32(truncatingIfNeeded: Self.integer(value))))
    case UInt8(ascii: "l"), UInt8(ascii: "q"): append(Self.integer(value))
    case UInt8(ascii: "S"):
      append(unsigned: UInt64(UInt16(truncatingIfNeeded: Self.integer(value))))
    case UInt8(ascii: "I"):
      append(unsigned: UInt64(UInt32(truncatingIfNeeded: Self.integer(value))))
    case UInt8(ascii: "L"), UInt8(ascii: "Q"):
      append(unsigned: UInt64(bitPattern: Self.integer(value)))
    case UInt8(ascii: "f"): appendReal(value, width: 4)
    case UInt8(ascii: "d"): appendReal(value, width: 8)
    case UInt8(ascii: "@"): appendObject(value)
    case UInt8(ascii: "#"):
      if case .type(let number) = value { appendClass(number) } else { append(head: Head.null) }
    case UInt8(ascii: "*"): appendCString(value)
    case UInt8(ascii: "%"), UInt8(ascii: ":"):
      if case .text(let text) = value { appendName(text) } else { append(head: Head.null) }
    case UInt8(ascii: "+"):
      if case .text(let text) = value {
        appendCharacters(Array(text))
      } else {
        append(head: Head.null)
      }
    default: break
    }
  }

  private static func integer(_ value: StreamValue) -> Int64 {
    switch value {
    case .boolean(let flag): flag ? 1 : 0
    case .integer(let number): number
    case .unsigned(let number): Int64(bitPattern: number)
    case .real(let number): Int64(exactly: number.rounded()) ?? 0
    case .single(let number): Int64(exactly: number.rounded()) ?? 0
    default: 0
    }
  }

  /// Whole numbers take the bytes of integers.
  private mutating func appendReal(_ value: StreamValue, width: Int) {
    let number: Double
    switch value {
    case .real(let real): number = real
    case .single(let real): number = Double(real)
    default: number = Double(Self.integer(value))
    }
    if let whole = Int32(exactly: number), number.sign == .plus || whole != 0 {
      return append(Int64(whole))
    }
    append(head: Head.real)
    append(width == 4 ? UInt64(Float(number).bitPattern) : number.bitPattern, width: width)
  }

  private mutating func appendObject(_ value: StreamValue) {
    guard case .object(let number) = value else { return append(head: Head.null) }
    if let known = objectNumbers[number] { return append(reference: known) }
    objectNumbers[number] = entries
    entries += 1
    append(head: Head.new)
    let object = contents.objects[number].pointee
    if let type = object.classNumber { appendClass(type) } else { append(head: Head.null) }
    stack.append(Frame(steps: steps(of: object.groups) + [.end]))
  }

  private mutating func appendClass(_ number: Int) {
    var next: Int? = number
    while let current = next {
      if let known = classNumbers[current] { return append(reference: known) }
      classNumbers[current] = entries
      entries += 1
      append(head: Head.new)
      let type = contents.tables.classes[current]
      appendShared(Array(type.name.utf8))
      append(type.version)
      next = type.superclass
    }
    append(head: Head.null)
  }

  private mutating func appendCString(_ value: StreamValue) {
    guard case .text(let bytes) = value else { return append(head: Head.null) }
    if let known = addresses[bytes.baseAddress], known.count == bytes.count {
      return append(reference: known.entry)
    }
    let text = Array(bytes)
    if let known = texts[text] { return append(reference: known) }
    texts[text] = entries
    if bytes.count >= 64 { addresses[bytes.baseAddress] = (bytes.count, entries) }
    entries += 1
    append(head: Head.new)
    appendShared(text)
  }

  private mutating func appendName(_ bytes: ByteView) {
    if let known = names[bytes.baseAddress], known.count == bytes.count {
      return append(reference: known.number)
    }
    let text = Array(bytes)
    appendShared(text)
    if bytes.count >= 64, let number = strings[text] {
      names[bytes.baseAddress] = (bytes.count, number)
    }
  }

  private mutating func appendShared(_ text: [UInt8]) {
    if let known = strings[text] { return append(reference: known) }
    strings[text] = strings.count
    append(head: Head.new)
    appendCharacters(text)
  }

  private mutating func appendCharacters(_ text: [UInt8]) {
    append(Int64(text.count))
    text.withByteView { output.append($0) }
  }

  // MARK: Numbers

  private mutating func append(head: Int8) { output.append(UInt8(bitPattern: head)) }

  private mutating func append(reference number: Int) {
    append(Int64(number + Head.firstReference))
  }

  /// An integer in the fewest bytes; those that would be heads take two more.
  private mutating func append(_ number: Int64) {
    if let byte = Int8(exactly: number), byte >= Head.lowestNumber {
      output.append(UInt8(bitPattern: byte))
    } else if let short = Int16(exactly: number) {
      append(head: Head.short)
      append(UInt64(UInt16(bitPattern: short)), width: 2)
    } else if let long = Int32(exactly: number) {
      append(head: Head.long)
      append(UInt64(UInt32(bitPattern: long)), width: 4)
    } else {
      append(head: Head.wide)
      append(UInt64(bitPattern: number), width: 8)
    }
  }

  /// An unsigned integer, never in a single byte with a sign: what that means readers do not agree on.
  private mutating func append(unsigned number: UInt64) {
    if let positive = Int64(exactly: number), positive < 0x8000 { return append(positive) }
    if number <= 0xFFFF { return append(head: Head.short, number, width: 2) }
    let isLong = number <= 0xFFFF_FFFF
    append(head: isLong ? Head.long : Head.wide, number, width: isLong ? 4 : 8)
  }

  private mutating func append(head: Int8, _ bits: UInt64, width: Int) {
    append(head: head)
    append(bits, width: width)
  }

  private mutating func append(_ bits: UInt64, width: Int) {
    if contents.tables.isBigEndian { return output.append(bigEndian: bits, width: width) }
    for position in 0..<width {
      output.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * position)))
    }
  }
}

extension TypedStreamReader {
  /// Writes the content of a stream again, as NSArchiver would write it.
  ///
  /// - Throws: `ArchiveError` if the stream cannot be read.
  package static func rewritten(
    _ bytes: ByteView, limits: Limits = Limits()
  ) throws(ArchiveError) -> ByteBuffer {
    var contents = try StreamContents(bytes, limits: limits)
    return TypedStreamWriter.write(&contents)
  }
}

// MARK: - An edited typedstream: encoded again with the header that it had

/// Encodes the values of a typedstream again.
package enum TypedStreamEditing {
  /// Encodes a root object with the byte order and the versions of a stream.
  ///
  /// - Parameters:
  ///   - root: the root object.
  ///   - graph: its graph.
  ///   - original: the stream.
  /// - Throws: `ArchiveError` if an object cannot be encoded, or the stream cannot be read.
  package static func encode(
    _ root: Node, of graph: ObjectGraph, like original: ByteStorage, limits: Limits
  ) throws(ArchiveError) -> ByteStorage {
    let old = try StreamContents(original.bytes, limits: limits)
    return try TypedStreamEncoder.encode(
      root, of: graph, isBigEndian: old.tables.isBigEndian, version: old.tables.version,
      systemVersion: old.tables.systemVersion
    ).intoStorage()
  }

  /// Whether two streams have the same content.
  ///
  /// - Throws: `ArchiveError` if one cannot be read.
  package static func areSame(
    _ left: ByteStorage, _ right: ByteStorage, limits: Limits
  ) throws(ArchiveError) -> Bool {
    var comparison = TypedStreamComparison(
      try StreamContents(left.bytes, limits: limits),
      try StreamContents(right.bytes, limits: limits))
    return comparison.run()
  }
}
