// One run of a command: its output, its messages, and its exit status.

import ArchiveBasics
import ArchiveBatches
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import CommandLineInterface
import KeyedArchives

final class Session {
  let arguments: ParsedArguments
  let streams: StandardStreams
  /// Standard output: data only.
  var output: OutputBuffer
  /// The exit status so far: the worst of all inputs.
  private(set) var status = ExitStatus.done
  /// The journal or plan that a run continues.
  var origin = RunOrigin()
  /// Whether a signal ended the run before all inputs were processed.
  private(set) var isInterrupted = false
  /// Whether the output is a stream of lines of JSON about inputs.
  var isLineStream = false
  /// Whether any output for an input was already shown.
  var hasShownInput = false
  /// The list that the command writes after all inputs were processed.
  var elements: [JSONTree] = []
  var resultCount = 0
  /// How many differences of each kind all pairs of files have.
  var differences: [Difference.Kind: Int] = [:]
  /// How many inputs were not archives of any kind.
  private var foreignCount = 0
  let errorStyle: TerminalStyle
  /// How data is styled that is shown to people.
  lazy var outputStyle = TerminalStyle(arguments.colorChoice, isTerminal: streams.isOutputTerminal)
  lazy var textLocator = TextLocator()
  var pager: Pager?
  /// The progress display on standard error between messages.
  var progress: ProgressDisplay?

  /// Colors what comes next on standard output as JSON or not, if output is colored.
  func paintJSON(_ isJSON: Bool) {
    guard isJSON != (output.painter != nil), outputStyle.isOn else { return }
    output.flush()
    output.painter = isJSON ? JSONPainter() : nil
  }

  /// The working folder, with links resolved; nil if it no longer exists.
  ///
  /// It can be set to that of another session, so that paths are shown relative to that folder.
  lazy var workingFolder = FolderListing.resolved(".")

  init(
    _ arguments: ParsedArguments, _ streams: StandardStreams = StandardStreams(),
    limits: Limits = Limits()
  ) {
    self.arguments = arguments
    self.streams = streams
    output = OutputBuffer(descriptor: streams.output, limit: limits.outputBytes)
    errorStyle = TerminalStyle(arguments.colorChoice, descriptor: streams.error)
  }

  var isQuiet: Bool { arguments.has(.quiet) }

  // MARK: Messages

  /// Reports an error of an input, which affects the exit status.
  func report(_ error: ArchiveError, file: String) {
    let isOperand = error.code == .cannotOpen && error.file == nil
    let error = error.noting(isOperand ? arguments.swappedHint ?? "" : "")
    printProblem(located(error, file: file).line(file: file))
    merge(ExitStatus(error))
    if error.code == .unrecognized, error.path == nil { foreignCount += 1 }
  }

  /// Reports an error that ends the run: unwritten output is discarded.
  func fail(_ error: ArchiveError) -> ExitStatus {
    let line = located(error, file: "").line(file: "archtool").escapedLine
    streams.write(error: errorStyle.marking(line) + "\n")
    return .worst(status, ExitStatus(error))
  }

  /// Reports that an input, or an archive in it, cannot be read.
  ///
  /// In a stream of lines of JSON it has a line in its turn: `{"file": …, "error": …}`.
  func reportUnread(_ error: ArchiveError, file: String) {
    report(error, file: file)
    guard isLineStream else { return }
    let members: [(String, JSONTree)] = [("file", .string(file.shownPath)), ("error", error.tree)]
    output.bytes.append(JSONTree.members(members).compactText + "\n")
  }

  /// Reports a warning about an input that could be read.
  func warn(_ warning: ArchiveError, file: String) {
    printProblem(located(warning, file: file).line(file: file, severity: .warning))
  }

  /// Writes a fact about an input, unless notes are suppressed.
  func note(_ fact: ArchiveError, file: String) {
    if !isQuiet { printProblem(located(fact, file: file).line(file: file, severity: .note)) }
  }

  /// Writes a line about an error or a warning, even if notes are suppressed.
  func printProblem(_ line: String) { write(errorStyle.marking(line.escapedLine)) }

  /// Warns about a file of archtool's own that remains.
  func warnOfLeft(_ path: String) {
    printProblem(
      "\(shortened(path)): warning: archtool made this file and cannot remove it; a later run, --resume or undo tries again"
    )
  }

