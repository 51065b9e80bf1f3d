// The bytes of one node, field by field: marker, count, characters, references, and its entry in the offset table.
//
// Format facts: CoreFoundation, CFBinaryPList.c.

import ArchiveBasics
import ArchiveGraph

/// Shows the position and the bytes of a node in its file.
package struct NodeBytes {
  /// How much of a text is shown where only its beginning is known.
  private static let textLength = 64

  private let document: Document
  private let table: ValueTable
  private let node: Node
  /// The offset of positions in the table.
  private let origin: Int

  private init(_ node: Node, _ graph: ObjectGraph) {
    self.node = node
    document = graph.document(of: node)
    table = document.table
    origin = document.fileOffset ?? 0
  }

  /// Writes the bytes of a node with a header line a field.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - path: its path, for the first line.
  ///   - source: the bytes of the input, in which text encodings have their positions.
  /// - Throws: `ArchiveError` if the node has no bytes of its own because it was derived from others.
  package static func render(
    _ node: Node, path: GraphPath, of graph: ObjectGraph, source: ByteView,
    to output: inout OutputBuffer
  ) throws(ArchiveError) {
    let view = NodeBytes(node, graph)
    if view.document.encoding.isTable {
      return view.writeBinary(path, graph, to: &output)
    }
    guard let offset = view.document.fileOffset(of: node.index), offset < source.count else {
      throw ArchiveError(
        .unsupported, "the value has no bytes of its own in the file; its container has",
        path: path)
    }
    let text = ByteView(rebasing: source[offset...].prefix(textLength))
    let path = path.description.escapedForTerminal
    output.bytes.append("\(path)  \(view.document.encoding.name), from byte \(offset)\n")
    HexDump.append(text, at: offset, to: &output)
  }

  // MARK: Binary property lists

  private func writeBinary(
    _ path: GraphPath, _ graph: ObjectGraph, to output: inout OutputBuffer
  ) {
    let bytes = table.bytes(of: node.index)
    let start = origin + table.offset(of: node.index)
    let (end, count) = (start + bytes.count - 1, bytes.count)
    let range = count == 1 ? "byte \(start)" : "bytes \(start) to \(end), \(count) in all"
    output.bytes.append(
      "\(path.description.escapedForTerminal)  object \(node.index), \(range)")
    if document.fileOffset == nil, document.parent != nil {
      output.bytes.append(contentsOf: " of the decoded data")
    }
    output.bytes.append(UInt8(ascii: "\n"))
    if node.index == document.top { field("header", table.base, 8, to: &output) }
    writeFields(bytes, to: &output)
    field(
      "entry \(node.index) of the offset table: byte \(table.offset(of: node.index))",
      table.offsets + Int(node.index) * table.offsetWidth, table.offsetWidth, to: &output)
    if node.index == document.top { writeTrailer(to: &output) }
  }

  private func writeFields(_ bytes: ByteView, to output: inout OutputBuffer) {
    guard let start = bytes.baseAddress, let marker = bytes.first else { return }
    let kind = marker >> 4
    let low = Int(marker & 0x0F)
    let name = "marker 0x\(hexadecimal(marker)): \(Self.name(of: marker))"
    guard kind == Marker.data || kind >= Marker.ascii && kind <= Marker.utf8 || kind >= Marker.array
    else {
      field(name, start, 1, to: &output)
      if bytes.count > 1 {
        field("value: \(scalarText)", start + 1, bytes.count - 1, to: &output)
      }
      return
    }
    let (content, count) = table.counted(node.index)
    field(low == 0x0F ? name : name + ", count \(count)", start, 1, to: &output)
    if low == 0x0F { field("count: \(count)", start + 1, content - start - 1, to: &output) }
    writeContent(kind, content, count, bytes.count - (content - start), to: &output)
  }

  private func writeContent(
    _ kind: UInt8, _ content: UnsafeRawPointer, _ count: Int, _ length: Int,
    to output: inout OutputBuffer
  ) {
    guard length > 0 else { return }
    switch kind {
    case Marker.data: field("bytes", content, length, to: &output)
    case Marker.ascii, Marker.utf16, Marker.utf8:
      field("characters: \(scalarText)", content, length, to: &output)
    case Marker.dictionary:
      let half = count * table.referenceWidth
      references("keys", content, count, to: &output)
      references("values", content + half, count, to: &output)
    default: references("elements", content, count, to: &output)
    }
  }

  private func references(
    _ name: String, _ start: UnsafeRawPointer, _ count: Int, to output: inout OutputBuffer
  ) {
    let shown = (0..<min(count, 16)).map { "\(table.reference(start, $0))" }
    let list = shown.joined(separator: ", ") + (count > shown.count ? ", …" : "")
    field("\(name): objects \(list)", start, count * table.referenceWidth, to: &output)
  }

  /// The trailer follows the offset table; if other bytes are between them, it is not searched.
  private func writeTrailer(to output: inout OutputBuffer) {
    let trailer = table.offsets + table.count * table.offsetWidth
    guard trailer.load(fromByteOffset: 6, as: UInt8.self) == UInt8(table.offsetWidth),
      trailer.load(fromByteOffset: 7, as: UInt8.self) == UInt8(table.referenceWidth)
    else { return }
    field(
      "trailer: offsets of \(table.offsetWidth) and references of \(table.referenceWidth) bytes, \(table.count) objects, top object \(document.top), offset table at byte \(table.byteCount)",
      trailer, 32, to: &output)
  }

  private func field(
    _ title: String, _ start: UnsafeRawPointer, _ count: Int, to output: inout OutputBuffer
  ) {
    output.bytes.append(title)
    output.bytes.append(UInt8(ascii: "\n"))
    HexDump.append(
      ByteView(start: start, count: count), at: origin + (start - table.base),
      to: &output)
  }

  // MARK: Texts

  private var scalarText: String { ScalarText.text(table.scalar(at: node.index)) }

  private static func name(of marker: UInt8) -> String {
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case Marker.singleton: return marker == 0 ? "null" : marker == 8 ? "false" : "true"
    case Marker.integer: return "integer of \(Counted.text(1 << low, "byte"))"
    case Marker.real: return "real of \(Counted.text(1 << low, "byte"))"
    case Marker.date: return "date"
    case Marker.data: return "data"
    case Marker.ascii: return "ASCII string"
    case Marker.utf16: return "UTF-16 string"
    case Marker.utf8: return "UTF-8 string"
    case Marker.uid: return "UID of \(Counted.text(low + 1, "byte"))"
    case Marker.array: return "array"
    case Marker.orderedSet: return "ordered set"
    case Marker.set: return "set"
    default: return "dictionary"
    }
  }
}

// MARK: - Bytes in rows of sixteen, as hexdump -C shows them: offset, bytes, characters

private enum HexDump {
  private static let rowLength = 16

  /// Appends rows of bytes.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - offset: the position of the first of them.
  static func append(_ bytes: ByteView, at offset: Int, to output: inout OutputBuffer) {
    var start = 0
    while start < bytes.count, !output.hasProblem {
      let row = bytes.part(start..<min(start + rowLength, bytes.count))
      append(row: row, at: offset + start, to: &output.bytes)
      start += rowLength
      output.flushIfFull()
    }
  }

  private static func append(row: ByteView, at offset: Int, to output: inout ByteBuffer) {
    output.append(String(offset, radix: 16, width: 8))
    output.append(contentsOf: " ")
    for position in 0..<rowLength {
      if position % 8 == 0 { output.append(UInt8(ascii: " ")) }
      if position < row.count {
        output.append(hexadecimal(row[position]))
        output.append(UInt8(ascii: " "))
      } else {
        output.append(contentsOf: "   ")
      }
    }
    output.append(contentsOf: " |")
    for byte in row {
      output.append((0x20..<0x7F).contains(byte) ? byte : UInt8(ascii: "."))
    }
    output.append(contentsOf: "|\n")
  }
}
