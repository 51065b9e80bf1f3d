// Every output format: the output reads back equal, or writing was refused.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveTypedStreams

@testable import ArchiveWriting
@testable import KeyedArchives

enum FuzzWriters {
  /// Writes an input in every format and compares what is read back.
  static func feed(_ storage: ByteStorage) {
    guard let source = stored(storage) else { return }
    var choice = FuzzChoice(storage)
    // Typed JSON is a format of its own.
    for target in choice.among([nil] + ConversionTarget.allCases.map(Optional.some)) {
      guard let target else {
        checkTyped(storage, source)
        continue
      }
      var conversion = Conversion(to: target, limits: limits)
      conversion.readsTags = false
      guard let text = written(conversion, storage) else { continue }
      switch target {
      case .binary: compare(source, text, target)
      case .xml: compare(source, text, target, .init(wholeSeconds: true, singlesAreReals: true))
      case .openStep, .json: compare(source, text, target, .init(singlesAreReals: true))
      case .swift, .objectiveC: FuzzLiterals.check(text, of: source, target)
      // What is a keyed archive stays the one it is.
      case .keyedArchive:
        isArchive(source) ? compare(source, text, target) : compareModels(storage, text, target)
      default: mustBeRead(text, target)
      }
    }
  }

  /// Typed JSON reads back as every type that it tells.
  private static func checkTyped(_ storage: ByteStorage, _ source: ObjectGraph) {
    var conversion = Conversion(to: .json, limits: limits)
    (conversion.isTyped, conversion.isCompact, conversion.readsTags) = (true, true, false)
    guard let text = written(conversion, storage),
      let again = written(Conversion(to: .binary, limits: limits), ByteStorage(copying: text))
    else { return }
    compare(source, again, .json)
  }

  private static func written(_ conversion: Conversion, _ storage: ByteStorage) -> [UInt8]? {
    var output = OutputBuffer(descriptor: nil, limit: limits.outputBytes)
    do throws(ArchiveError) {
      _ = try conversion.run(storage, name: "fuzz", to: &output)
    } catch {
      return nil
    }
    return output.hasProblem ? nil : Array(output.bytes.bytes)
  }

  /// The values as they are stored, as a conversion reads them.
  private static func stored(_ storage: ByteStorage) -> ObjectGraph? {
    do throws(ArchiveError) {
      let graph = try ArchiveReader(limits: limits, marksWide: true).read(
        storage, resolving: false, nested: false)
      // What typedstreams and NIBArchives are taken for, and what other files hold that is wider than 64 bits, has tests of
      // its own.
      return graph.documents[0].encoding.isLaidOutAsArchive ? nil : graph
    } catch {
      return nil
    }
  }

  private static func isArchive(_ source: ObjectGraph) -> Bool {
    do throws(ArchiveError) {
      return try KeyedArchiveParts(document: 0, in: source) != nil
    } catch {
      return true
    }
  }

  private static func compare(
    _ source: ObjectGraph, _ text: [UInt8], _ target: ConversionTarget,
    _ allowance: FuzzSameness.Allowance = .init()
  ) {
    do throws(ArchiveError) {
      let graph = try ArchiveReader(limits: limits).read(
        ByteStorage(copying: text), resolving: false, nested: false)
      if let difference = FuzzSameness.difference(source, graph, allowance) {
        fatalError("\(target): \(difference)")
      }
    } catch {
      if error.code != .limit { fatalError("\(target): \(error)") }
    }
  }

  /// What was written within the bounds is a little more than that.
  private static let wide = Limits(
    depth: 500, nesting: 4, expandedNodes: 20_000, outputBytes: 1 << 20, inflatedBytes: 1 << 18)

  /// A model in another archive is the same model.
  private static func compareModels(
    _ storage: ByteStorage, _ text: [UInt8], _ target: ConversionTarget
  ) {
    do throws(ArchiveError) {
      // A comparison that meets its limit tells no difference from it: what is larger than the bounds is left out.
      let small = try ArchiveReader(limits: limits).read(storage, nested: false)
      var output = OutputBuffer(descriptor: nil, limit: limits.outputBytes)
      try JSONWriter.write(small.root, of: small, options: JSONWriter.Options(), to: &output)
      try output.finish()
      let reader = ArchiveReader(limits: wide)
      let source = try reader.read(storage, nested: false)
      let graph = try reader.read(ByteStorage(copying: text), nested: false)
      let path = ModelComparison.firstDifference(source.root, of: source, graph.root, of: graph)
      if let path { fatalError("\(target): a value differs at \(path)") }
    } catch {
      if error.code != .limit { fatalError("\(target): \(error)") }
    }
  }

  private static func mustBeRead(_ text: [UInt8], _ target: ConversionTarget) {
    do throws(ArchiveError) {
      _ = try ArchiveReader(limits: limits).read(ByteStorage(copying: text))
    } catch {
      if error.code != .limit { fatalError("\(target): \(error)") }
    }
  }
}