  /// Writes a line about a completed action, unless notes are suppressed.
  func printNote(_ line: String) {
    if !isQuiet { write(line.escapedLine) }
  }

  /// Writes a requested line to the messages.
  func show(_ line: String) { write(line.escapedLine) }

  /// An absolute path in the form that the user used: relative if it is below the working folder.
  func shortened(_ path: String) -> String {
    guard let folder = workingFolder, path.hasPrefix(folder + "/") else { return path }
    return String(path.dropFirst(folder.count + 1))
  }

  func merge(_ status: ExitStatus) { self.status = .worst(self.status, status) }

  private func write(_ line: String) {
    progress?.erase()
    // Earlier output on standard output must precede the message.
    output.flush()
    streams.write(error: line + "\n")
  }

  // MARK: Inputs

  /// Reports that there were no inputs: a pattern with a typo must not look like a clean result.
  func reportNoInputs() {
    if arguments.has(.allowEmpty) { return }
    guard arguments.command.offers(.allowEmpty) else {
      return printProblem("archtool: warning: no files matched")
    }
    report(
      ArchiveError(.cannotOpen, "no files matched (--allow-empty accepts that)"), file: "archtool")
  }

  /// Ends the run: writes the remaining output.
  ///
  /// - Returns: the status to exit with.
  func finish() -> ExitStatus {
    if foreignCount > 1 {
      printNote(
        "archtool: \(Counted.text(foreignCount, "file")) are neither property lists nor archives")
    }
    do throws(ArchiveError) {
      try output.finish()
    } catch {
      report(error, file: "<stdout>")
    }
    return status
  }
}

// MARK: - How a command's options determine the reading of inputs

extension ParsedArguments {
  /// A reader for the inputs.
  ///
  /// - Parameters:
  ///   - recovering: whether damaged inputs are read as far as possible.
  ///   - threads: how many threads one input may have.
  ///   - warnsOfEqualKeys: whether keys of stored dictionaries are compared by their characters.
  func reader(
    recovering: Bool = false, threads: Int = 1, warnsOfEqualKeys: Bool = false,
    forEditing: Bool = false
  ) -> ArchiveReader {
    ArchiveReader(
      limits: Limits(threads: threads), recovering: recovering, allowsJSON5: has(.json5),
      warnsOfEqualKeys: warnsOfEqualKeys, forEditing: forEditing, skipping: skipped)
  }

  /// Whether the result is JSON: its format is, or the command makes nothing else.
  var printsJSON: Bool {
    switch command.name {
    case SchemaShow.name, SchemaInfer.name, SchemaLens.name: true
    // With --at the result is the file around an archive that becomes JSON.
    case Convert.name: value(of: .conversionTarget) == "json" && !has(.at)
    default:
      ["json", "ndjson", "sarif", "json-patch"].contains(value(of: .reportFormat))
    }
  }

  /// How many bytes of an input are skipped; the number was checked with the command line.
  var skipped: Int { (try? integer(of: .skip)) ?? 0 }
}

extension Session {
  /// Warnings about an input that could be read, and which bytes its offsets refer to.
  ///
  /// - Parameters:
  ///   - found: findings, among which the same warnings need not be repeated.
  ///   - showsOffsets: whether results have offsets.
  static func messages(
    of graph: ObjectGraph, _ input: Input, _ storage: ByteStorage, besides found: [Diagnostic] = [],
    showsOffsets: Bool = true
  ) -> [MessageLine] {
    let warnings = graph.warnings.filter { warning in
      !found.contains { $0.offset == warning.offset && $0.message == warning.message }
    }
    var messages = warnings.map { warning in
      let located = warning.located(in: storage.bytes)
      return MessageLine.problem(located.line(file: input.name, severity: .warning))
    }
    if !warnings.isEmpty, !graph.wrappings.isEmpty,
      let encoding = RecordFormat.encoding(ofLinesIn: storage)
    {
      let error = ArchiveError(
        .unsupported,
        "each line is an archive, and only the first is read; use --records=\(encoding.rawValue)")
      messages.append(.problem(error.line(file: input.name, severity: .warning)))
    }
    let unreached = graph.losses.isEmpty ? [] : (try? UnreachableObjects.find(in: graph)) ?? []
    if !unreached.isEmpty {
      let count = Counted.text(unreached.count, "object")
      messages.append(
        .note(
          "\(input.name): nothing that is left leads to \(count); 'archtool dump --recover --unreachable \(input.name.shellWord)' shows what these hold"
        ))
    }
    // One of many files is noted only if what is said of it counts its bytes.
    if showsOffsets || input.folder == nil || !warnings.isEmpty, let note = graph.wrappingNote {
      messages.append(.note("\(input.name): \(note)"))
    }
    return messages
  }
}

