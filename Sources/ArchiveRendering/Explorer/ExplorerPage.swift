// The explorer: one page with its style, its script and the data of an archive, which needs no network.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

/// Writes the explorer's page.
package enum ExplorerPage {
  /// How many bytes a page may have for its hexadecimal view.
  private static let largestSource = 1 << 26

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
  /// - Parameters:
  ///   - source: the bytes that offsets count in.
  ///   - name: the name of the file.
  ///   - marks: what is marked in the tree.
  ///   - schema: the result of validation, in a few words.
  ///   - other: the name of the file that it is compared with.
  ///   - hash: the SHA-256 of bytes in Base64, by which the page's policy admits its own script and style.
  /// - Throws: `ArchiveError` if the graph is too large, or what `hash` throws.
  package static func write(
    _ graph: ObjectGraph, source: ByteView, name: String, marks: [ExplorerMark],
    schema: String?, other: String?, to output: inout OutputBuffer,
    hash: ([UInt8]) throws(ArchiveError) -> String
  ) throws(ArchiveError) {
    let script = Self.script
    let data = try ExplorerData(graph)
    var facts = [
      ("file", name), ("size", "\(source.count)"), ("format", FormatDescription(graph).text),
    ]
    if let schema { facts.append(("schema", schema)) }
    if let other { facts.append(("other", other)) }
    var columns = ByteBuffer()
    data.write(marks: marks, facts: facts, to: &columns)
    let values = [
      "SCRIPT-HASH": Array(try hash(script).utf8), "STYLE-HASH": Array(try hash(style).utf8),
      "TITLE": Array(XMLText.escaped(name.escapedLine).utf8), "STYLE": style, "SCRIPT": script,
      "DATA": harmless(columns.bytes), "SOURCE": try compressed(data.source(source)),
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
  private static func compressed(_ bytes: borrowing ByteBuffer) throws(ArchiveError) -> [UInt8] {
    guard bytes.count <= largestSource else { return [] }
    let compressed = try GzipWriter.write(bytes.bytes)
    var text = ByteBuffer()
    Base64.encode(compressed.bytes, to: &text)
    withExtendedLifetime(compressed) {}
    return Array(text.bytes)
  }
}
