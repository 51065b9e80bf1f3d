import KeyedArchives
import Migrations
import ObjectGraph
import PropertyLists
import Rendering
import Schemas
let a = CommandLine.arguments
do throws(ArchiveError) {
  let storage = try ByteStorage.open(path: a[2])
  var output = OutputBuffer(descriptor: 1)
  switch a[1] {
  case "json": let graph = try ArchiveReader().read(storage); try JSONWriter.write(graph.root, of: graph, to: &output)
  case "typed": let graph = try ArchiveReader().read(storage); try JSONWriter.write(graph.root, of: graph, options: .init(isTyped: true), to: &output)
  case "tree": let graph = try ArchiveReader().read(storage); try TreeRenderer.render(graph.root, of: graph, to: &output); print(graph.warnings)
  case "raw": let graph = try ArchiveReader().read(storage, resolving: false, nested: false); try TreeRenderer.render(graph.root, of: graph, to: &output)
  case "info": let graph = try ArchiveReader().read(storage); print(try ArchiveInfo(graph, byteCount: storage.bytes.count, catalog: .builtIn()).text(file: a[2]))
  case "validate":
    let graph = try ArchiveReader().read(storage); let c = try SchemaCatalog.builtIn()
    if let d = c.detect(graph) { let v = try d.version.validate(d.model.root, in: graph, family: d.family); let r = ValidationReport(file: a[2], version: d.version, violations: v); for l in r.lines(limit: 10) { print(l) }; print(r.verdict) } else { print("none") }
  case "migrate":
    switch try Migration(catalog: .builtIn(), from: a[3], to: a[4]).run(storage) {
    case .migrated(let bytes, _): try AtomicFile.write(bytes.bytes, to: a[5], existing: .replace)
    case .current: print("current")
    case .refused(let r): print(r.reason, r.violations)
    }
  default: break
  }
  try output.finish()
} catch { print(error.line(file: a[2])) }
