// `archtool scan`: an inventory of the archives in folders, databases and backups.

import ArchiveBasics
import ArchiveBatches
import ArchivePropertyLists
import ArchiveRendering
import ArchiveSchemas
import CommandLineInterface
import KeyedArchives

struct Scan: Command {
  static let name = "scan"
  static let description = CommandDescription(
    name: name,
    abstract: "list the archives in folders, databases and backups",
    operands: Operands(name: "PLACE", minimum: 1, maximum: nil),
    options: [
      .only, .extractDirectory, .schemaFolders, .scanFormat, .csvPlain, .noDatabases, .noBackups,
    ] + OptionDescription.batch,
    commonOptions: OptionDescription.common + [.noPager],
    rules: [.implies(.csvPlain, .scanFormat, value: "csv")],
    discussion: """
      A PLACE is a folder with everything below it, with or without -r, a file, a SQLite database, or a column of one.
      Each archive or property list that is found is a line: its encoding, envelope, root class, the
      schema family and version that fit, and its size. Files that are compressed, signed, or
      written as Base64 or hexadecimal digits are archives if their content is one. Other files are
      counted by kind. JSON counts as another kind, and so does OpenStep text unless its name ends
      with .plist, .strings or .pbxproj.

      A database is recognized by its first bytes. Each of its columns in which there are archives
      is one line, DATABASE#table.column, with the number of rows with archives and of all rows, and
      what these archives are. No view, trigger, virtual table or column that is computed is read,
      and nothing beside a database is created or changed: one with a write-ahead log or a journal
      is read from a private copy.

      The files of a backup of an iPhone or iPad, by Finder or iTunes since iOS 4, have the names
      BACKUP//DOMAIN/path: the folder, and the name on the device. So do the columns of databases
      there, whose write-ahead logs are read. --include and --exclude compare DOMAIN/path.

      If a backup is encrypted, its password is the first line of --password-file, or archtool asks
      for it on a terminal, once for each backup. With a wrong one, or none, the backup is an error
      and its other files are listed. What is decrypted stays in memory, databases as well; only
      --extract writes it, to files that nobody but their owner can read.

      An archive that cannot be decoded is a line with the reason, and no error. The exit status is
      0 unless something cannot be opened or read, or a database is damaged.

      The formats json, ndjson and csv (RFC 4180) have an object or line for each file and column;
      in csv a column has a line for each kind of archive in it. Names of files, tables and classes
      may begin as a formula does, with =, +, - or @; an apostrophe precedes such a cell, unless
      --csv-plain is given for programs that are no spreadsheets.

      With --extract the bytes of each archive are written to a new file of DIR. Its name is the
      path and the column of the archive, with percent signs and hexadecimal digits for slashes and
      unusual characters. No file is overwritten.
      """,
    examples: [
      "archtool scan Container":
        "List the archives in the folder Container and in the databases there.",
      "archtool scan --only 'WeatherFeed@*' --format csv Container":
        "List the archives of the schema family WeatherFeed as a table.",
    ],
    exits: .writing, meanings: [.undecodable: "A database is damaged."])

  enum Format: String, OptionChoice {
    case text, json, ndjson, csv
  }

  private let session: Session

  init(_ session: Session) throws { self.session = session }

  func run() throws {
    let arguments = session.arguments
    let report = ScanReport(session, arguments.choice(of: .scanFormat, as: Format.self) ?? .text)
    let extracted = try arguments.value(of: .extractDirectory).map {
      try ExtractedFiles($0, allowing: arguments.selection.folderPermissions)
    }
    let keepsBytes = extracted != nil
    let runner = try BatchRunner<ScannedArchive>(
      session, arguments.selection, .ofReading, .inventory)
    report.begin()
    let summary = try runner.run(
      { () throws(ArchiveError) in
        let scanner = try ArchiveScanner(arguments, keepsBytes: keepsBytes)
        return { (input, storage) throws(ArchiveError) in try scanner.scan(input, storage) }
      },
      handle: { result in
        switch result.outcome {
        case .passedOver, .foreign: return []
        case .failed(let error):
          report.addUnread(error, file: result.name)
          return [BatchEntry(failed: error, result, "cannot be read")]
        case .made(let archive):
          report.add(archive)
          if let extracted, let storage = archive.storage {
            do throws(ArchiveError) {
              try extracted.write(
                storage.bytes, origin: archive.input.extractedName,
                allowing: archive.input.permissions())
            } catch {
              session.report(error, file: archive.input.name)
            }
          }
          return [archive.entry]
        }
      })
    report.finish(summary)
  }
}

/// Looks at archives, on one thread.
private struct ArchiveScanner {
  private let catalog: SchemaCatalog
  private let reader: ArchiveReader
  private let pattern: WildcardPattern?
  private let keepsBytes: Bool

  init(_ arguments: ParsedArguments, keepsBytes: Bool) throws(ArchiveError) {
    catalog = try SchemaSources(arguments).catalog()
    reader = arguments.reader()
    pattern = arguments.value(of: .only).map { WildcardPattern($0) }
    self.keepsBytes = keepsBytes
  }

  /// Looks at an archive; one that cannot be decoded is a result as well.
  func scan(_ input: Input, _ storage: ByteStorage) throws(ArchiveError) -> ScannedArchive {
    let content: ScannedArchive.Content
    let isWanted: Bool
    do throws(ArchiveError) {
      let graph = try reader.read(storage)
      if let error = graph.rootError { throw error }
      let facts = try ArchiveInfo(
        graph, byteCount: storage.bytes.count, catalog: catalog
      ).facts
      content = .sound(facts)
      isWanted =
        pattern == nil || matches(facts.names)
        || matches(graph.storedClasses().map(\.name.display))
    } catch {
      let encoding = Formats.all.detect(storage.bytes).name
      content = .damaged(error.located(in: storage.bytes), encoding: encoding)
      isWanted = matches([encoding])
    }
    return ScannedArchive(
      input: input, byteCount: storage.bytes.count, content: content, isWanted: isWanted,
      storage: keepsBytes && isWanted ? storage : nil)
  }

  private func matches(_ names: [String]) -> Bool {
    guard let pattern else { return true }
    return names.contains { pattern.matches($0) }
  }
}

extension OptionDescription {
  static let only = text(
    "only", valueName: "PATTERN",
    help: """
      List only archives of which a name matches PATTERN. Names are those of the encoding, the envelope, the schema \
      family or version (Movie, Movie@v2), and the classes of all objects. In PATTERN * matches any run of characters and ? one character.
      """)

  static let extractDirectory = text(
    "extract", valueName: "DIR", help: "Write each archive in the list to a new file in DIR.")

  static let scanFormat = choice(
    "format", valueName: "FORMAT", of: Scan.Format.allCases.map { $0.rawValue },
    help: "Write the inventory as FORMAT.")

  static let csvPlain = flag(
    "csv-plain",
    help: """
      Write cells of CSV as they are. Otherwise an apostrophe precedes those that a spreadsheet would run as a formula.
      """)
}
