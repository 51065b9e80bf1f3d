// `archtool classes`: what an unarchiver would instantiate.

import ArchiveBasics
import ArchiveBatches
import ArchivePropertyLists
import ArchiveRendering
import CommandLineInterface
import KeyedArchives
import Synchronization

struct Classes: Command {
  static let name = "classes"
  static let description = CommandDescription(
    name: name,
    abstract: "list the classes of the objects in archives",
    operands: .files,
    options: [.classFormat, .allow, .recover, .skip, .json5]
      + OptionDescription.inputKinds + OptionDescription.recordStream
      + OptionDescription.batch,
    commonOptions: OptionDescription.common + [.noPager],
    rules: OptionRule.readRecords(as: .classFormat),
    discussion: """
      The list has every class of which an archive stores objects, archives in data values included,
      for all files together: the number of objects and of files, the first of these, the superclasses,
      and whether it is a class of Apple's frameworks or of an application. With the format ndjson
      each file has a line with its classes; find --class NAME lists the objects. The name of a private or local Swift
      type is unstable, since another build may give it another name. Secure coding is noted for the
      classes that Apple's secure unarchiving allows at the top, and for their mutable forms.

      With the format allow-list the stored names are printed, one per line, as --allow and validate
      --allow-classes read them. With --allow a class that is not in LIST is an error.

      With --records each line is a record, as for dump; its answer has the classes of its archive.
      """,
    examples: [
      "archtool classes WeatherFeed Movie": "List the classes in two archives.",
      "archtool classes --format ndjson WeatherFeed Movie": "Write the classes of each archive.",
    ],
    exits: .reading, meanings: [.answerIsNo: "A class is not in LIST."])

  enum Format: String, OptionChoice {
    case text, json, ndjson
    case allowList = "allow-list"
  }

  private let session: Session
  private let allowed: Set<String>?

  init(_ session: Session) throws {
    self.session = session
    allowed = try session.arguments.value(of: .allow).map { list throws(ArchiveError) in
      try AllowedClasses.read(list)
    }
  }

  func run() throws {
    if session.arguments.has(.records) { return try answerRecords() }
    let arguments = session.arguments
    let (allowed, inventory) = (allowed, ClassInventory())
    let format = arguments.choice(of: .classFormat, as: Format.self) ?? .text
    session.isLineStream = format == .ndjson
    try session.showInputs(at: nil) { () throws(ArchiveError) in
      { (input, storage, writer) throws(ArchiveError) in
        let found = try writer.read(input, storage, arguments).storedClasses()
        // In its turn, so that no class counts of a file behind the one at which the run ends.
        writer.inOrder(file: input.name) { inventory.add(found, of: input.name) }
        if format == .ndjson {
          var line = JSONLine()
          line.add("file", input.name.shownPath)
          try line.add("classes") { (output) throws(ArchiveError) in
            try Self.tree(found).write(isCompact: true, to: &output)
          }
          let object = line.end()
          writer.write { $0.bytes.append(line: object) }
        }
        for error in Self.errors(about: found, allowed) { writer.report(error, file: input.name) }
      }
    }
    let rows = inventory.rows
    switch format {
    case .ndjson: break
    case .text:
      for line in TextTable(rows, allowed, namesFiles: !arguments.readsOneFile).lines(
        session.outputStyle)
      {
        session.output.bytes.append(line + "\n")
      }
    case .json: try JSONTree.list(rows.map(\.tree)).write(to: &session.output)
    case .allowList:
      for row in rows {
        session.output.append(escapedLine: row.stored.name.stored)
      }
    }
  }
}

extension Classes {
  private static func errors(about found: [StoredClass], _ allowed: Set<String>?) -> [ArchiveError]
  {
    guard let allowed else { return [] }
    return found.filter { !$0.isAllowed(by: allowed) }.map { unknown in
      let count = Counted.text(unknown.count, "object")
      return ArchiveError(
        .mismatch, "the class \(unknown.name) of \(count) is not among the allowed ones")
    }
  }

  private static func tree(_ found: [StoredClass]) -> JSONTree {
    let inventory = ClassInventory()
    inventory.add(found, of: "")
    return .list(inventory.rows.map(\.tree))
  }

