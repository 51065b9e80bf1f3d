import KeyedArchives
import ObjectGraph
import PropertyLists
do {
  let storage = try ByteStorage.open(path: CommandLine.arguments[1])
  let graph = try ArchiveReader().read(storage)
  var output = OutputBuffer(descriptor: 1)
  try JSONWriter.write(graph.root, of: graph, options: .init(isTyped: CommandLine.arguments.count > 2), to: &output)
  try output.finish()
} catch { print(error) }
