// What data values and inputs are, in a few words.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveTypedStreams

extension RecognizedData {
  private static let shownCharacters = 40

  /// The size of a picture; the beginning of a text.
  ///
  /// - Parameter byteCount: the size of the data.
  func detail(of byteCount: Int) -> String? {
    guard let beginning else { return size }
    let shown = String(
      String.UnicodeScalarView(beginning.unicodeScalars.prefix(Self.shownCharacters)))
    let rest = shown.utf8.count < byteCount ? "…" : ""
    if kind == "JSON" { return shown.escapedForTerminal + rest }
    let quoted = String(appending: { ScalarText.append(plain: shown, quote: true, to: &$0) })
    return "\"" + quoted + rest + "\""
  }
}

// MARK: - What an input is, in a few words

/// Names the encoding of an input and the kind of its archive.
package struct FormatDescription {
  /// The name: `keyed archive in a binary property list`.
  package let text: String
  /// The name without the encoding of nearly all keyed archives: `keyed archive`.
  package let shortText: String

  /// Describes a graph's input.
  package init(_ graph: ObjectGraph) {
    let document = graph.documents[0]
    text =
      document.isKeyedArchive
      ? "keyed archive in \(document.encoding.nameWithArticle)" : document.encoding.name
    let isUsual = document.isKeyedArchive && document.encoding == .binaryPropertyList
    shortText = isUsual ? "keyed archive" : text
  }
}

// MARK: - The headers of archives that are shown as keyed archives but are not

/// The header of a typedstream, GNUstep archive, NIBArchive or message of NSXPCConnection.
struct TranslatedHeader {
  let text: String
  let report: JSONTree

  /// Reads the header of a graph's input; nil for others.
  init?(_ graph: ObjectGraph) {
    let document = graph.documents[0]
    guard document.encoding.isLaidOutAsArchive,
      case .dictionary(let pairs) = graph.storedValue(of: Node(document: 0, index: document.top))
    else { return nil }
    var numbers: [String: Int64] = [:]
    var byteOrder = "little"
    for position in 0..<pairs.count {
      guard let key = graph.text(of: graph.key(pairs, position)) else { continue }
      switch graph.storedValue(of: graph.value(pairs, position)) {
      case .integer(let number): numbers[key.string] = number
      case .string(let text) where key.equals("$byteOrder"): byteOrder = text.string
      default: continue
      }
    }
    let name = document.encoding.name
    // The numbers of a header, as text and for programs; GNUstep archives have no other version.
    let isGNUstep = document.encoding == .gnustepArchive
    let fields = [
      ("$streamVersion", "version", "version"), ("$formatVersion", "version", "version"),
      ("$systemVersion", "system version", "systemVersion"),
      ("$coderVersion", "coder version", "coderVersion"),
    ].filter { numbers[$0.0] != nil && !(isGNUstep && $0.0 == "$streamVersion") }
    let texts = fields.map { "\($0.1) \(numbers[$0.0] ?? 0)" }
    var members: [(String, JSONTree)] = [("kind", .string(name))]
    members += fields.map { ($0.2, .integer(Int(numbers[$0.0] ?? 0))) }
    let hasOrder = document.encoding == .typedStream
    if hasOrder { members.append(("byteOrder", .string(byteOrder))) }
    text = ([name] + texts + (hasOrder ? ["\(byteOrder)-endian"] : [])).joined(separator: ", ")
    report = .members(members)
  }
}
