// Records: archives in lines, answered in lines of JSON, by every command that reads or rewrites archives.

import ArchiveBasics
import ArchiveBatches
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import CommandLineInterface
import KeyedArchives

extension OptionDescription {
  static let records = attached(
    "records", valueName: "CODE", of: RecordFormat.words,
    help: """
      Process records, one per line. Each is a JSON object with an archive in Base64 as its member \
      'data', and gets a line as its answer. With base64 or hex as CODE archives are in that, and \
      a line may be an archive alone. An answer with an error has no archive.
      """)

  static let dataKey = text(
    "data-key", valueName: "NAME", completedFrom: .nothing,
    help: "Read archives from the member NAME of records. The default is data.")

  static let recordStream: [OptionDescription] = [.records, .dataKey]
}

extension OptionRule {
  /// The rules for records.
  ///
  /// - Parameter others: options that say nothing of records.
  static func records(without others: [OptionDescription]) -> [OptionRule] {
    [.namesInputs(.records), .needs(.dataKey, anyOf: [.records])]
      + exclusive([.records], with: others)
  }

  /// The rules for records whose archives are read.
  ///
  /// - Parameters:
  ///   - format: the option with the format of results, which is JSON for records.
  ///   - others: further options that say nothing of records.
  static func readRecords(
    as format: OptionDescription, without others: [OptionDescription] = []
  ) -> [OptionRule] {
    let files = [.failFast, .report, .noProgress] + OptionDescription.inputKinds
    let lines = format.allowedValues.filter { $0 == "ndjson" }
    return [.implies(.records, format, value: "json", or: lines)]
      + records(without: OptionDescription.selection + others + files)
  }
}

extension RecordFormat {
  /// The values of `--records`; the first is the one without a value.
  static let words = ["json"] + Encoding.allCases.map(\.rawValue)

  /// The member with the archive in a file of records that was taken for an archive; nil for other files.
  static func key(ofRecordsIn storage: ByteStorage) -> String? {
    strings(inFirstLineOf: storage).first { Formats.all.detect($0.data.bytes).encoding != nil }?
      .name
  }

  /// The digits of a file whose lines are archives of their own: its first two begin alike; nil for other files.
  static func encoding(ofLinesIn storage: ByteStorage) -> Encoding? {
    Encoding.allCases.first { encoding in
      let archives = data(inFirstLinesOf: storage, encoding)
      // An array is released after its last use, before what its elements own is read.
      return withExtendedLifetime(archives) {
        archives.count == 2 && Formats.all.detect(archives[0].bytes).encoding != nil
          && archives[0].bytes.prefix(6).elementsEqual(archives[1].bytes.prefix(6))
      }
    }
  }

  /// The format that a command line says.
  ///
  /// - Parameter names: the names of members that only these answers have; nil if archives are validated or rewritten.
  init(_ arguments: ParsedArguments, reading names: Set<String>? = nil) throws(UsageError) {
    self.init()
    if let word = arguments.value(of: .records), word != Self.words[0] {
      guard let encoding = Encoding(rawValue: word) else {
        let list = Self.words.joined(separator: ", ")
        throw UsageError("option '--records' cannot be \(quoted(word)), only \(list)")
      }
      self.encoding = encoding
      allowsBareLines = true
    }
    if let names { answerNames = Self.readingNames.union(names) }
    guard let key = arguments.value(of: .dataKey) else { return }
    if ["id", "lost"].contains(key) || names == nil && answerNames.contains(key) {
      throw UsageError("'--data-key' cannot be \(quoted(key)), which answers have for themselves")
    }
    self.key = key
  }
}

// MARK: - Answers to the records of a command line

extension Session {
  /// Answers records; an invalid one sets the exit status for "no".
  ///
  /// - Parameters:
  ///   - format: how records are written.
  ///   - files: the files with records; none for standard input.
  ///   - needsResult: whether the exit status is that for "no" if no answer has a result.
  ///   - makeHandling: makes the handler, once for each worker and on its thread.
  /// - Throws: `UsageError` for an invalid `--jobs`, or `ArchiveError` if the handler cannot be made.
  func answerRecords(
    _ format: RecordFormat, files: [String]? = nil, needsResult: Bool = false,
    _ makeHandling: @escaping @Sendable () throws(ArchiveError) -> any RecordHandling
  ) throws {
    Interruption.listen()
    let workers = try arguments.integer(of: .jobs) ?? ProcessorCount.available
    let files = files ?? Array(arguments.inputs)
    let inputs = files.isEmpty ? ["-"] : files
    func run(_ descriptor: Int32, _ painter: JSONPainter?) throws(ArchiveError) {
      let stream = RecordStream(
        workers: workers, format: format,
        sources: inputs.map { $0 == "-" ? .descriptor(streams.input) : .file($0) },
        output: descriptor, painter: painter, wakers: Interruption.descriptors,
        isStopped: { Interruption.signal != nil })
      let result = try stream.run(makeHandling, unread: { report($0, file: $1) })
      if result.badCount > 0 || needsResult && result.resultCount == 0 { merge(.answerIsNo) }
      reportInterruption(after: Counted.text(result.count, "record"))
      if result.badCount > 0, descriptor != streams.output {
        let counts = [result.badCount, result.count].map(Counted.number)
        printNote("\(counts[0]) of \(counts[1]) records failed; their answers have the reasons")
      }
    }
    var name = "<stdin>"
    do throws(ArchiveError) {
      switch OutputDestination(of: arguments) {
      case .standardOutput: try run(streams.output, outputStyle.isOn ? JSONPainter() : nil)
      case .file(let path, let replacing):
        name = path
        for input in inputs { streams.sources.add(Input(operand: input).permissions(streams)) }
        try AtomicFile.write(
          to: path, existing: replacing ? .replace : .refuse, allowing: streams.sources.bound
        ) { (output) throws(ArchiveError) in
          try run(output.descriptor ?? streams.output, nil)
          if isInterrupted {
            throw ArchiveError(.cannotCreate, "not written, since not all records were answered")
          }
        }
      }
    } catch {
      report(error, file: name)
    }
  }

