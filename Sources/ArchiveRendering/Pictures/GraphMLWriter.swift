// Pictures as GraphML, for programs that analyze graphs.
//
// Format facts: http://graphml.graphdrawing.org/specification.html.

import ArchiveBasics

extension Picture {
  /// Writes the picture as GraphML.
  package func writeGraphML(to output: inout OutputBuffer) {
    output.bytes.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
        <key id="title" for="node" attr.name="title" attr.type="string"/>
        <key id="kind" for="node" attr.name="kind" attr.type="string"/>
        <key id="text" for="node" attr.name="text" attr.type="string"/>
        <key id="count" for="node" attr.name="count" attr.type="int"/>
        <key id="shared" for="node" attr.name="shared" attr.type="boolean"/>
        <key id="document" for="node" attr.name="document" attr.type="int"/>
        <key id="label" for="edge" attr.name="label" attr.type="string"/>
        <key id="style" for="edge" attr.name="style" attr.type="string"/>
        <graph id="archive" edgedefault="directed">

      """)
    for (number, box) in boxes.enumerated() { write(box, number, to: &output) }
    for arrow in arrows {
      output.bytes.append(
        "    <edge source=\"n\(arrow.from)\" target=\"n\(arrow.to)\"><data key=\"label\">\(XMLText.escaped(arrow.label))</data><data key=\"style\">\(arrow.style.rawValue)</data></edge>\n"
      )
      output.flushIfFull()
    }
    output.bytes.append("  </graph>\n</graphml>\n")
  }

  private func write(_ box: Box, _ number: Int, to output: inout OutputBuffer) {
    let fields = [
      ("title", XMLText.escaped(box.title)), ("kind", box.kind.rawValue),
      ("text", box.text.dropFirst().map(XMLText.escaped).joined(separator: "\n")),
      ("count", "\(box.count)"), ("shared", "\(box.isShared)"), ("document", "\(box.document)"),
    ]
    let data = fields.map { "<data key=\"\($0.0)\">\($0.1)</data>" }.joined()
    output.bytes.append("    <node id=\"n\(number)\">\(data)</node>\n")
    output.flushIfFull()
  }
}
