// One run of a check: the input itself, then each archive in a data value, to any depth.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

/// Reads inputs as far as they can be, and has each lint look at them.
struct IntegrityRun {
  /// Bytes that are yet to be checked.
  private struct Pending {
    let bytes: ByteView
    /// What keeps the bytes alive.
    let storage: [ByteStorage]
    /// Their position in the input file; nil if they are not stored there.
    let fileOffset: Int?
    /// The path of the data value that contains them.
    let steps: [GraphPath.Step]
    let nesting: Int
    /// Whether it is a fault if they cannot be decoded: other data that begin as a property list may be any data.
    var mustDecode = true
  }

  let report: IntegrityReport
  private let check: IntegrityCheck
  private let reader: ArchiveReader
  private var pending: [Pending]
  /// The limit for the bytes of archives in data values: overlapping ones are reached repeatedly.
  private var nestedAllowance: Int
  /// What may still come out of compressed data.
  private let inflation: ObjectGraph

  init(_ check: IntegrityCheck, _ storage: ByteStorage) {
    self.check = check
    reader = ArchiveReader(limits: check.limits, allowsJSON5: check.allowsJSON5)
    report = IntegrityReport(lints: check.lints)
    inflation = ObjectGraph(limits: check.limits)
    inflation.inflationAllowance = check.limits.inflation(of: storage.bytes.count)
    nestedAllowance =
      storage.bytes.count * (check.limits.nesting + 1) + inflation.inflationAllowance
    pending = [
      Pending(
        bytes: storage.bytes, storage: [storage], fileOffset: 0, steps: [], nesting: 0)
    ]
  }

  mutating func finish() {
    while let next = pending.popLast() { examine(next) }
  }

  // MARK: Inputs

  private mutating func examine(_ next: Pending) {
    do throws(ArchiveError) {
      guard let next = try unwrapped(next) else { return }
      guard let input = try open(next) else { return }
      examine(input, of: next)
      addNested(in: input, next)
    } catch {
      report.add(
        error.code == .limit ? .overLimit : .unreadable, error, at: next.steps,
        as: next.mustDecode || error.code == .limit ? .error : .note)
    }
  }

  /// The same bytes, or those inside of their wrappings; nil for a data value whose contents would not be opened.
  private func unwrapped(_ next: Pending) throws(ArchiveError) -> Pending? {
    guard next.nesting == 0 else { return try decompressed(next) }
    var next = next
    // Each wrapping occurs once at most.
    while case .wrapped(let wrapping) = Formats.all.detect(next.bytes) {
      let content = try reader.unwrap(
        next.bytes, wrapping, fileOffset: next.fileOffset, in: inflation)
      next = Pending(
        bytes: content.bytes, storage: content.storage.map { [$0] } ?? next.storage,
        fileOffset: content.fileOffset(from: next.fileOffset), steps: [], nesting: 0)
    }
    return next
  }

  private func decompressed(_ next: Pending) throws(ArchiveError) -> Pending? {
    guard Formats.isCompressed(next.bytes) else { return next }
    guard let contents = try reader.nested(in: next.bytes, fileOffset: next.fileOffset, inflation)
    else { return nil }
    return Pending(
      bytes: contents.storage.bytes, storage: [contents.storage], fileOffset: nil,
      steps: next.steps, nesting: next.nesting, mustDecode: next.mustDecode)
  }

  /// The values of an input; nil if they cannot be read, which is reported.
  private func open(_ next: Pending) throws(ArchiveError) -> CheckedInput? {
    let graph = ObjectGraph(limits: check.limits)
    guard Formats.all.detect(next.bytes).encoding?.isTable == true else {
      let document = try reader.decode(
        next.bytes, storage: next.storage, fileOffset: next.fileOffset, in: graph)
      return CheckedInput(document, ValidityMap(), graph.warnings, at: next.steps, check, report)
    }
    if !next.mustDecode {
      _ = try BinaryReader.read(next.bytes, storage: next.storage, fileOffset: next.fileOffset)
    }
    do {
      let (document, warnings) = try BinaryReader.unchecked(
        next.bytes, storage: next.storage, fileOffset: next.fileOffset)
      let soundness = ValidityMap(checking: document.table)
      return CheckedInput(document, soundness, warnings, at: next.steps, check, report)
    } catch {
      report.add(.badTrailer, error, at: next.steps)
      return nil
    }
  }

