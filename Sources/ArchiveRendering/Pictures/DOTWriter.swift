// Pictures in DOT, the language of Graphviz.
//
// Format facts: https://graphviz.org/doc/info/lang.html, https://graphviz.org/docs/attr-types/escString/.

import ArchiveBasics

extension Picture {
  /// Writes the picture in DOT.
  package func writeDOT(to output: inout OutputBuffer) {
    output.bytes.append(
      """
      digraph archive {
        rankdir=LR
        node [fontname="Helvetica,Arial,sans-serif", fontsize=10, shape=box, color="#5b6470"]
        edge [fontname="Helvetica,Arial,sans-serif", fontsize=9, color="#5b6470"]

      """)
    for (number, box) in boxes.enumerated() where box.document == 0 {
      write(box, number, indent: "  ", to: &output)
    }
    for document in Set(boxes.map(\.document)).sorted() where document > 0 {
      let title = documents[document] ?? "archive in a data value"
      output.bytes.append(
        "  subgraph cluster_\(document) {\n    label=\(Self.quoted(title)); style=dotted; fontname=\"Helvetica,Arial,sans-serif\"; fontsize=10\n"
      )
      for (number, box) in boxes.enumerated() where box.document == document {
        write(box, number, indent: "    ", to: &output)
      }
      output.bytes.append("  }\n")
    }
    for arrow in arrows { write(arrow, "n\(arrow.from)", "n\(arrow.to)", to: &output) }
    writeLegend(to: &output)
    output.bytes.append("}\n")
  }

  private func write(
    _ box: Box, _ number: Int, indent: String, to output: inout OutputBuffer
  ) {
    let title = box.text.map(Self.escaped).joined(separator: "\\l")
    let label = box.text.count > 1 ? title + "\\l" : title
    var attributes = "label=\"\(label)\", \(Self.attributes(of: box.kind))"
    if box.isShared { attributes += ", peripheries=2" }
    output.bytes.append("\(indent)n\(number) [\(attributes)]\n")
    output.flushIfFull()
  }

  private func write(
    _ arrow: Arrow, _ from: String, _ to: String, to output: inout OutputBuffer
  ) {
    var attributes: [String] = arrow.label.isEmpty ? [] : ["label=\(Self.quoted(arrow.label))"]
    if let style = Self.attributes(of: arrow.style) { attributes.append(style) }
    let list = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
    output.bytes.append("  \(from) -> \(to)\(list)\n")
    output.flushIfFull()
  }

  /// The shapes and styles that occur, each with its meaning.
  private func writeLegend(to output: inout OutputBuffer) {
    output.bytes.append(
      "  subgraph cluster_legend {\n    label=\"Legend\"; color=\"#c3c8cf\"; fontname=\"Helvetica,Arial,sans-serif\"; fontsize=10\n"
    )
    for kind in kinds {
      output.bytes.append(
        "    legend_\(kind.rawValue) [label=\"\(kind.meaning)\", \(Self.attributes(of: kind))]\n")
    }
    if hasShared {
      output.bytes.append(
        "    legend_shared [label=\"shared: several references lead to it\", peripheries=2]\n")
    }
    output.bytes.append("  }\n")
    for style in styles {
      output.bytes.append("  subgraph cluster_legend {\n")
      output.bytes.append(
        "    legend_\(style.rawValue)_from [label=\"\", shape=point]\n    legend_\(style.rawValue)_to [label=\"\(style.meaning)\", shape=plaintext]\n"
      )
      output.bytes.append("  }\n")
      let arrow = Arrow(from: 0, to: 0, label: "", style: style)
      write(arrow, "legend_\(style.rawValue)_from", "legend_\(style.rawValue)_to", to: &output)
    }
  }

  private static func attributes(of kind: Kind) -> String {
    switch kind {
    case .object: "shape=box, style=\"rounded,filled\", fillcolor=\"#e8f0fe\""
    case .dictionary: "shape=box, style=filled, fillcolor=\"#ffffff\""
    case .list: "shape=note, style=filled, fillcolor=\"#ffffff\""
    case .set: "shape=octagon, style=filled, fillcolor=\"#ffffff\""
    case .data: "shape=cylinder, style=filled, fillcolor=\"#f3f4f6\""
    case .collapsed: "shape=box3d, style=filled, fillcolor=\"#e8f0fe\""
    case .class: "shape=component, style=filled, fillcolor=\"#e8f0fe\""
    case .root: "shape=circle, style=filled, fillcolor=\"#ffffff\""
    case .null: "shape=ellipse, style=dashed"
    }
  }

  private static func attributes(of style: Style) -> String? {
    switch style {
    case .reference: nil
    case .cycle: "color=\"#b42318\", fontcolor=\"#b42318\", penwidth=2"
    case .conditional: "style=dashed"
    case .content: "style=dotted, arrowhead=diamond"
    case .superclass: "style=dashed, arrowhead=onormal"
    }
  }

  private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  /// Graphviz decodes HTML's entities in labels, and escapes after a backslash.
  private static func escaped(_ text: String) -> String {
    text.escaping { $0 == "\"" || $0 == "\\" ? "\\\($0)" : $0 == "&" ? "&amp;" : nil }
  }
}
