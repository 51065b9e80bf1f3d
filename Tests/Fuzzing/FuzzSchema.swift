// A schema and a value from the same bytes: compiled, validated, inferred, compared.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import KeyedArchives

/// Feeds schemas.
enum FuzzSchema {
  /// The first line is a schema, what follows an input of any kind.
  static func feed(_ storage: ByteStorage) {
    let (line, rest) = split(storage)
    let graph = read(rest)
    if let graph { checkInference(graph) }
    do throws(ArchiveError) {
      let tree = try JSONTree(json: line)
      do throws(ArchiveError) {
        _ = try SwiftSource(schema: tree, typeName: "Model").source()
      } catch {}
      let version = try SchemaVersion(
        family: "", name: "S", tree: tree, uri: "", assertsFormats: true)
      _ = try SchemaComparison(
        old: version, new: version, options: SchemaComparison.Options(tries: 20))
      // What is generated fits, also in its envelope.
      var generator = SampleGenerator(version, seed: UInt64(line.count))
      for number in 0..<4 {
        guard let sample = try generator.sample(number),
          let bytes = try generator.archive(of: sample)
        else { continue }
        _ = try ArchiveReader(limits: limits).read(bytes)
      }
      guard let graph else { return }
      _ = try version.examine(graph.unwrapModel(), in: graph, mostViolations: 50)
    } catch {}
  }

  private static func read(_ storage: ByteStorage) -> ObjectGraph? {
    do throws(ArchiveError) {
      return try ArchiveReader(limits: limits, keepsPositions: true).read(storage)
    } catch {
      return nil
    }
  }

  /// A schema that was made of an example fits it.
  private static func checkInference(_ graph: ObjectGraph) {
    var options = SchemaInference.Options()
    options.hasRanges = true
    var inference = SchemaInference(options: options)
    do throws(ArchiveError) {
      try inference.add(graph)
      let tree = try inference.schema(family: "F", version: "v1")
      let version = try SchemaVersion(family: "F", name: "v1", tree: tree, uri: "")
      let found = try version.validate(graph)
      // A key that stands twice fits no schema, whatever the example.
      let wrong = found.first { $0.rule != "uniqueKeys" }
      if let first = wrong { fatalError("\(first.message) at \(first.path?.description ?? "?")") }
    } catch {
      // Bounds differ between the two; what is wrong with an inferred schema is never the example's fault.
      if error.message.hasPrefix("the schema is wrong") { fatalError(error.message) }
    }
  }
}
