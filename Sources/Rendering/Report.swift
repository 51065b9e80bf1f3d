// Small structured reports that are printed as JSON.

import ObjectGraph
import PropertyLists

/// A value of a report.
public indirect enum Report {
  /// null
  case null
  /// A boolean.
  case boolean(Bool)
  /// An integer.
  case integer(Int)
  /// A string.
  case string(String)
  /// An array.
  case list([Report])
  /// An object, its members in order.
  case members([(String, Report)])

  /// Writes the report as JSON, with a newline at the end.
  ///
  /// - Throws: `ArchiveError` if the output fails.
  public func write(isCompact: Bool = false, to output: inout OutputBuffer) throws(ArchiveError) {
    var builder = GraphBuilder()
    let top = add(to: &builder)
    let graph = ObjectGraph()
    _ = graph.add(builder.finish(top: top))
    try JSONWriter.write(
      graph.root, of: graph, options: JSONWriter.Options(isCompact: isCompact), to: &output)
  }

  private func add(to builder: inout GraphBuilder) -> UInt32 {
    switch self {
    case .null: return builder.addNull()
    case .boolean(let flag): return builder.add(flag)
    case .integer(let number): return builder.add(Int64(number))
    case .string(let text): return builder.add(text)
    case .list(let items):
      let indexes = items.map { $0.add(to: &builder) }
      builder.open()
      for index in indexes { builder.append(index) }
      return builder.close()
    case .members(let members):
      var indexes: [UInt32] = []
      for (name, value) in members { indexes += [builder.add(name), value.add(to: &builder)] }
      builder.open()
      for index in indexes { builder.append(index) }
      return builder.closeDictionary()
    }
  }
}
