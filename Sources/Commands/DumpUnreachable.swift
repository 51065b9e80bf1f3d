// What `dump --unreachable` shows: the objects of an archive that nothing leads to.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists
import Rendering

/// Shows unreachable objects.
struct UnreachableDump {
  let graph: ObjectGraph

  /// Draws a tree for each object, whose number is its name.
  func draw(
    _ options: TreeRenderer.Options, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    for found in try UnreachableObjects.find(in: graph) {
      guard let node = found.node else {
        output.bytes.append("#\(found.number): damaged\n")
        continue
      }
      var options = options
      options.rootName = "#\(found.number)"
      try TreeRenderer.render(node, of: graph, options: options, to: &output)
    }
  }

  /// Writes an array of objects with number, class and value; each is on one line.
  func write(
    _ options: JSONWriter.Options, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    let (start, separator, end) =
      options.isCompact ? ("[", ", ", "]\n") : ("[\n  ", ",\n  ", "\n]\n")
    let all = try UnreachableObjects.find(in: graph)
    if all.isEmpty { return output.bytes.append("[]\n") }
    var options = options
    options.isCompact = true
    for (position, found) in all.enumerated() {
      output.bytes.append(position == 0 ? start : separator)
      var line = JSONLine()
      try line.add("object") { $0.bytes.append("\(found.number)\n") }
      line.add("class", found.node.flatMap(graph.className))
      try line.add(found.node == nil ? "damaged" : "value") { (output) throws(ArchiveError) in
        guard let node = found.node else { return output.bytes.append("true\n") }
        try JSONWriter.write(node, of: graph, options: options, to: &output)
      }
      line.end().withUnsafeBytes { output.bytes.append($0) }
    }
    output.bytes.append(end)
  }
}