  private func examine(_ input: CheckedInput, of next: Pending) {
    guard !input.soundness.isExhausted else {
      let error = ArchiveError(
        .limit, "the objects overlap and are many times the size of the file together",
        offset: next.fileOffset)
      return report.add(.overLimit, error, at: next.steps)
    }
    let earlier = report.faultCount
    for lint in IntegrityLint.all where lint.lints.contains(where: report.lints.contains) {
      lint.check(input)
    }
    // What no lint knows of is still a fault if it ends reading.
    if report.faultCount == earlier, report.lints.isSuperset(of: Lint.faults) {
      reportRefusal(of: input, next)
    }
  }

  /// Reads an input without faults, and reports if that fails.
  private func reportRefusal(of input: CheckedInput, _ next: Pending) {
    let graph = ObjectGraph(limits: check.limits)
    do throws(ArchiveError) {
      var document = input.document
      if document.encoding.isTable {
        document = try BinaryReader.read(
          next.bytes, storage: next.storage, fileOffset: next.fileOffset
        ).document
      }
      try KeyedArchive.resolve(document: graph.add(document), in: graph)
    } catch {
      report.add(.unreadable, error, at: next.steps)
    }
  }

  // MARK: Archives in data values

  private mutating func addNested(in input: CheckedInput, _ next: Pending) {
    guard next.nesting < check.limits.nesting, !input.soundness.isExhausted else { return }
    let texts = Self.textBytes(in: input)
    for index in input.indexes
    where input.kind(index) == Marker.data && input.tree.contains(index) && !texts.contains(index) {
      guard let nested = nested(index, in: input, next) else { continue }
      nestedAllowance -= nested.bytes.count
      guard nestedAllowance >= 0 else {
        let error = ArchiveError(
          .limit, "the archives in data values overlap; the rest is not checked",
          offset: input.offset(of: index))
        return input.add(.overLimit, error, location: .value(index))
      }
      pending.append(nested)
    }
  }

  /// The bytes of a data value that would be opened; nil for any other.
  private func nested(_ index: UInt32, in input: CheckedInput, _ next: Pending) -> Pending? {
    guard case .data(let bytes) = input.table.scalar(at: index), bytes.count > 1,
      Formats.all.looksNested(bytes) || Formats.isCompressed(bytes)
    else { return nil }
    let offset = input.document.fileOffset(ofBytes: bytes)
    let steps = input.path(of: index)?.steps ?? input.steps
    return Pending(
      bytes: bytes, storage: input.document.storage, fileOffset: offset,
      steps: steps + [.content(Formats.all.detect(bytes).name)], nesting: next.nesting + 1,
      mustDecode: isRoot(index, in: input))
  }

  /// Whether a value is what an archive of one object has at its top.
  private func isRoot(_ index: UInt32, in input: CheckedInput) -> Bool {
    guard let archive = input.archive, let top = archive.top, top.count == 1 else { return false }
    return input.reference(top, 1).flatMap { archive.follow($0) } == index
  }

  /// The data values with the text of an NSString: they are never decoded.
  private static func textBytes(in input: CheckedInput) -> Set<UInt32> {
    guard let archive = input.archive else { return [] }
    var texts: Set<UInt32> = []
    for object in archive.instances where archive.record(of: object)?.family == NSStringClass.self {
      if let bytes = archive.field(.bytes, of: object.container) { texts.insert(bytes) }
    }
    return texts
  }
}

// MARK: - Integrity without a schema

/// Checks inputs of every encoding, and the archives in their data values.
///
/// A check never fails: what cannot be read is a finding.
package struct IntegrityCheck: Sendable {
  /// The lints to run.
  package let lints: Set<Lint>
  /// The classes that objects may be of; nil for all.
  package let allowedClasses: Set<String>?
  /// The limits for reading.
  package let limits: Limits
  /// Whether JSON may be JSON5.
  package let allowsJSON5: Bool

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - lints: the lints to run; by default all faults, and no advice.
  ///   - allowedClasses: the allowed classes of objects, as patterns in which `*` matches any run of
  ///     characters (`ClassName.matches(pattern:)`); nil for all. A class that is allowed allows its mutable
  ///     subclass of Foundation. The ancestors in a class record are not trusted for this.
  ///   - limits: the limits for reading.
  ///   - allowsJSON5: whether JSON may be JSON5.
  package init(
    lints: Set<Lint> = Lint.faults, allowedClasses: Set<String>? = nil, limits: Limits = Limits(),
    allowsJSON5: Bool = false
  ) {
    self.lints = lints
    self.allowedClasses = allowedClasses
    self.limits = limits
    self.allowsJSON5 = allowsJSON5
  }

  /// Checks an input.
  ///
  /// At most 10 000 faults and as many other findings are listed; a last finding counts the rest.
  ///
  /// - Returns: the findings, by offset.
  package func run(_ storage: ByteStorage) -> [Diagnostic] {
    var run = IntegrityRun(self, storage)
    run.finish()
    return run.report.sorted()
  }
}
