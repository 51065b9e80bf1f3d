// Checks the lenses of a family: takes generated values and samples through each, forward and back.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

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
      var trial = LensRoundTrip(
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

  private func warning(
    _ version: String, _ message: String, at path: GraphPath? = nil
  ) -> FamilyCheck.Finding {
    FamilyCheck.Finding(
      folder + "/" + FamilyFolder.schemaFile(version), message, at: path, isError: false)
  }

  private func faults(_ trial: LensRoundTrip, _ step: LensStep) -> [FamilyCheck.Finding] {
    let path = step.file.path ?? folder + "/" + step.file.name
    return trial.failures.map { failure in
      let sample = failure.sample.map { "; the sample \($0) shows it" } ?? ""
      return FamilyCheck.Finding(
        path, "\(step.direction.rawValue): \(Self.sentence(failure))\(sample)", at: failure.path)
    }
  }

  /// Warns if the values of a direction show nothing.
  private func doubts(
    _ trial: LensRoundTrip, _ step: LensStep, tries: Int
  ) -> [FamilyCheck.Finding] {
    if trial.count == 0, tries > 0 {
      return [
        warning(
          step.source, "no value that fits \(step.source) could be generated to try its lenses")
      ]
    }
    guard trial.refusedCount == trial.count, let refusal = trial.firstRefusal else { return [] }
    return [
      warning(
        step.source,
        "each of \(Counted.text(trial.count, "value")) of \(step.source) was refused on the way to "
          + "\(step.target): \(Self.sentence(refusal))", at: refusal.path)
    ]
  }

  /// The longest value that a message has whole: data may be long.
  private static let valueLimit = 400

  private static func sentence(_ failure: LensRoundTrip.Failure) -> String {
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
      return FamilyCheck.Finding(
        file.path ?? folder + "/" + file.name,
        "no member '\(name)' in \(source.name) (operation \(operation.pointer), \(operation.title))"
      )
    }
  }

  /// Warns if the schema of an archive of objects leaves the class or the storage of a new object open.
  private func undeclared(
    _ source: SchemaVersion, _ target: SchemaVersion
  ) -> [FamilyCheck.Finding] {
    guard target.envelope == .nscoding, source.envelope != .nscoding else { return [] }
    return target.schema.unspecifiedStructure(most: Self.findingLimit).map { location in
      let fault =
        location.unmakable.map { "no object of class \($0.name) can be made (\($0.reason))" }
        ?? "'\(location.keyword)' is missing"
      return warning(
        target.name,
        "\(fault): a \(source.name) can become a \(target.name) only if --keep-lost has kept it",
        at: location.path)
    }
  }

  /// Warns about versions without a lens path to the newest one.
  private func unreachable(_ lenses: FamilyLenses) -> [FamilyCheck.Finding] {
    guard let newest = family.versions.last else { return [] }
    return family.versions.filter { version in
      let path = lenses.path(from: version.name, to: newest.name)
      return path?.contains(where: \.isAgainstOneWay) ?? true
    }.map { warning($0.name, "no lens from \($0.name) to \(newest.name)") }
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
    _ trial: LensRoundTrip, _ source: SchemaVersion, _ target: SchemaVersion
  ) -> [FamilyCheck.Finding] {
    guard let first = trial.failures.first else { return [] }
    let more = trial.failures.count > 1 ? "; and \(trial.failures.count - 1) more" : ""
    return [
      warning(
        target.name,
        "a \(source.name) need not fit \(target.name) as it is, and no lens joins them: "
          + "\(Self.sentence(first))\(more)", at: first.path)
    ]
  }
}

// MARK: - Takes archives of one version through a lens and back, by the code of `migrate`, and shrinks a value that fails

/// Tries one direction of a lens.
struct LensRoundTrip {
  /// An archive that does not become one of the other version, or does not come back.
  struct Failure {
    /// What fails, as a sentence.
    let reason: String
    /// The path of the value that causes it.
    let path: GraphPath?
    /// A small value that fails; nil for a sample.
    var value: JSONTree?
    /// The path of the sample that fails; nil for a generated value.
    var sample: String?

    /// What failures have in common that have the same cause.
    let cause: String

    /// A failure for a reason, which without values and positions is the cause.
    init(_ reason: String, at path: GraphPath?) {
      (self.reason, self.path) = (reason, path)
      var isQuoted = false
      cause = String(
        String.UnicodeScalarView(
          reason.unicodeScalars.filter { scalar in
            if scalar == "\"" { isQuoted.toggle() }
            return !isQuoted && !"-0123456789[]".unicodeScalars.contains(scalar)
          }))
    }

    /// What an archive would lose.
    init(_ loss: MigrationLoss) {
      (reason, path) = ("would lose \(loss.wording)", loss.path)
      let names = loss.path.steps.map { if case .key(let name) = $0 { name } else { "" } }
      cause = "\(loss.kind) \(loss.cause?.operation ?? "") \(names.filter { !$0.isEmpty })"
    }
  }

