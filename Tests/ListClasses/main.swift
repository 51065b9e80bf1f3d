import ArchiveKit

let archive = try Archive(contentsOf: CommandLine.arguments[1])
for node in archive.nodes {
  if let name = node.className { print(name) }
}
