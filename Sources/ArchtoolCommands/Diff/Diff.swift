// `archtool diff`: compares the values of two files, or of the files in two folders.

import ArchiveBasics
import ArchiveBatches
import CommandLineInterface

struct Diff: Command {
  static let name = "diff"
  static let description = CommandDescription(
    name: name,
    abstract: "compare two files or folders by their values",
    operands: Operands(name: "OLD NEW", minimum: 1, maximum: 3),
    options: [
      .diffFormat, .stat, .maximumLines, .ignore, .tolerance, .strictComparison, .keyBy, .json5,
      .recursive, .include, .exclude, .noDatabases, .noBackups,
    ] + OptionDescription.batch,
    commonOptions: [.passwordFile, .color, .noPager, .quietDiff, .help],
    rules: [.exclusive([.stat, .diffFormat]), .exclusive([.quietDiff, .stat])]
      + ([.include, .exclude, .noDatabases, .noBackups] + OptionDescription.batch).map {
        .needs($0, anyOf: [.recursive])
      }
      + [.exclusive([.quietDiff, .diffFormat]), .exclusive([.strictComparison, .tolerance])]
      + OptionRule.exclusive([.maximumLines], with: [.diffFormat, .stat, .quietDiff]),
    discussion: """
      Values are compared by meaning: the encoding, object numbers, the order of members and sets,
      the precision of numbers, mutable forms of classes, and whether equal values are one object do
      not matter. With --strict the last three are shown, and superclasses, inline and boxed values,
      and the classes of keys: each with its name, as in '~ $.title: storage: inline → boxed'. An
      archive in a data value is compared by its values. Classes are compared if both files have
      objects of application classes; otherwise an object equals the dictionary of its fields.

      Each line of the output begins with '+' for an added value, '-' for a removed one, '~' for a
      changed one and '>' for an element of a list that was moved. Elements are matched by their
      content, or by the member that --key-by names.

      Objects that several references lead to are recognized by their content, then by what they
      have in common with the object in the same position. Each is compared once and shown at its
      shortest path, with the number of other references; elsewhere '→ PATH' refers to it.

      With the format json-patch the output is a JSON Patch (RFC 6902) with typed values, which
      patch applies to OLD. Objects that several references lead to remain one: the smallest value
      that has all these references is replaced as a whole. A patch cannot say that two values at
      the top of an archive share an object, which becomes one for each. With -r the files of two
      folders are compared by their relative paths, those of backups by the names that applications
      gave them; files that are no archives by their bytes. Of two databases the archives are
      compared by table, row and column, of two columns by the numbers of their rows; databases that
      differ in something else are named. Links, pipes and the like are not compared.
      """,
    examples: [
      "archtool diff Backup Movie": "Show what differs between two archives.",
      "archtool diff --ignore '$.name' --tolerance 1 Backup Movie":
        "Ignore the name, and numbers that differ by at most 1.",
      "archtool diff --format json-patch Backup Movie": "Write the changes as a JSON Patch.",
    ],
    exits: .reading, meanings: [.done: "The values are equal.", .answerIsNo: "The values differ."])

  enum Format: String, OptionChoice {
    case text, json
    case jsonPatch = "json-patch"
  }

  private let session: Session
  private let comparison: FileComparison

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    guard arguments.operands.count == 2 else {
      throw UsageError(
        arguments.operands.count < 2
          ? "diff needs OLD and NEW" : "diff compares two files or folders")
    }
    comparison = try FileComparison(session)
  }

  func run() throws {
    let (old, new) = (session.arguments.operands[0], session.arguments.operands[1])
    if [old, new].contains(where: FolderListing.isFolder) {
      return try FolderComparison(session, comparison, old, new).run()
    }
    let writer = ResultWriter(session)
    let databases = DatabaseComparison(comparison, session.streams, writer)
    let password = session.arguments.password
    if [old, new].allSatisfy(Address.mayBeColumn), comparison.format != .jsonPatch {
      databases.run(columns: old, new, password)
      return comparison.end(session)
    }
    var input = Input(operand: old)
    do throws(ArchiveError) {
      let openers = (BackupOpener(password), BackupOpener(password))
      input = try session.input(old, openers.0)
      let other = try session.input(new, openers.1)
      let storage = try input.open(session.streams)
      if input.isDatabase, other.isDatabase, comparison.format != .jsonPatch {
        let bytes = try other.open(session.streams)
        let differ = !storage.bytes.elementsEqual(bytes.bytes)
        databases.run((input, other), openers, differ: differ)
      } else {
        try comparison.compare(input, storage, other, session.streams, writer)
      }
    } catch {
      return session.report(error, file: input.name)
    }
    comparison.end(session)
  }
}

extension OptionDescription {
  static let diffFormat = choice(
    "format", valueName: "FORMAT", of: Diff.Format.allCases.map { $0.rawValue },
    help: "Write differences as FORMAT.")

  static let stat = flag("stat", help: "Print only the number of differences of each kind.")

  static let maximumLines = integer(
    "max-lines", in: 0...1_000_000_000,
    help: "Print at most N lines of differences. A last line counts what is left out.")

  static let strictComparison = flag(
    "strict",
    help: "Compare how values are stored, too. That is types, classes, storage and sharing.")

  static let ignore = text(
    "ignore", valueName: "EXPR", isRepeatable: true,
    help: "Leave out what EXPR selects. EXPR is a JSONPath expression.")

  static let tolerance = text(
    "tolerance", valueName: "N", help: "Treat numbers that differ by at most N as equal.")

  static let keyBy = text(
    "key-by", valueName: "PATH",
    help: "Name elements of lists by PATH. It applies where all have different values there.")

  static let quietDiff = flag(
    "quiet", letter: "q", help: "Print no differences. The exit status says whether there are any.")
}
