// Checks the lenses of a family: takes generated values and samples through each, forward and back.

import Basics
import KeyedArchives
import PropertyLists
import Schemas

/// Checks the lenses of a family in a folder.
///
/// A family without lenses has one model in all its versions; the check only warns if a value shows that this is wrong.
package struct LensCheck {
  /// The result of a check.
  package struct Result: Sendable {
    /// How many lens files there are.
    package let lensCount: Int
    /// The names of the one-way lenses: `v1-v2`.
    package let oneWay: [String]
    /// How many generated values were tried.
    package fileprivate(set) var valueCount = 0
    /// How many of them an operation refused for their content, such as a text that is not a date.
    package fileprivate(set) var refusedCount = 0
    /// The errors and warnings.
    package fileprivate(set) var findings: [FamilyCheck.Finding] = []
  }

  /// How many values are tried if nothing else is said.
  package static let usualTries = 1_000
  /// How many locations without a class or storage are listed for a version.
  private static let findingLimit = 20

  private let family: SchemaFamily
  private let folder: String
  private let samples: [FamilyCheck.Sample]
  private let catalog: SchemaCatalog
  private let tries: Int
  private let seed: UInt64

  /// Specifies the family to check.
  ///
  /// - Parameters:
  ///   - family: the family, with its samples.
  ///   - folder: the folder that it was read from, as messages show it.
  ///   - catalog: the families whose archives its data values may hold; nil for itself only.
  ///   - tries: how many values to generate for all its lenses together.
  ///   - seed: determines the values.
  package init(
    _ family: FamilyCheck.Result, folder: String, catalog: SchemaCatalog? = nil,
    tries: Int = usualTries, seed: UInt64 = 0
  ) {
    self.family = family.family
    self.folder = folder
    samples = family.samples
    self.catalog = SchemaCatalog(
      families: [family.family]
        + (catalog?.families ?? []).filter { $0.name != family.family.name })
    (self.tries, self.seed) = (tries, seed)
  }

  /// Checks the lenses.
  ///
  /// - Throws: `ArchiveError` that names the file if a lens or a sample cannot be read or is invalid.
  package func run() throws(ArchiveError) -> Result {
    let lenses = try FamilyLenses(of: family)
    var result = Result(
      lensCount: lenses.files.count, oneWay: lenses.files.filter(\.lens.isOneWay).map(\.name))
    let steps =
      lenses.isUniform
      ? adjacent
      : lenses.files.flatMap { file in
        [LensStep(file: file, direction: .forward)]
          + (file.lens.isOneWay ? [] : [LensStep(file: file, direction: .backward)])
      }
    for (index, step) in steps.enumerated() {
      guard let source = family.version(step.source), let target = family.version(step.target)
      else { continue }
      var trial = LensTrial(
        step, from: source, to: target, of: family, in: catalog, seed: seed &+ UInt64(index))
      // What remains of a division goes to the first.
      try trial.run(tries: tries / steps.count + (index < tries % steps.count ? 1 : 0))
      if !lenses.isUniform {
        for sample in samples where sample.version == source.name {
          try trial.run(sample: sample.path)
        }
      }
      result.valueCount += trial.count
      result.refusedCount += trial.refusedCount
      result.findings +=
        lenses.isUniform
        ? differences(trial, source, target) : faults(trial, step) + undeclared(source, target)
      result.findings += doubts(trial, step, tries: tries / steps.count)
    }
    if !lenses.isUniform {
      result.findings += lenses.files.flatMap(unknownNames) + unreachable(lenses)
    }
    return result
  }

  // MARK: Lenses

  private func faults(_ trial: LensTrial, _ step: LensStep) -> [FamilyCheck.Finding] {
    let path = step.file.path ?? folder + "/" + step.file.name
    return trial.failures.map { failure in
      let sample = failure.sample.map { "; the sample \($0) shows it" } ?? ""
      return Self.finding(
        path, "\(step.direction.rawValue): \(Self.sentence(failure))\(sample)", at: failure.path,
        isError: true)
    }
  }

  /// Warns if the values of a direction show nothing.
  private func doubts(
    _ trial: LensTrial, _ step: LensStep, tries: Int
  ) -> [FamilyCheck.Finding] {
    let file = folder + "/" + FamilyFolder.schemaFile(step.source)
    if trial.count == 0, tries > 0 {
      return [
        Self.finding(
          file, "no value that fits \(step.source) could be generated to try its lenses",
          isError: false)
      ]
    }
    guard trial.refusedCount == trial.count, let refusal = trial.firstRefusal else { return [] }
    return [
      Self.finding(
        file,
        "each of \(Counted.text(trial.count, "value")) of \(step.source) was refused on the way to "
          + "\(step.target): \(Self.sentence(refusal))", at: refusal.path, isError: false)
    ]
  }

  /// The longest value that a message has whole: data may be long.
  private static let valueLimit = 400

  private static func sentence(_ failure: LensTrial.Failure) -> String {
    // A finding has its path at the end.
    let suffix = failure.path.map { " (at \($0))" } ?? ""
    let reason =
      failure.reason.hasSuffix(suffix)
      ? String(failure.reason.dropLast(suffix.count)) : failure.reason
    guard let value = failure.value?.compactText else { return reason }
    let isLong = value.count > valueLimit
    return "\(reason), such as \(isLong ? value.prefix(valueLimit) + "…" : value)"
  }

  /// Finds operations on members that no value has: neither the schema names them, nor an operation before.
  private func unknownNames(_ file: LensFile) -> [FamilyCheck.Finding] {
    guard let source = family.version(file.source), var names = source.onlyNames else { return [] }
    return file.lens.allOperations.compactMap { operation in
      names.formUnion(operation.kind.newNames.map(CodePointString.init))
      guard let name = operation.kind.oldName, !names.contains(CodePointString(name)) else {
        return nil
      }
      return Self.finding(
        file.path ?? folder + "/" + file.name,
        "no member '\(name)' in \(source.name) (operation \(operation.pointer), \(operation.title))",
        isError: true)
    }
  }

  /// Warns if the schema of an archive of objects leaves the class or the storage of a new object open.
  private func undeclared(
    _ source: SchemaVersion, _ target: SchemaVersion
  ) -> [FamilyCheck.Finding] {
    guard target.envelope == .nscoding, source.envelope != .nscoding else { return [] }
    let file = folder + "/" + FamilyFolder.schemaFile(target.name)
    return target.schema.unspecifiedStructure(most: Self.findingLimit).map { location in
      let fault =
        location.unmakable.map { "no object of class \($0.name) can be made (\($0.reason))" }
        ?? "'\(location.keyword)' is missing"
      return Self.finding(
        file,
        "\(fault): a \(source.name) can become a \(target.name) only if --keep-lost has kept it",
        at: location.path, isError: false)
    }
  }

  private static func finding(
    _ file: String, _ message: String, at path: GraphPath? = nil, isError: Bool
  ) -> FamilyCheck.Finding {
    FamilyCheck.Finding(
      file: file, error: ArchiveError(.mismatch, message, path: path), isError: isError)
  }

  /// Warns about versions without a lens path to the newest one.
  private func unreachable(_ lenses: FamilyLenses) -> [FamilyCheck.Finding] {
    guard let newest = family.versions.last else { return [] }
    return family.versions.filter { version in
      let path = lenses.path(from: version.name, to: newest.name)
      return path?.contains(where: \.isAgainstOneWay) ?? true
    }.map {
      Self.finding(
        folder + "/" + FamilyFolder.schemaFile($0.name),
        "no lens from \($0.name) to \(newest.name)", isError: false)
    }
  }

  // MARK: Families without lenses

  /// The steps between adjacent versions, whose model is to be the same.
  private var adjacent: [LensStep] {
    zip(family.versions, family.versions.dropFirst()).flatMap { older, newer in
      [(older, newer), (newer, older)].map { source, target in
        LensStep(
          file: LensFile(source: source.name, target: target.name, lens: Lens(operations: [])),
          direction: .forward)
      }
    }
  }

  private func differences(
    _ trial: LensTrial, _ source: SchemaVersion, _ target: SchemaVersion
  ) -> [FamilyCheck.Finding] {
    guard let first = trial.failures.first else { return [] }
    let more = trial.failures.count > 1 ? "; and \(trial.failures.count - 1) more" : ""
    return [
      Self.finding(
        folder + "/" + FamilyFolder.schemaFile(target.name),
        "a \(source.name) need not fit \(target.name) as it is, and no lens joins them: "
          + "\(Self.sentence(first))\(more)", at: first.path, isError: false)
    ]
  }
}
