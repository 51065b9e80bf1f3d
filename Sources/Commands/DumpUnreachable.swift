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
      output.bytes.append("{\"object\": \(found.number), \"class\": ")
      if let node = found.node, let index = graph.classIndex(of: node) {
        JSONText.append(graph.classes[index].displayName, to: &output.bytes)
      } else {
        output.bytes.append("null")
      }
      guard let node = found.node else {
        output.bytes.append(", \"damaged\": true}")
        continue
      }
      output.bytes.append(", \"value\": ")
      var value = OutputBuffer(descriptor: nil)
      try JSONWriter.write(node, of: graph, options: options, to: &value)
      output.bytes.append(UnsafeRawBufferPointer(rebasing: value.bytes.bytes.dropLast()))
      output.bytes.append("}")
    }
    output.bytes.append(end)
  }
}