  private func answerRecords() throws {
    let (arguments, allowed) = (session.arguments, allowed)
    try session.answerRecords(reading: ["classes"]) {
      let reader = arguments.reader(recovering: arguments.has(.recover))
      return { (storage, content) throws(ArchiveError) in
        let found = try content.read(storage, reader).storedClasses()
        content.members.add("classes", Self.tree(found))
        content.errors += Self.errors(about: found, allowed)
      }
    }
  }
}

final class ClassInventory: Sendable {
  /// A class, its objects and the files that have some.
  struct Row: Sendable {
    var stored: StoredClass
    var count: Int
    var files: Int
    /// The first of them.
    let first: String
  }

  private struct Key: Hashable {
    let name: CodePointString
    let chain: [CodePointString]
  }

  private let table = Mutex<[Key: Row]>([:])

  func add(_ classes: [StoredClass], of file: String) {
    table.withLock { table in
      for stored in classes {
        let key = Key(
          name: CodePointString(stored.name.stored), chain: stored.chain.map(CodePointString.init))
        table[key, default: Row(stored: stored, count: 0, files: 0, first: file)].count +=
          stored.count
        table[key]?.files += 1
      }
    }
  }

  /// The rows: applications' classes first, then by name.
  var rows: [Row] {
    table.withLock { table in
      table.sorted { left, right in
        let (a, b) = (left.value.stored.isFramework, right.value.stored.isFramework)
        if a != b { return !a }
        if left.key.name != right.key.name { return left.key.name < right.key.name }
        return left.key.chain.lexicographicallyPrecedes(right.key.chain)
      }.map(\.value)
    }
  }
}

extension ClassInventory.Row {
  /// What is known of the class, in words.
  fileprivate var remarks: [String] {
    var remarks = [stored.isFramework ? "framework" : "application"]
    if stored.isUnstable { remarks.append("unstable name") }
    if let replacement = stored.replacement { remarks.append("deprecated, use \(replacement)") }
    if stored.adoptsSecureCoding { remarks.append("secure coding") }
    return remarks
  }

  fileprivate var tree: JSONTree {
    var members: [(String, JSONTree)] = [
      ("class", .string(stored.name.display)), ("storedName", .string(stored.name.stored)),
      ("chain", .list(stored.chain.map { .string($0) })), ("objects", .integer(count)),
      ("files", .integer(files)), ("framework", .boolean(stored.isFramework)),
      ("unstableName", .boolean(stored.isUnstable)),
      ("secureCoding", .boolean(stored.adoptsSecureCoding)),
    ]
    if let replacement = stored.replacement {
      members.append(("deprecatedBy", .string(replacement)))
    }
    return .members(members)
  }
}

extension TextTable {
  /// The rows for people.
  ///
  /// - Parameters:
  ///   - allowed: the classes that are allowed; nil for all.
  ///   - namesFiles: whether the first file with a class is named.
  fileprivate init(_ rows: [ClassInventory.Row], _ allowed: Set<String>?, namesFiles: Bool) {
    let columns: [(heading: String, alignment: Alignment)] = [
      ("CLASS", .left), ("OBJECTS", .right), ("FILES", .right), ("SUPERCLASSES", .left),
      ("REMARKS", .left), ("FIRST IN", .left),
    ]
    self.init(namesFiles ? columns : columns.dropLast())
    for row in rows {
      let cells = [
        row.stored.name.display, "\(row.count)", "\(row.files)",
        row.stored.chain.dropFirst().joined(separator: " "), row.remarks.joined(separator: ", "),
        row.first.shellWord,
      ]
      append(
        namesFiles ? cells : cells.dropLast(),
        isBad: allowed.map { !row.stored.isAllowed(by: $0) } ?? false)
    }
  }
}

extension OptionDescription {
  static let classFormat = choice(
    "format", valueName: "FORMAT", of: Classes.Format.allCases.map { $0.rawValue },
    help: "Write the classes as FORMAT.")

  static let allow = text(
    "allow", valueName: "LIST",
    help: "Exit with 1 if a class is not in LIST. LIST is a file with a name or pattern per line.")
}
