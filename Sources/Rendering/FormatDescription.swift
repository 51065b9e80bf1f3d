// What an input is, in a few words.

import ObjectGraph

/// Names the encoding of an input and the archive that it spells.
public struct FormatDescription {
  /// The name: `keyed archive in a binary property list`.
  public let text: String

  /// Describes a graph's input.
  public init(_ graph: ObjectGraph) {
    let encoding = graph.documents[0].encoding.rawValue
    guard graph.documents[0].archive != nil, graph.documents[0].encoding != .typedStream else {
      text = encoding
      return
    }
    let article = ["XML", "Ope"].contains(encoding.prefix(3)) ? "an" : "a"
    text = "keyed archive in \(article) \(encoding)"
  }
}
