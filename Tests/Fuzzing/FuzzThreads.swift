// Inputs that one thread and several read and write alike, and that become the same JSON with a walk before it.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// Compares what several threads make of an input with what one makes of it.
enum FuzzThreads {
  /// What was read and written, or why not.
  private struct Outcome: Equatable {
    var table: [UInt8] = []
    var places = SourceOffsets.none
    var json: [UInt8] = []
    var failure: ArchiveError.Code?
  }

  static func check(_ storage: ByteStorage, _ limits: Limits) {
    var divided = limits
    (divided.threads, divided.largeInputs) = (3, .all)
    let (one, several) = (outcome(storage, limits), outcome(storage, divided))
    // Where the output ends that a limit cuts, is not said.
    guard one.failure == nil else { return precondition(one.failure == several.failure) }
    precondition(one == several)
  }

  private static func outcome(_ storage: ByteStorage, _ limits: Limits) -> Outcome {
    var outcome = Outcome()
    do throws(ArchiveError) {
      let graph = try ArchiveReader(limits: limits).read(storage)
      checkOrder(graph)
      let document = graph.document(of: graph.root)
      let table = document.table
      let bytes = ByteView(start: table.base, count: table.byteCount)
      (outcome.table, outcome.places) = (Array(bytes), document.sourceOffsets)
      var output = OutputBuffer(descriptor: nil, limit: limits.outputBytes)
      try JSONWriter.write(graph.root, of: graph, to: &output)
      try output.finish()
      outcome.json = Array(output.bytes.bytes)
      checkIsJSON(output.bytes.bytes)
    } catch {
      outcome.failure = error.code
    }
    return outcome
  }

  private static func checkIsJSON(_ text: ByteView) {
    do throws(ArchiveError) {
      // An entry of a dictionary is three levels deep.
      _ = try JSONReader.read(text, fileOffset: nil, limits: Limits(depth: 4 * limits.depth))
    } catch {
      fatalError("no JSON: \(error)")
    }
  }

  /// What the numbers of the objects show without a walk, a walk finds too.
  private static func checkOrder(_ graph: ObjectGraph) {
    guard graph.hasForwardOrder(below: graph.root) else { return }
    do throws(ArchiveError) {
      let walk = try SharingAnalysis(of: graph.root, in: graph)
      precondition(!walk.hasCycles)
    } catch {
      fatalError("no walk: \(error)")
    }
  }
}
