// What an input is, in a few words.

import ObjectGraph
import PropertyLists

/// Names the encoding of an input and the kind of its archive.
public struct FormatDescription {
  /// The name: `keyed archive in a binary property list`.
  public let text: String
  /// The name without the encoding of nearly all keyed archives: `keyed archive`.
  public let shortText: String

  /// Describes a graph's input.
  public init(_ graph: ObjectGraph) {
    let document = graph.documents[0]
    text =
      document.isKeyedArchive
      ? "keyed archive in \(document.encoding.nameWithArticle)" : document.encoding.name
    let isUsual = document.isKeyedArchive && document.encoding == .binaryPropertyList
    shortText = isUsual ? "keyed archive" : text
  }
}
