// Writes a graph in every format; the output must be readable again.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveTypedStreams
import KeyedArchives

enum FuzzRewriting {
  static func check(_ document: Document) throws(ArchiveError) {
    let canonical = try TableCopy.canonical(document, limits: limits)
    let binary = BinaryWriter.write(canonical)
    mustBeRead("binary", binary.array) { storage throws(ArchiveError) in
      _ = try BinaryReader.read(storage.bytes, storage: [storage], fileOffset: 0)
    }
    if let text = written({ output throws(ArchiveError) in
      _ = try XMLFormat.write(document, WritingOptions(limits: limits), to: &output)
    }) {
      mustBeRead("XML", text) { storage throws(ArchiveError) in
        _ = try XMLReader.read(storage.bytes, fileOffset: 0, limits: limits)
      }
    }
    if let text = written({ output throws(ArchiveError) in
      _ = try OpenStepFormat.write(document, WritingOptions(limits: limits), to: &output)
    }) {
      mustBeRead("OpenStep", text) { storage throws(ArchiveError) in
        var options = ReadingOptions()
        options.limits = limits
        _ = try OpenStepFormat.read(
          FormatInput(storage.bytes, storage: [storage], fileOffset: 0, options))
      }
    }
    if let text = written({ output throws(ArchiveError) in
      let options = WritingOptions(limits: limits, isCompact: true)
      _ = try JSONFormat.write(document, options, to: &output)
    }) {
      mustBeRead("JSON", text) { storage throws(ArchiveError) in
        _ = try JSONReader.read(storage.bytes, fileOffset: 0, limits: limits)
      }
    }
  }

  /// A typedstream that is read can be written, and reads again.
  static func checkStream(_ bytes: ByteView) {
    do throws(ArchiveError) {
      let again = try TypedStreamReader.rewritten(bytes, limits: limits)
      mustBeRead("typedstream", again.array) { storage throws(ArchiveError) in
        _ = try TypedStreamReader.read(
          storage.bytes, fileOffset: 0, layouts: nil, limits: limits)
      }
    } catch {}
  }

  private static func written(
    _ body: (inout OutputBuffer) throws(ArchiveError) -> Void
  ) -> [UInt8]? {
    var output = OutputBuffer(descriptor: nil, limit: limits.outputBytes)
    do throws(ArchiveError) {
      try body(&output)
      // A limit of the whole output is told at its end.
      try output.finish()
    } catch {
      return nil
    }
    return Array(output.bytes.bytes)
  }

  /// Limits may be met again by what is larger once it is written; nothing else may be.
  private static func mustBeRead(
    _ format: String, _ bytes: [UInt8], _ read: (ByteStorage) throws(ArchiveError) -> Void
  ) {
    do throws(ArchiveError) { try read(ByteStorage(copying: bytes)) } catch {
      if error.code != .limit { fatalError("\(format): \(error)") }
    }
  }
}
