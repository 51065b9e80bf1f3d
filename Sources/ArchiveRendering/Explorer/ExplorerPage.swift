// The explorer: one page with its style, its script and the data of an archive, which needs no network.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

/// Writes the explorer's page.
package struct ExplorerPage {
  /// How many bytes a page may have for its hexadecimal view.
  private static let largestSource = 1 << 26

  private let graph: ObjectGraph
  /// The bytes that offsets count in.
  private let source: ByteView
  private let name: String
  private let marks: [ExplorerMark]
  private let schema: String?
  private let other: String?

  /// Makes a page.
  ///
  /// - Parameters:
  ///   - name: the name of the file.
  ///   - marks: what is marked in the tree.
  ///   - schema: the result of validation, in a few words.
  ///   - other: the name of the file that it is compared with.
  package init(
    _ graph: ObjectGraph, source: ByteView, name: String, marks: [ExplorerMark],
    schema: String?, other: String?
  ) {
    self.graph = graph
    self.source = source
    self.name = name
    self.marks = marks
    self.schema = schema
    self.other = other
  }

  /// The script: the parts in the order of their dependencies.
  package static var script: [UInt8] {
    Array(
      [
        Array("\"use strict\";\n".utf8), PackageResources.model_js, PackageResources.paths_js,
        PackageResources.pattern_js, PackageResources.jsonpath_parser_js,
        PackageResources.jsonpath_js, PackageResources.tree_js, PackageResources.search_js,
        PackageResources.hex_js, PackageResources.details_js, PackageResources.main_js,
      ].joined())
  }

  /// The style sheet.
  package static var style: [UInt8] { PackageResources.style_css }

  /// Writes the page.
  ///
  /// - Parameter hash: the SHA-256 of bytes in Base64, by which the page's policy admits its own script and style.
  /// - Throws: `ArchiveError` if the graph is too large, or what `hash` throws.
  package func write(
    to output: inout OutputBuffer, hash: ([UInt8]) throws(ArchiveError) -> String
  ) throws(ArchiveError) {
    let (script, style) = (Self.script, Self.style)
    let data = try ExplorerData(graph)
    let values = [
      "SCRIPT-HASH": Array(try hash(script).utf8), "STYLE-HASH": Array(try hash(style).utf8),
      "TITLE": Array(XMLText.escaped(name.escapedLine).utf8), "STYLE": style, "SCRIPT": script,
      "DATA": columns(data), "SOURCE": try compressedSource(data),
    ]
    var rest = String(decoding: PackageResources.page_html, as: UTF8.self)[...]
    while let start = rest.firstOccurrence(of: "{{"), let end = rest.firstOccurrence(of: "}}") {
      output.bytes.append(String(rest[..<start.lowerBound]))
      values[String(rest[start.upperBound..<end.lowerBound])]?.withByteView {
        output.bytes.append($0)
      }
      output.flushIfFull()
      rest = rest[end.upperBound...]
    }
    output.bytes.append(String(rest))
  }

  private func columns(_ data: borrowing ExplorerData) -> [UInt8] {
    var buffer = ByteBuffer()
    var facts = [
      ("file", name), ("size", "\(source.count)"), ("format", FormatDescription(graph).text),
    ]
    if let schema { facts.append(("schema", schema)) }
    if let other { facts.append(("other", other)) }
    data.write(marks: marks, facts: facts, to: &buffer)
    return Self.harmless(buffer.bytes)
  }

  /// JSON in which no markup can begin: `<` occurs in strings only, which may escape it.
  private static func harmless(_ json: ByteView) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(json.count + 64)
    for byte in json {
      if byte == UInt8(ascii: "<") { result += Array("\\u003c".utf8) } else { result.append(byte) }
    }
    return result
  }

  /// The bytes to show in gzip and Base64; nothing if they are too many.
  private func compressedSource(
    _ data: borrowing ExplorerData
  ) throws(ArchiveError) -> [UInt8] {
    let bytes = data.source(source)
    guard bytes.count <= Self.largestSource else { return [] }
    let compressed = try GzipWriter.write(bytes.bytes)
    var text = ByteBuffer()
    Base64.encode(compressed.bytes, to: &text)
    withExtendedLifetime(compressed) {}
    return Array(text.bytes)
  }
}