  private enum Outcome {
    case holds
    /// An operation refuses its content, such as a text that is not a date.
    case refused(Failure)
    case fails(Failure)
  }

  /// More failures with different causes are not shrunk, and only counted.
  private static let failureLimit = 20

  private let source: SchemaVersion
  private var migration: Migration
  private var generator: SampleGenerator
  private let lens: Lens
  private let direction: LensDirection
  private var known: Set<String> = []

  /// The failures, each with a cause of its own.
  private(set) var failures: [Failure] = []
  /// How many archives were tried.
  private(set) var count = 0
  /// How many of them were refused for their content.
  private(set) var refusedCount = 0
  private(set) var firstRefusal: Failure?

  /// Specifies the trial of a lens in a direction.
  init(
    _ step: LensStep, from source: SchemaVersion, to target: SchemaVersion, of family: SchemaFamily,
    in catalog: SchemaCatalog, seed: UInt64
  ) {
    (self.source, lens, direction) = (source, step.file.lens, step.direction)
    // Generated values share nothing: that an envelope stores equal ones once is no fault.
    var kinds: [StoredDifference.Kind] = [.sharing]
    // An object stores nil for a field, or lacks it: its decoder treats both alike.
    if source.envelope == .nscoding, target.envelope != .nscoding { kinds.append(.absence) }
    var request = Migration.Request(
      from: source.name, to: target.name,
      losses: LossPolicy(allowing: kinds.map { LossPolicy.Allowance(kind: $0) }))
    request.familyLosses = .allowances
    migration = Migration(catalog: catalog, family: family, request)
    migration.lenses = [
      family.name: FamilyLenses(
        family: family.name, versions: family.versions.map(\.name), files: [step.file])
    ]
    generator = SampleGenerator(
      source, toward: target, hints: SampleHints(of: step.file.lens), seed: seed)
  }

  /// Tries generated values.
  ///
  /// - Throws: `ArchiveError` with code `limit` if a value is too large to be validated.
  mutating func run(tries: Int) throws(ArchiveError) {
    for number in 0..<tries {
      guard let sample = try generator.sample(number),
        let bytes = try generator.archive(of: sample)
      else { continue }
      count += 1
      switch outcome(of: bytes) {
      case .holds: break
      case .refused(let failure):
        refusedCount += 1
        firstRefusal = firstRefusal ?? failure
      case .fails(let failure):
        if isNew(failure) { try add(failure, of: sample) }
      }
    }
  }

  /// Tries a sample of the source's version.
  mutating func run(sample path: String) throws(ArchiveError) {
    guard case .fails(var failure) = outcome(of: try ByteStorage.open(path: path)),
      isNew(failure)
    else { return }
    failure.sample = path
    failures.append(failure)
  }

  private mutating func isNew(_ failure: Failure) -> Bool {
    known.insert(failure.cause).inserted && failures.count < Self.failureLimit
  }

  /// Adds a failure with the smallest value found that fails in the same way.
  private mutating func add(_ failure: Failure, of sample: Sample) throws(ArchiveError) {
    var shrinking = SampleShrinking()
    var smallest = failure
    let value = shrinking.smallest(sample.value) { value in
      var sample = sample
      sample.value = value
      guard (try? generator.fits(sample)) == true,
        let bytes = try? generator.archive(of: sample),
        case .fails(let other) = outcome(of: bytes), other.cause == failure.cause
      else { return false }
      smallest = other
      return true
    }
    smallest.value = value.sampleTree
    failures.append(smallest)
  }

  // MARK: One archive

  /// Migrates an archive as `archtool migrate --from SOURCE --to TARGET` does, which takes the result back.
  private mutating func outcome(of bytes: ByteStorage) -> Outcome {
    do throws(ArchiveError) {
      let input = RewriteInput(storage: bytes, name: source.label, path: nil)
      guard case .refused(let reason, let violations, let details) = try migration.rewrite(input)
      else { return .holds }
      let migrated = details.migration
      if let losses = migrated?.losses?.filter({ !$0.isAllowed }), !losses.isEmpty {
        guard let loss = losses.first(where: { !isDeclared($0) }) else { return .holds }
        return .fails(Failure(loss))
      }
      let failure = Failure(
        violations.first.map { "\(reason): \($0.message)" } ?? reason, at: migrated?.refusedAt)
      return migrated?.refusesContent == true ? .refused(failure) : .fails(failure)
    } catch {
      return .fails(Failure(error.message, at: error.path))
    }
  }

  /// Whether the lens says that it does not carry a value, by an operation whose effect that is: a member that is removed,
  /// the rest of a list, a table, a format; not by a conversion of numbers that drops digits on the way forward.
  private func isDeclared(_ loss: MigrationLoss) -> Bool {
    guard let cause = loss.cause else { return false }
    guard direction == .forward, cause.detail == .value,
      case .change(_, .convert(let conversion))? = lens.operation(at: cause.operation)?.kind
    else { return true }
    return !conversion.isNumeric
  }
}