extension ObjectGraph {
  /// Why a root that begins as an archive cannot be read as one, although its bytes could be shown.
  var rootError: ArchiveError? {
    contentError(of: root)?.below(path: GraphPath())
  }
}

// MARK: - Runs that a signal ends

extension Session {
  /// Reports that a signal ended the run, if one did.
  func reportInterruption(after done: String) {
    guard let signal = Interruption.signal else { return }
    isInterrupted = true
    printProblem("archtool: interrupted by signal \(signal) after \(done)")
    merge(ExitStatus(signal: signal))
  }
}

extension ParsedArguments {
  /// How many inputs are processed at a time.
  ///
  /// It is computed on demand, since counting processors takes longer than most files.
  ///
  /// - Throws: `UsageError` if the value of `--jobs` is invalid.
  var workerCount: Int {
    get throws(UsageError) {
      try integer(of: .jobs) ?? (selection.count == 1 ? 1 : ProcessorCount.available)
    }
  }
}

// MARK: - Operands in the wrong order: a file where something else belongs

extension ParsedArguments {
  /// The command line that was meant, as the end of a message; nil unless another operand than FILE is a file.
  var swappedHint: String? {
    let names = command.operands
    let words = names.words
    // A patch is a file as well.
    guard words.count > 1, !words.contains("PATCH"), let index = words.firstIndex(of: "FILE"),
      operands.count > 1
    else { return nil }
    var right = operands
    var file = ""
    if names.isRepeated {
      // Where something else than a file belongs is a file, and something else is among the files.
      let position = names.first == nil ? operands.count - 1 : 0
      guard Self.isInput(operands[position]),
        let other = operands.indices.first(where: { !Self.isInput(operands[$0]) })
      else { return nil }
      file = operands[position]
      right.insert(right.remove(at: other), at: position)
    } else {
      guard index < operands.count, !Self.isInput(operands[index]),
        let found = operands.indices.first(where: { Self.isInput(operands[$0]) })
      else { return nil }
      file = right.remove(at: found)
      right.insert(file, at: index)
    }
    let line = ([command.name] + right.map(\.shellWord)).joined(separator: " ")
    let order = index == 0 ? "first" : "after \(words[index - 1])"
    return "; \(quoted(file)) is a file, and FILE comes \(order): archtool \(line)"
  }

  /// Whether an operand may be an input: standard input, a file, a folder, or an address in one.
  private static func isInput(_ operand: String) -> Bool {
    let isThere = { FolderListing.isFile($0) || FolderListing.isFolder($0) }
    return operand == "-" || isThere(operand)
      || ["#", "//"].contains { mark in
        operand.firstOccurrence(of: mark).map { isThere(String(operand[..<$0.lowerBound])) } == true
      }
  }
}

// MARK: - Questions to the person at a terminal

extension Session {
  /// Asks a question, if a person can answer it: both standard input and standard error are terminals.
  ///
  /// - Returns: the answer without its line end and blanks, in small letters; nil without a person, and at the end of the input.
  func ask(_ question: String) -> String? {
    guard isatty(streams.input) == 1, isatty(streams.error) == 1 else { return nil }
    progress?.erase()
    progress?.inputBar = nil
    output.flush()
    streams.write(error: question.escapedLine + " ")
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while retryingInterrupts({ read(streams.input, &byte, 1) }) == 1 {
      if byte == UInt8(ascii: "\n") {
        return String(decoding: answer.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
      }
      // Nobody types a longer answer.
      if answer.count < 100 { answer.append(byte) }
    }
    return nil
  }
}
