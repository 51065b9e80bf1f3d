// Pictures as Mermaid's flowcharts, which Markdown viewers draw.
//
// Format facts: https://mermaid.js.org/syntax/flowchart.html.

import ArchiveBasics

extension Picture {
  /// Writes the picture as a flowchart of Mermaid.
  package func writeMermaid(to output: inout OutputBuffer) {
    output.bytes.append("flowchart LR\n")
    for (number, box) in boxes.enumerated() where box.document == 0 {
      write(box, number, to: &output)
    }
    for document in Set(boxes.map(\.document)).sorted() where document > 0 {
      let title = documents[document] ?? "archive in a data value"
      output.bytes.append("  subgraph d\(document)[\"\(Self.escaped(title))\"]\n")
      for (number, box) in boxes.enumerated() where box.document == document {
        write(box, number, to: &output)
      }
      output.bytes.append("  end\n")
    }
    for arrow in arrows {
      write(arrow.style, arrow.label, "n\(arrow.from)", "n\(arrow.to)", to: &output)
    }
    writeLegend(to: &output)
    output.bytes.append(
      "  classDef object fill:#e8f0fe,stroke:#5b6470\n  classDef shared stroke:#5b6470,stroke-width:4px\n  classDef sharedObject fill:#e8f0fe,stroke:#5b6470,stroke-width:4px\n  classDef null stroke-dasharray:4\n"
    )
  }

  private func write(_ box: Box, _ number: Int, to output: inout OutputBuffer) {
    let label = box.text.map(Self.escaped).joined(separator: "<br>")
    let plain = Self.className(of: box.kind)
    let name = !box.isShared ? plain : plain == ":::object" ? ":::sharedObject" : ":::shared"
    output.bytes.append("  n\(number)\(Self.shape(box.kind, label))\(name)\n")
    output.flushIfFull()
  }

  private func write(
    _ style: Style, _ label: String, _ from: String, _ to: String,
    to output: inout OutputBuffer
  ) {
    let line: String
    switch style {
    case .reference: line = "-->"
    case .cycle: line = "==>"
    case .conditional, .superclass: line = "-.->"
    case .content: line = "--o"
    }
    let text = label.isEmpty ? "" : "|\"\(Self.escaped(label))\"|"
    output.bytes.append("  \(from) \(line)\(text) \(to)\n")
    output.flushIfFull()
  }

  private func writeLegend(to output: inout OutputBuffer) {
    output.bytes.append("  subgraph legend[\"Legend\"]\n")
    for kind in kinds {
      output.bytes.append(
        "  k_\(kind.rawValue)\(Self.shape(kind, kind.meaning))\(Self.className(of: kind))\n")
    }
    if hasShared {
      output.bytes.append("  k_shared[\"shared: several references lead to it\"]:::shared\n")
    }
    for style in styles {
      let name = "k_\(style.rawValue)"
      output.bytes.append("  \(name)_from((\" \"))\n  \(name)_to[\"\(style.meaning)\"]\n")
      write(style, "", "\(name)_from", "\(name)_to", to: &output)
    }
    output.bytes.append("  end\n")
  }

  private static func shape(_ kind: Kind, _ label: String) -> String {
    switch kind {
    case .object: "(\"\(label)\")"
    case .dictionary: "[\"\(label)\"]"
    case .list: "[/\"\(label)\"/]"
    case .set: "{{\"\(label)\"}}"
    case .data: "[(\"\(label)\")]"
    case .collapsed, .class: "[[\"\(label)\"]]"
    case .root: "((\"\(label)\"))"
    case .null: "([\"\(label)\"])"
    }
  }

  private static func className(of kind: Kind) -> String {
    switch kind {
    case .object, .collapsed, .class: ":::object"
    case .null: ":::null"
    default: ""
    }
  }

  /// Mermaid reads Markdown and HTML in labels: all but letters, digits and harmless signs are entities.
  private static func escaped(_ text: String) -> String {
    text.escaping { scalar in
      let isPlain =
        scalar.value >= 0x80 || scalar.properties.isAlphabetic
        || scalar.properties.numericType != nil
        || " :,.-()[]/+×→".unicodeScalars.contains(scalar)
      return isPlain ? nil : "#\(scalar.value);"
    }
  }
}