// MARK: - The operations of a lens with those within them

extension Lens {
  /// All operations, also of lenses within operations and of named ones.
  var allOperations: [LensOperation] {
    (operations + named.sorted { $0.key < $1.key }.flatMap(\.value.operations)).flatMap {
      [$0] + ($0.inner?.allOperations ?? [])
    }
  }

  fileprivate func operation(at pointer: String) -> LensOperation? {
    allOperations.first { $0.pointer == pointer }
  }
}

extension LensOperation.Kind {
  /// The member that it needs in the forward direction, if it has no effect without that.
  var oldName: String? {
    switch self {
    case .add(_, _, isInverse: false), .wrap(_, isInverse: false), .change(_, .group): nil
    case .rename(let name, _), .add(let name, _, _), .hoist(let name, _, _, false),
      .hoist(_, let name, _, _), .in(let name, _), .wrap(let name?, _), .copy(let name, _),
      .change(let name?, _):
      name
    default: nil
    }
  }

  /// The members that it makes.
  var newNames: [String] {
    switch self {
    case .rename(_, let name), .add(let name, _, false), .copy(_, let name),
      .wrap(let name?, false), .default(let name, _), .nullable(let name, _),
      .hoist(_, let name, _, false), .hoist(let name, _, _, _), .combine(_, _, let name, false),
      .change(_, .nest(let name, false)), .change(_, .group(.elements(let name), true)):
      [name]
    case .combine(let keys, let values, _, _): [keys, values]
    default: []
    }
  }
}

extension SampleHints {
  /// Values that conversions take, to be converted in both directions.
  private static var probes: [SyntheticValue] {
    [
      .date(0), .date(576_215_400), .integer(0), .integer(1), .integer(12), .real(1.5),
      .boolean(true),
      .data([1, 2, 3]), .string("https://example.com/a"), .string("1.5"), .string("#336699"),
      .string("6BA7B810-9DAD-11D1-80B4-00C04FD430C8"),
    ]
  }

  /// What a lens mentions: names, texts that its conversions take, and the values of its tables.
  init(of lens: Lens) {
    self.init()
    let names = lens.allOperations.compactMap { operation -> (String, String)? in
      if case .rename(let source, let destination) = operation.kind {
        (source, destination)
      } else {
        nil
      }
    }
    add(lens, within: nil)
    for inner in lens.named.values { add(inner, within: nil) }
    // A member that is renamed and converted has texts under both names.
    for (source, destination) in names + names.reversed() {
      let known = (members[source] ?? []) + (members[destination] ?? [])
      if !known.isEmpty { (members[source], members[destination]) = (known, known) }
    }
  }

  private mutating func add(_ lens: Lens, within member: String?) {
    for operation in lens.operations {
      switch operation.kind {
      case .change(let name, .convert(let conversion)): add(conversion, of: name ?? member)
      case .rename(let source, let destination), .copy(let source, let destination):
        texts += [source, destination]
      case .add(let name, let value, _):
        texts += [name] + (value?.strings ?? [])
      case .default(let name, let value): texts += [name] + value.strings
      case .hoist(let host, let name, _, _): texts += [host, name]
      case .change(_, .split(let separator, _)): texts.append("a\(separator)b")
      case .change(_, .nest(let name, _)), .change(_, .group(.elements(let name), _)):
        texts.append(name)
      case .combine(let keys, let values, let name, _): texts += [keys, values, name]
      case .when(let condition, let after, _):
        for condition in [condition, after] {
          texts.append(condition.member)
          if case .equals(let value) = condition.test { texts += value.strings }
        }
      default: break
      }
      if case .in(let name, let inner) = operation.kind {
        add(inner, within: name)
      } else if let inner = operation.inner {
        add(inner, within: member)
      }
    }
  }

  private mutating func add(_ conversion: ScalarConversion, of member: String?) {
    for direction in [LensDirection.forward, .backward] {
      for probe in Self.probes {
        switch conversion.convert(probe, direction) {
        case .string(let text)?:
          if case .table = conversion { texts.append(text) } else { add(text, of: member) }
        case .some where !conversion.isNumeric:
          if case .string(let text) = probe { add(text, of: member) }
        default: break
        }
      }
    }
    guard case .table(let table) = conversion else { return }
    for value in table.pairs.prefix(64).flatMap({ [$0.source, $0.destination] }) {
      texts += value.strings
      if case .integer(let number) = value { numbers.append(.integer(Int64(number))) }
    }
  }

  private mutating func add(_ text: String, of member: String?) {
    guard let member else { return texts.append(text) }
    members[member, default: []].append(text)
  }
}
