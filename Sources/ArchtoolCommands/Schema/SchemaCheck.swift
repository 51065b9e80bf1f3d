// `archtool schema check`: checks that schemas are well formed, that samples fit, and lenses with generated values.

import ArchiveBasics
import ArchiveMigrations
import ArchivePropertyLists
import ArchiveSchemas
import CommandLineInterface

struct SchemaCheck: Command {
  static let name = "schema check"
  static let description = CommandDescription(
    name: name,
    abstract: "check schema families and their samples",
    operands: Operands(name: "DIR", minimum: 1, maximum: nil),
    options: [.schemaFolders, .assertFormats, .tries, .seed, .reportFormat],
    commonOptions: [.color, .noPager, .quiet, .help],
    discussion: """
      DIR is the folder of a family or contains such folders. Every schema must be well formed and
      use known keywords. Every file in DIR/samples/VERSION must fit that version and no other, and
      no file in DIR/samples/VERSION/invalid may fit it. A loss that family.json allows must be of a
      known kind and at a path that its versions have.

      Every lens, DIR/FROM-TO.lens.json, is tried in both directions with the samples and with
      generated values: each branch of the schema, the limits of each keyword, members present and
      absent. An archive of each is migrated, and taken back as migrate does. One that does not fit
      the other version or does not come back is an error, shown with a small value; what the lens
      says it drops is not. A text that a conversion refuses is counted. Without lenses the versions
      must have the same model; otherwise there is a warning. This finds most errors and proves
      nothing: migrate verifies each file.
      """,
    examples: [
      "archtool schema check Schemas/Recipe": "Check the family in the folder Schemas/Recipe."
    ],
    exits: [.done, .cannotOpen],
    meanings: [
      .answerIsNo: "A sample does not fit as it should, or a value shows a fault in a lens.",
      .undecodable: "A schema or lens is invalid, or a sample cannot be decoded.",
    ])

  private let session: Session
  private let sources: SchemaSources
  private let tries: Int
  private let seed: UInt64

  init(_ session: Session) throws {
    self.session = session
    sources = SchemaSources(session.arguments)
    tries = try session.arguments.integer(of: .tries) ?? LensCheck.usualTries
    seed = UInt64(try session.arguments.integer(of: .seed) ?? 0)
  }

  func run() throws {
    var reports: [JSONTree] = []
    for folder in session.arguments.operands {
      do throws(ArchiveError) {
        let paths = try FamilyFolder.families(in: folder)
        if paths.isEmpty {
          throw ArchiveError(.malformed, "the folder is not a family: it has no family.json")
        }
        for path in paths { reports.append(check(path, in: folder)) }
      } catch {
        session.report(error, file: folder)
      }
    }
    if isJSON { try JSONTree.list(reports).write(to: &session.output) }
  }

  private var isJSON: Bool { session.arguments.reportsJSON }

  /// Checks one family and reports the result; its schemas may refer to others in the folders, as with `--schemas`.
  private func check(_ path: String, in folder: String) -> JSONTree {
    do throws(ArchiveError) {
      // An unreadable folder is reported separately.
      let others = session.arguments.operands.filter {
        $0 != folder && FolderListing.isFolder($0)
      }
      let folders = [folder] + others + sources.folders
      let result = try FamilyCheck(
        folder: path, library: SchemaLibrary(folders: [path] + folders),
        assertsFormats: session.arguments.has(.assertFormats)
      ).run()
      let lenses = try LensCheck(
        result, folder: path, catalog: try? SchemaCatalog(folders: folders), tries: tries,
        seed: seed
      ).run()
      let overlaps = try VersionOverlap(family: result.family, folder: path).run()
      let findings = result.findings + lenses.findings + overlaps
      for finding in findings { report(finding) }
      let isSound = !findings.contains { $0.isError }
      if !isSound { session.merge(.answerIsNo) }
      if !isJSON, !session.isQuiet {
        let verdict = isSound ? "sound" : "not sound"
        let style = session.outputStyle
        session.output.bytes.append(
          "\(path): ".escapedLine + (isSound ? style.green(verdict) : style.red(verdict))
            + ", \(result.family.name) with \(counts(result, lenses))".escapedLine + "\n")
      }
      return Self.tree(of: result, lenses, findings, path: path)
    } catch {
      session.report(error, file: path)
      return .members([
        ("folder", .string(path.shownPath)), ("isSound", .boolean(false)),
        ("file", .string((error.file ?? path).shownPath)), ("error", .string(error.message)),
        ("path", error.path.map { .string($0.description) } ?? .null),
      ])
    }
  }

  /// `2 versions and 1 lens, checked with 1,000 values and 4 samples`.
  private func counts(_ result: FamilyCheck.Result, _ lenses: LensCheck.Result) -> String {
    var text = Counted.text(result.family.versions.count, "version")
    if lenses.lensCount > 0 {
      let oneWay = lenses.oneWay.joined(separator: ", ")
      text += lenses.lensCount == 1 ? " and 1 lens" : " and \(lenses.lensCount) lenses"
      text += oneWay.isEmpty ? "" : " (one way only: \(oneWay))"
    }
    var parts: [String] = []
    if lenses.valueCount > 0 {
      let refused = lenses.refusedCount
      parts.append(
        Counted.text(lenses.valueCount, "value")
          + (refused == 0 ? "" : " (\(Counted.number(refused)) refused)"))
    }
    if result.sampleCount > 0 || parts.isEmpty {
      parts.append(
        result.sampleCount == 0 ? "no samples" : Counted.text(result.sampleCount, "sample"))
    }
    return "\(text), checked with \(parts.joined(separator: " and "))"
  }

  private func report(_ finding: FamilyCheck.Finding) {
    if finding.isError {
      let error = session.located(finding.error, file: finding.file)
      session.printProblem(error.line(file: finding.file))
      if finding.error.code != .mismatch { session.merge(ExitStatus(finding.error.code)) }
    } else {
      session.warn(finding.error, file: finding.file)
    }
  }

  private static func tree(
    of result: FamilyCheck.Result, _ lenses: LensCheck.Result, _ findings: [FamilyCheck.Finding],
    path: String
  ) -> JSONTree {
    .members([
      ("folder", .string(path.shownPath)), ("family", .string(result.family.name)),
      ("isSound", .boolean(!findings.contains { $0.isError })),
      ("versions", .integer(result.family.versions.count)),
      ("lenses", .integer(lenses.lensCount)),
      ("oneWay", .list(lenses.oneWay.map { .string($0) })),
      ("values", .integer(lenses.valueCount)), ("refused", .integer(lenses.refusedCount)),
      ("samples", .integer(result.sampleCount)),
      (
        "findings",
        .list(
          findings.map { finding in
            let diagnostic = finding.diagnostic
            return .members([
              ("file", .string(finding.file.shownPath)),
              ("severity", .string(diagnostic.severity.rawValue)),
              ("message", .string(diagnostic.message)),
              ("path", diagnostic.path.map { .string($0.description) } ?? .null),
            ])
          })
      ),
    ])
  }
}

extension OptionDescription {
  static let tries = integer(
    "tries", in: 0...1_000_000, default: LensCheck.usualTries,
    help: "Check the lenses with N generated values.")

  static let seed = integer(
    "seed", in: 0...Int.max, default: 0,
    help: "Choose the generated values by the number N. The same number gives the same.")
}
