// libFuzzer's entry point, and the one reader that a run tests.
//
// The package builds this as a test target without tests, so that it keeps compiling; `make fuzz` builds it with the
// fuzzer, which provides a main function.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveRendering
import ArchiveTypedStreams
import Foundation
import KeyedArchives

/// Small bounds, so that an input which only multiplies is stopped soon: what is wrong with many values is so with a few.
let limits = Limits(
  depth: 200, nesting: 4, expandedNodes: 2_000, outputBytes: 1 << 18, inflatedBytes: 1 << 17)

/// What a run feeds besides the readers of `Formats`; the environment's `FUZZ_READER` names one of either.
enum FuzzTarget: String, CaseIterable {
  case json5, gzip, cms, text, keyed, recovery, integrity
  case schema, rules, lens, convert, records, plan, journal
  case patterns, demangler, writers, queries, differences, patches
  case everything

  private static let name = ProcessInfo.processInfo.environment["FUZZ_READER"]
  static let chosen = name.flatMap(FuzzTarget.init) ?? .everything
  /// The format whose reader is fed; nil for another target.
  static let format = Formats.all.list.first { $0.word == name }
  /// What a run may feed: the readers of the table, then the targets.
  static let names = Formats.all.list.map { $0.word } + allCases.map(\.rawValue)

  func feed(_ storage: ByteStorage) {
    switch self {
    case .keyed: feedKeyed(storage)
    case .everything: fuzzEverything(storage)
    case .integrity: checkIntegrity(storage)
    case .schema: FuzzSchema.feed(storage)
    case .rules: FuzzTransformations.feedRules(storage)
    case .lens: FuzzLenses.feed(storage)
    case .patterns: FuzzPatterns.feed(storage)
    case .demangler: FuzzDemangler.feed(storage)
    case .writers: FuzzWriters.feed(storage)
    case .queries: FuzzQueries.feed(storage)
    case .differences: FuzzDifferences.feed(storage)
    case .patches: FuzzPatches.feed(storage)
    case .convert: FuzzTransformations.feedConversions(storage)
    case .records: FuzzLines.feedRecords(storage)
    case .plan: FuzzLines.feedPlan(storage)
    case .journal: FuzzLines.feedJournal(storage)
    case .gzip:
      do throws(ArchiveError) {
        _ = try GzipReader.read(storage.bytes, fileOffset: 0, limit: limits.inflatedBytes)
      } catch {}
    case .cms: Self.feed(storage, to: [.signature])
    case .text: Self.feed(storage, to: [.base64, .hexadecimal])
    default:
      do throws(ArchiveError) {
        guard let document = try document(storage) else { return }
        try FuzzRewriting.check(document)
      } catch {}
    }
  }

  /// Takes bytes out of wrappings, whatever they look like.
  private static func feed(_ storage: ByteStorage, to wrappings: [Wrapping]) {
    for wrapping in wrappings {
      do throws(ArchiveError) {
        let content = try wrapping.content(of: storage.bytes)
        precondition(content.bytes.count <= storage.bytes.count)
      } catch {
        precondition((error.offset ?? 0) <= storage.bytes.count)
      }
    }
  }

  /// Reads bytes by the one reader, whatever they look like.
  private func document(_ storage: ByteStorage) throws(ArchiveError) -> Document? {
    let bytes = storage.bytes
    switch self {
    case .json5:
      return try JSONReader.read(bytes, fileOffset: 0, limits: limits, allowsJSON5: true)
    case .recovery:
      return BinaryRecovery.read(bytes, fileOffset: 0, limits: limits)?.document
    default: return nil
    }
  }

  /// Reads bytes by a format's reader, whatever they look like: strictly, as groups, and as far as they go.
  static func feed(_ storage: ByteStorage, to format: any PropertyListFormat.Type) {
    for (isRecovering, keepsGroups) in [(true, false), (false, true), (false, false)] {
      var options = ReadingOptions()
      options.limits = limits
      options.isRecovering = isRecovering
      options.keepsGroups = keepsGroups
      do throws(ArchiveError) {
        let input = FormatInput(storage.bytes, storage: [storage], fileOffset: 0, options)
        let document = try format.read(input).document
        if !isRecovering { try FuzzRewriting.check(document) }
      } catch {}
    }
    if format.encoding == .typedStream {
      FuzzRewriting.checkStream(storage.bytes)
      FuzzThreads.check(storage, limits)
    }
  }

  /// The values of an archive's objects, as a tree and as JSON.
  private func feedKeyed(_ storage: ByteStorage) {
    FuzzThreads.check(storage, limits)
    var choice = FuzzChoice(storage)
    for recovering in choice.among([false, true]) {
      do throws(ArchiveError) {
        let reader = ArchiveReader(limits: limits, recovering: recovering)
        let graph = try reader.read(storage)
        var output = OutputBuffer(descriptor: nil, limit: limits.outputBytes)
        try TreeRenderer.render(graph.root, of: graph, to: &output)
        try JSONWriter.write(
          graph.root, of: graph, options: JSONWriter.Options(isTyped: recovering), to: &output)
      } catch {}
    }
  }
}

/// What libFuzzer calls first: without a name the program tells all names, and ends.
@_cdecl("LLVMFuzzerInitialize")
package func fuzzBeginning(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer
) -> CInt {
  if let name = ProcessInfo.processInfo.environment["FUZZ_READER"] {
    guard !FuzzTarget.names.contains(name) else { return 0 }
    FileHandle.standardError.write(Data("fuzz: there is no target \(name)\n".utf8))
    exit(64)
  }
  print(FuzzTarget.names.joined(separator: " "))
  exit(0)
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let storage = ByteStorage(copying: Array(UnsafeBufferPointer(start: start, count: count)))
  if let format = FuzzTarget.format {
    FuzzTarget.feed(storage, to: format)
  } else {
    FuzzTarget.chosen.feed(storage)
  }
  return 0
}
