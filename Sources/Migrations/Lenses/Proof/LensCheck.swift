// Checks whether the lenses of a family are proved: both directions of each, for every valid value.

import Basics
import KeyedArchives
import PropertyLists
import Schemas

/// Checks the lenses of a family in a folder.
///
/// A family without lenses has one model in all its versions; the check only warns if that is impossible.
package struct LensCheck {
  /// The result of a check.
  package struct Result: Sendable {
    /// How many lens files there are.
    package let lensCount: Int
    /// The names of the one-way lenses: `v1-v2`.
    package let oneWay: [String]
    /// The errors and warnings.
    package let findings: [FamilyCheck.Finding]
  }

  /// The limit on listed findings for one direction; more are only counted.
  private static let findingLimit = 20

  private let family: SchemaFamily
  private let folder: String
  private let assertsFormats: Bool

  /// Specifies the family to check.
  ///
  /// - Parameters:
  ///   - family: the family.
  ///   - folder: the folder that it was read from, as messages show it.
  ///   - assertsFormats: whether `format` is treated as an assertion.
  package init(family: SchemaFamily, folder: String, assertsFormats: Bool = false) {
    self.family = family
    self.folder = folder
    self.assertsFormats = assertsFormats
  }

  /// Checks the lenses.
  ///
  /// - Throws: `ArchiveError` that names the file if a lens cannot be read or is invalid.
  package func run() throws(ArchiveError) -> Result {
    let lenses = try FamilyLenses(of: family)
    if lenses.isUniform { return Result(lensCount: 0, oneWay: [], findings: neighbours()) }
    var findings: [FamilyCheck.Finding] = []
    for file in lenses.files {
      for direction in [LensDirection.forward, .backward]
      where direction == .forward || !file.lens.isOneWay {
        findings += check(file, direction)
      }
    }
    return Result(
      lensCount: lenses.files.count,
      oneWay: lenses.files.filter(\.lens.isOneWay).map(\.name),
      findings: findings + strangers(lenses))
  }

  // MARK: Lenses

  private func check(_ file: LensFile, _ direction: LensDirection) -> [FamilyCheck.Finding] {
    let step = LensStep(file: file, direction: direction)
    guard let source = family.version(step.source), let target = family.version(step.target) else {
      return []
    }
    let problems = LensProof(
      file.lens, direction, from: source, to: target, assertsFormats: assertsFormats
    ).problems()
    let path = file.path ?? folder + "/" + file.name
    var findings = problems.prefix(Self.findingLimit).map { problem in
      let what =
        problem.isInapplicable
        ? "not every \(source.name) can be taken through the lens"
        : "what \(source.name) becomes \(Self.verb(problem)) fit \(target.name)"
      return Self.finding(
        path, "\(direction.rawValue): \(what): \(Self.sentence(problem))", at: problem.path,
        isError: true)
    }
    if problems.count > Self.findingLimit {
      let more = problems.count - Self.findingLimit
      findings.append(
        Self.finding(path, "\(direction.rawValue): \(more) more of the kind", isError: true))
    }
    return findings + untold(source, target)
  }

  /// Warns if the schema of an archive of objects leaves the class or the storage of a new object open.
  private func untold(_ source: SchemaVersion, _ target: SchemaVersion) -> [FamilyCheck.Finding] {
    guard target.envelope == .nscoding, source.envelope != .nscoding else { return [] }
    let file = folder + "/" + FamilyFolder.schemaFile(target.name)
    return target.schema.unspecifiedStructure(most: Self.findingLimit).map { place in
      let fault =
        place.unmakable.map { "no object of class \($0.name) can be made (\($0.reason))" }
        ?? "'\(place.keyword)' is missing"
      return Self.finding(
        file,
        "\(fault): a \(source.name) can become a \(target.name) only if --keep-lost has kept it",
        at: place.path, isError: false)
    }
  }

  private static func verb(_ problem: LensProof.Problem) -> String {
    problem.isRefuted ? "need not" : "is not proved to"
  }

  private static func sentence(_ problem: LensProof.Problem) -> String {
    var result = problem.message
    if let operation = problem.operation {
      result += " (operation \(operation.pointer), \(operation.title))"
    }
    if let example = problem.counterexample {
      result += ", such as \(example.compactText)"
    }
    return result
  }

  private static func finding(
    _ file: String, _ message: String, at path: GraphPath? = nil, isError: Bool
  ) -> FamilyCheck.Finding {
    FamilyCheck.Finding(
      file: file, error: ArchiveError(.mismatch, message, path: path), isError: isError)
  }

  /// Versions without a lens path to the newest one.
  private func strangers(_ lenses: FamilyLenses) -> [FamilyCheck.Finding] {
    guard let newest = family.versions.last else { return [] }
    return family.versions.filter { version in
      let way = lenses.path(from: version.name, to: newest.name)
      return way?.contains(where: \.isAgainstOneWay) ?? true
    }.map {
      Self.finding(
        folder + "/" + FamilyFolder.schemaFile($0.name),
        "no lens from \($0.name) to \(newest.name)", isError: false)
    }
  }

  // MARK: Families without lenses

  private func neighbours() -> [FamilyCheck.Finding] {
    let lens = Lens(operations: [])
    var findings: [FamilyCheck.Finding] = []
    for (older, newer) in zip(family.versions, family.versions.dropFirst()) {
      for (source, target) in [(older, newer), (newer, older)] {
        let problems = LensProof(
          lens, .forward, from: source, to: target, assertsFormats: assertsFormats
        ).problems()
        guard let first = problems.first else { continue }
        let more = problems.count > 1 ? "; and \(problems.count - 1) more" : ""
        findings.append(
          Self.finding(
            folder + "/" + FamilyFolder.schemaFile(target.name),
            "a \(source.name) \(Self.verb(first)) fit \(target.name) as it is, and no lens joins "
              + "them: \(Self.sentence(first))\(more)", at: first.path, isError: false))
      }
    }
    return findings
  }
}

// MARK: - Lenses that map different values to different results

extension Lens {
  /// Whether different values are known to have different results, in either direction.
  var keepsDifferences: Bool {
    operations.allSatisfy { operation in
      switch operation.kind {
      case .rename, .class, .store: true
      case .in(_, let lens), .map(let lens): lens.keepsDifferences
      default: false
      }
    }
  }
}