  /// Answers records by reading their archives.
  ///
  /// - Parameters:
  ///   - names: the names of the members that answers have.
  ///   - files: the files with records; none for standard input.
  ///   - needsResult: whether the exit status is that for "no" if nothing is found in any record.
  ///   - makeReading: makes what reads an archive, once for each worker and on its thread.
  /// - Throws: `UsageError` for an invalid option, or `ArchiveError` if no archive can be read.
  func answerRecords(
    reading names: Set<String>, files: [String]? = nil, needsResult: Bool = false,
    _ makeReading: @escaping @Sendable () throws(ArchiveError) -> ReadingRecords.Reading
  ) throws {
    let format = try RecordFormat(arguments, reading: names)
    try answerRecords(format, files: files, needsResult: needsResult) { () throws(ArchiveError) in
      ReadingRecords(read: try makeReading())
    }
  }
}

/// Answers records with what is read in their archives.
struct ReadingRecords: RecordHandling {
  /// Reads an archive, and adds what is found to the answer.
  typealias Reading = (ByteStorage, inout RecordContent) throws(ArchiveError) -> Void

  let read: Reading

  mutating func answer(_ record: Record) -> RecordAnswer {
    var content = RecordContent()
    do throws(ArchiveError) {
      try read(record.data, &content)
    } catch {
      content.errors.append(error)
    }
    return content.answer()
  }
}

struct RecordContent: ~Copyable {
  /// How many errors and warnings an answer lists.
  private static let mostProblems = 10

  var errors: [ArchiveError] = []
  var warnings: [ArchiveError] = []
  /// Whether the record is one for the exit status "no", although nothing is wrong with it.
  var isMissing = false
  private(set) var resultCount = 0
  var members = JSONLine(isPart: true)

  /// Reads the archive; its warnings, and its losses under `--recover`, become those of the answer.
  mutating func read(
    _ storage: ByteStorage, _ reader: ArchiveReader
  ) throws(ArchiveError) -> ObjectGraph {
    let graph = try reader.read(storage)
    add(graph)
    return graph
  }

  /// Adds the warnings and losses of an archive.
  mutating func add(_ graph: ObjectGraph) {
    warnings += graph.warnings
    errors += graph.losses
  }

  /// Adds the results of a search.
  ///
  /// - Parameter next: the next value that is found, with its path.
  mutating func add(
    _ name: String, in graph: ObjectGraph, form: TypedForm? = nil,
    _ next: () throws(ArchiveError) -> (node: Node, path: GraphPath)?
  ) throws(ArchiveError) {
    var count = 0
    try members.add(name) { (output) throws(ArchiveError) in
      output.bytes.append(contentsOf: "[")
      while let found = try next() {
        if count > 0 { output.bytes.append(contentsOf: ", ") }
        count += 1
        let result = try JSONLine.result(
          found.node, at: found.path, in: graph, file: nil, form: form)
        result.withByteView { output.bytes.append($0) }
      }
      output.bytes.append(contentsOf: "]\n")
    }
    resultCount += count
  }

  /// Counts the results of a search that are not shown.
  ///
  /// - Parameter next: whether something more is found.
  mutating func count(
    most: Int = .max, _ next: () throws(ArchiveError) -> Bool
  ) throws(ArchiveError) -> Int {
    var count = 0
    while count < most, try next() { count += 1 }
    resultCount += count
    return count
  }

  consuming func answer() -> RecordAnswer {
    var answer = RecordAnswer(
      errors.isEmpty ? "shown" : "failed", isGood: errors.isEmpty && !isMissing)
    if let error = errors.first { answer.members.append(("error", error.tree)) }
    if errors.count > 1 { answer.members.append(("errors", Self.list(errors))) }
    if !warnings.isEmpty { answer.members.append(("warnings", Self.list(warnings))) }
    answer.resultCount = resultCount
    answer.content = members.intoStorage()
    return answer
  }

  private static func list(_ problems: [ArchiveError]) -> JSONTree {
    .list(problems.prefix(mostProblems).map(\.tree))
  }
}
