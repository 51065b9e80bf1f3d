// Reads bytes like any input, then walks the graph with every method that commands use.

import ArchiveBasics
import ArchiveGraph
import ArchiveMigrations
import ArchivePropertyLists
import ArchiveRendering
import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport

/// What every run shares: the built-in families, and those of the folders that `FUZZ_FAMILIES` names.
nonisolated(unsafe) let catalog: SchemaCatalog = {
  let folders = ProcessInfo.processInfo.environment["FUZZ_FAMILIES"].map { [$0] } ?? []
  do { return try SchemaCatalog(folders: folders) } catch { fatalError("\(error)") }
}()

/// Reads bytes as any input would be, walks them in every way, and migrates them.
func fuzzEverything(_ storage: ByteStorage) {
  var choice = FuzzChoice(storage)
  checkIntegrity(storage)
  for resolving in choice.among([true, true, false]) {
    do throws(ArchiveError) {
      let graph = try ArchiveReader(limits: limits).read(storage, resolving: resolving)
      show(graph, &choice)
    } catch {}
  }
  for (from, to) in choice.among([("v0", "v1"), ("v1", "v2"), ("v2", "v1"), ("v2", "v0")]) {
    do throws(ArchiveError) {
      var migration = Migration(
        catalog: catalog, Migration.Request(from: from, to: to, className: "Thing"),
        limits: limits)
      _ = try migration.rewrite(RewriteInput(storage: storage, name: "fuzz", path: nil))
    } catch {}
  }
}

/// What reading refuses a check finds a fault in.
func checkIntegrity(_ storage: ByteStorage) {
  let findings = IntegrityCheck(lints: Set(Lint.allCases), limits: limits).run(storage)
  do throws(ArchiveError) {
    _ = try ArchiveReader(limits: limits).read(storage, nested: false)
  } catch {
    if findings.allSatisfy({ $0.severity == .warning }) { fatalError("no fault, but \(error)") }
  }
}

private func show(_ graph: ObjectGraph, _ choice: inout FuzzChoice) {
  for isTyped in choice.among([false, true]) {
    attempt { output throws(ArchiveError) in
      let options = JSONWriter.Options(isTyped: isTyped)
      try JSONWriter.write(graph.root, of: graph, options: options, to: &output)
    }
  }
  attempt { output throws(ArchiveError) in
    try TreeRenderer.render(graph.root, of: graph, to: &output)
  }
  attempt { output throws(ArchiveError) in
    let info = try ArchiveInfo(graph, byteCount: 0, catalog: catalog)
    output.bytes.append(info.text(file: "input"))
  }
  for envelope in choice.among(Envelope.allCases) {
    do throws(ArchiveError) {
      let bytes = try EnvelopeWriter.wrap(
        graph.root, of: graph, in: envelope, shape: NoHints(), className: "Thing")
      check(bytes, of: graph, envelope)
    } catch {}
  }
}

/// What was written must be read again, and be the same values.
private func check(_ bytes: borrowing ByteBuffer, of graph: ObjectGraph, _ envelope: Envelope) {
  do throws(ArchiveError) {
    // A plain property list may look like a keyed archive, and need not be one.
    let copy = try ArchiveReader(limits: limits).read(
      ByteStorage(copying: bytes.array), resolving: envelope != .plist)
    guard let model = copy.unwrapModel() else { return }
    _ = ModelComparison.firstDifference(graph.root, of: graph, model.root, of: copy)
  } catch {
    // Limits may be met again by what is larger once it is written; nothing else may be.
    if error.code != .limit, envelope != .json { fatalError("\(envelope): \(error)") }
  }
}

private func attempt(_ body: (inout OutputBuffer) throws(ArchiveError) -> Void) {
  var output = OutputBuffer(descriptor: nil, limit: limits.outputBytes)
  do throws(ArchiveError) { try body(&output) } catch {}
}
