// A lens that a command found: written beside the schemas of its family, and checked as `schema check` does.

import ArchiveBasics
import ArchiveGraph
import ArchiveMigrations
import ArchivePropertyLists
import ArchiveSchemas
import CommandLineInterface
import KeyedArchives

extension Session {
  /// Writes a version of a family.
  ///
  /// - Throws: `UsageError` for an invalid name, or `ArchiveError` if the files cannot be written.
  func write(_ tree: JSONTree, family: String, version: String, by writer: FamilyWriter) throws {
    do throws(ArchiveError) {
      try writer.write(
        tree, family: family, version: version, title: arguments.value(of: .title),
        replacing: arguments.has(.force))
    } catch {
      throw error.code == .outOfRange ? UsageError(error.message) : error
    }
  }

  /// Writes a lens to its family, and reports what is open or wrong in it.
  ///
  /// - Throws: `ArchiveError` if the file cannot be written.
  func write(
    _ lens: LensSearch.Result, from source: String, to target: String, in folder: String
  ) throws(ArchiveError) {
    let path = folder + "/" + LensFile.fileName(from: source, to: target)
    try AtomicFile.write(
      to: path, existing: arguments.has(.force) ? .replace : .refuse,
      allowing: streams.sources.bound
    ) { (output) throws(ArchiveError) in try lens.tree.write(to: &output) }
    report(lens, path)
    if lens.questions.isEmpty { try check(path, of: folder) }
  }

  private func report(_ lens: LensSearch.Result, _ path: String) {
    for text in lens.remarks { printNote("\(path): \(text)") }
    let graph = (try? ByteStorage.open(path: path)).flatMap {
      try? ArchiveReader(keepsPositions: true).read($0)
    }
    for (pointer, text) in LensTrees.questions(in: lens.tree) {
      let offset = graph?.fileOffset(near: GraphPath(pointer: pointer))
      warn(ArchiveError(.mismatch, "a choice is open: \(text)", offset: offset), file: path)
    }
    if !lens.questions.isEmpty { merge(.answerIsNo) }
  }

  /// Tries the lens with the samples of its family and with generated values.
  private func check(_ path: String, of folder: String) throws(ArchiveError) {
    let folders = [folder] + SchemaSources(arguments).folders
    let result = try FamilyCheck(folder: folder, library: SchemaLibrary(folders: folders)).run()
    let lenses = try LensCheck(
      result, folder: folder, catalog: try? SchemaCatalog(folders: folders),
      tries: (try? arguments.integer(of: .tries)) ?? LensCheck.usualTries
    ).run()
    let findings = lenses.findings.filter { $0.file == path && $0.isError }
    for finding in findings { printProblem(located(finding.error, file: path).line(file: path)) }
    if !findings.isEmpty { merge(.answerIsNo) }
    let verdict = findings.isEmpty ? "sound" : "not sound"
    printNote(
      "\(path): \(verdict), checked with \(Counted.text(lenses.valueCount, "value")) and \(Counted.text(result.sampleCount, "sample"))"
    )
  }

  /// The answer of the person at the terminal to a question about a lens.
  ///
  /// - Returns: the number of a candidate; nil to leave the choice open.
  func answer(_ question: LensQuestion) -> Int? {
    if question.candidates.isEmpty { return nil }
    show("\(question.path): \(question.text)")
    for (number, candidate) in question.candidates.enumerated() {
      show("  \(number + 1)  \(candidate)")
    }
    while let answer = ask("1 to \(question.candidates.count), or nothing to leave it open:") {
      if answer.isEmpty { return nil }
      if let number = Int(answer), question.candidates.indices.contains(number - 1) {
        return number - 1
      }
    }
    return nil
  }
}

extension SchemaFamily {
  /// The folder of the family, to which a command adds.
  ///
  /// - Throws: `UsageError` for a built-in family.
  func requireFolder() throws(UsageError) -> String {
    guard let folder else {
      throw UsageError(
        "the family \(name) is part of archtool; copy it with 'archtool schema show' to add to it")
    }
    return folder
  }
}
