// The rules applied to an input of any encoding, and to the archives in its data values.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveTypedStreams
import ArchiveWriting
import KeyedArchives

/// The result of rules for an input.
package struct SubstitutionOutcome: Sendable {
  /// The new bytes, verified to equal the old ones except for the substitutions; nil if no rule matched.
  package let storage: ByteStorage?
  /// What each rule did, in the order of the rules.
  package let counts: [SubstitutionCount]
  /// Warnings.
  package let warnings: [ArchiveError]
}

/// Applies rules to inputs.
///
/// Binary and XML keyed archives, typedstreams, and plain property lists whose data values hold such archives keep
/// their encoding, and so do archives nested in others. Names without a matching rule are unchanged.
package struct SubstitutionRun {
  /// How many times an input's size the nested archives in it may have together: each level adds its own size.
  private static let nestedSizeFactor = 64

  private let rules: SubstitutionRules
  private let limits: Limits
  private let reader: ArchiveReader
  /// How many more bytes of nested archives may be read: data values of a hostile file overlap.
  private var allowance: Int

  private init(_ substitutions: Substitutions, _ limits: Limits, size: Int) {
    rules = SubstitutionRules(substitutions)
    self.limits = limits
    reader = ArchiveReader(limits: limits)
    let (product, overflow) = size.multipliedReportingOverflow(by: Self.nestedSizeFactor)
    allowance = overflow ? .max : max(product, 1 << 20)
  }

  /// Applies rules to an input.
  ///
  /// - Parameters:
  ///   - substitutions: the rules.
  ///   - storage: the input's bytes.
  ///   - limits: the bounds that hold.
  ///   - tally: receives the rules that matched something, even if the input is refused afterwards.
  /// - Throws: `ArchiveError` if the input cannot be read, its root would be dropped, keys would collide, or the new
  ///   bytes cannot be verified to equal the old ones except for the substitutions.
  package static func apply(
    _ substitutions: Substitutions, to storage: ByteStorage, limits: Limits = Limits(),
    tally: SubstitutionTally? = nil
  ) throws(ArchiveError) -> SubstitutionOutcome {
    var run = SubstitutionRun(substitutions, limits, size: storage.bytes.count)
    let rules = run.rules
    defer { tally?.add(rules.counts) }
    let rewritten = try run.rewrite(storage, nesting: 0)
    return SubstitutionOutcome(
      storage: rewritten, counts: run.rules.counts, warnings: run.rules.warnings)
  }

  /// Applies the rules to bytes of any encoding.
  ///
  /// - Returns: the new bytes; nil if nothing matched.
  private mutating func rewrite(
    _ storage: ByteStorage, nesting: Int
  ) throws(ArchiveError) -> ByteStorage? {
    switch Formats.all.detect(storage.bytes) {
    case .known(.typedStream): return try rewriteTypedStream(storage, nesting)
    case .wrapped: return try refuseWrapped(storage, nesting)
    default: return try rewritePropertyList(storage, nesting)
    }
  }

  // MARK: Property lists

  private mutating func rewritePropertyList(
    _ storage: ByteStorage, _ nesting: Int
  ) throws(ArchiveError) -> ByteStorage? {
    let graph = try reader.read(storage, nested: false)
    let document = graph.documents[0]
    guard let writer = StoredEncoding(document.encoding, in: graph) else {
      try refuseUnwritten(document, in: graph, nesting)
      return nil
    }
    var patch = TablePatch(document)
    var archive: SubstitutionVerification.Archive?
    if let parts = try KeyedArchiveParts(document: 0, in: graph) {
      (patch, archive) = try ArchiveSubstitution.apply(rules, to: document, parts, patch)
    }
    let nested = try rewriteData(of: document, nesting, &patch)
    let pruning = try pruning(of: document, archive?.parts, patch)
    guard patch.isChanged || pruning != nil else { return nil }
    let binary = if let pruning { try pruning.write() } else { try patch.write() }
    let result = try writer.write(binary.intoStorage(), limits: limits)
    try verify(result, document, archive, nested)
    if nesting > 0 {
      for lost in EditableFile.warnings(about: storage) {
        rules.warn(ArchiveError(lost.code, "in an archive in a data value, \(lost.message)"))
      }
    }
    return result
  }

  /// The objects to remove, or nil.
  private func pruning(
    of document: Document, _ parts: KeyedArchiveParts?, _ patch: TablePatch
  ) throws(ArchiveError) -> ArchivePruning? {
    guard rules.substitutions.prunes else { return nil }
    let pruning = try ArchivePruning(of: document, parts, with: patch)
    guard pruning.removesAnything else { return nil }
    rules.count(.pruning, records: 1, objects: pruning.removedObjects)
    return pruning
  }

  /// Reads the new bytes as any reader would, and compares all that is stored.
  private func verify(
    _ result: ByteStorage, _ old: Document, _ archive: SubstitutionVerification.Archive?,
    _ nested: [UInt32: [UInt8]]
  ) throws(ArchiveError) {
    let graph: ObjectGraph
    do {
      graph = try reader.read(result, nested: false)
    } catch {
      throw ArchiveError(
        .unrepresentable, "under the new names the archive cannot be read: \(error.message)",
        path: error.path)
    }
    let parts =
      try rules.substitutions.prunes ? KeyedArchiveParts(document: 0, in: graph) : nil
    try SubstitutionVerification(
      old: old, new: graph.documents[0], archive: archive,
      newParts: archive == nil ? nil : parts, nested: nested, rules: rules
    ).run()
  }

  // MARK: Nested archives

  /// Applies the rules to archives in data values.
  ///
  /// - Returns: the new data values, markers included, by their indexes.
  private mutating func rewriteData(
    of document: Document, _ nesting: Int, _ patch: inout TablePatch
  ) throws(ArchiveError) -> [UInt32: [UInt8]] {
    let table = document.table
    var changed: [UInt32: [UInt8]] = [:]
    for index in 0..<UInt32(truncatingIfNeeded: table.count)
    where table.fault(at: index) == nil && table.marker(of: index) >> 4 == Marker.data {
      guard index == document.top || patch.uses(of: index) > 0 else { continue }
      let (start, count) = table.counted(index)
      let bytes = ByteView(start: start, count: count)
      do {
        guard let new = try rewriteNested(bytes, nesting) else { continue }
        let encoded = TablePatch.encoded(data: new.bytes)
        patch.replace(index, with: encoded)
        changed[index] = encoded
      } catch {
        throw Self.within(error, document, index)
      }
    }
    return changed
  }

  /// The error of a nested archive at the location of its data value.
  private static func within(
    _ error: ArchiveError, _ document: Document, _ index: UInt32
  ) -> ArchiveError {
    let holder = StoredPath.find(index, from: document.top, in: document.table)
    let path = holder?.appending(.content("archive")).appending(error.path ?? GraphPath())
    return ArchiveError(
      error.code, error.message, offset: document.fileOffset(of: index), path: path)
  }

  /// Applies the rules to a data value's bytes.
  ///
  /// - Returns: the new bytes; nil if the data is not an archive, or is unchanged.
  private mutating func rewriteNested(
    _ bytes: ByteView, _ nesting: Int
  ) throws(ArchiveError) -> ByteStorage? {
    guard Formats.all.looksNested(bytes) || Formats.isCompressed(bytes) else { return nil }
    guard nesting < limits.nesting else {
      rules.warn(
        ArchiveError(
          .limit,
          "archives are nested more than \(limits.nesting) levels deep; the innermost are unchanged"
        ))
      return nil
    }
    allowance -= bytes.count
    guard allowance >= 0 else {
      throw ArchiveError(.limit, "data values overlap so much that they cannot be looked through")
    }
    let storage = ByteStorage(owning: bytes.unchecked) { _ in }
    do {
      _ = try reader.read(storage, nested: false)
    } catch {
      // Bytes that only begin as an archive are data like any other.
      rules.warn(
        ArchiveError(
          error.code, "a data value looks like an archive and is left unchanged: \(error.message)"))
      return nil
    }
    return try rewrite(storage, nesting: nesting + 1)
  }

  // MARK: Other encodings

  /// An archive that is only read is unchanged; if a rule matches, that is an error, or a warning about a data value.
  private mutating func refuseUnwritten(
    _ document: Document, in graph: ObjectGraph, _ nesting: Int
  ) throws(ArchiveError) {
    guard let parts = try KeyedArchiveParts(document: 0, in: graph) else { return }
    let counts = rules.counts
    defer { rules.counts = counts }
    let result = try ArchiveSubstitution.apply(rules, to: document, parts, TablePatch(document))
    guard result.patch.isChanged else { return }
    let problem = ArchiveError(
      .unsupported,
      "a \(document.encoding.name) is not rewritten; convert --to keyed-archive makes a keyed archive of it"
    )
    guard nesting > 0 else { throw problem }
    rules.warn(problem)
  }

  private mutating func rewriteTypedStream(
    _ storage: ByteStorage, _ nesting: Int
  ) throws(ArchiveError) -> ByteStorage? {
    guard nesting > 0 || rules.substitutions.keyRenames.isEmpty else {
      throw ArchiveError(
        .unsupported, "a typedstream has no keys that could be renamed; its values have an order")
    }
    guard nesting > 0 || rules.substitutions.topRenames.isEmpty else {
      throw ArchiveError(
        .unsupported, "a typedstream has no top-level keys; convert --to keyed-archive gives it one"
      )
    }
    let rules = rules
    return try TypedStreamSubstitution.apply(
      to: storage, limits: limits,
      renaming: { name, count in
        guard let renaming = rules.renaming(of: name) else { return nil }
        rules.count(.classRename, renaming.rule, records: 1, objects: count)
        return renaming.name
      },
      dropping: { name in rules.drop(of: name) != nil },
      dropped: { name, objects, references in
        guard let rule = rules.drop(of: name) else { return }
        rules.count(.droppedClass, rule, objects: objects, references: references)
      },
      data: { bytes throws(ArchiveError) in try rewriteNested(bytes, nesting) })
  }

  /// Archives in a wrapping are unchanged; if a rule matches, that is an error, or a warning about a data value.
  private mutating func refuseWrapped(
    _ storage: ByteStorage, _ nesting: Int
  ) throws(ArchiveError) -> ByteStorage? {
    let graph = try reader.read(storage, nested: false)
    guard let contents = graph.unwrapped, let wrapping = graph.wrappings.first else { return nil }
    let counts = rules.counts
    defer { rules.counts = counts }
    guard try rewrite(contents, nesting: nesting + 1) != nil else { return nil }
    let problem = ArchiveError(
      .unsupported, "\(wrapping.phrase) archives are not rewritten; \(wrapping.remedy)")
    guard nesting > 0 else { throw problem }
    rules.warn(problem)
    return nil
  }
}
