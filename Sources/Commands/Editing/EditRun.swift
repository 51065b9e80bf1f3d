// A run of a command that edits one file: in place with a journal, to another file, or only shown.

import Basics
import Batches
import CommandLineInterface
import FileTransactions
import KeyedArchives
import Migrations
import PropertyLists
import Queries
import Schemas

/// Edits the file that the first operand names.
struct EditRun {
  private let session: Session
  private let rewriting: EditRewriting

  init(_ session: Session, _ edits: [DocumentEdit], isNumbered: Bool = false) throws {
    self.session = session
    let arguments = session.arguments
    // A schema that is not there is reported before anything is read.
    if arguments.has(.checkResult) { _ = try Validation(arguments) }
    rewriting = EditRewriting(edits, arguments, isNumbered: isNumbered)
  }

  /// Makes one edit at the path in the second operand.
  init(_ session: Session, _ edit: @autoclosure () throws -> DocumentEdit.Operation) throws {
    let (operands, command) = (session.arguments.operands, session.arguments.command.name)
    let path = try ValuePath(operand: operands[1], command: command)
    try self.init(session, [DocumentEdit(try edit(), at: path)])
  }

  func run() throws {
    let arguments = session.arguments
    if arguments.has(.dryRun) { return show() }
    if arguments.swappedHint != nil {
      // The run below has the file alone.
      return session.report(
        ArchiveError(.cannotOpen, "cannot open the file"), file: arguments.operands[0])
    }
    let command = try RunOrigin.Command(arguments)
    let inner = Session(
      arguments.with(operands: Array(arguments.operands.prefix(1))), session.streams)
    session.output.flush()
    let rewriting = rewriting
    try RewriteRun(
      session: inner, wording: .init(done: "edited", undone: "not edited", verb: "edit"),
      continuation: RunOrigin(command: command)
    ).run { rewriting }
    session.merge(inner.finish())
  }

  /// Shows what would change.
  private func show() {
    let input = Input(operand: session.arguments.operands[0])
    do throws(ArchiveError) {
      let storage = try input.open(session.streams)
      let (document, refusal) = try rewriting.edited(storage, name: input.name)
      for warning in ArchiveEditing.warnings(about: storage) {
        session.warn(warning, file: input.name)
      }
      if document.records.isEmpty { session.printNote("\(input.name): unchanged") }
      for record in document.records {
        session.output.bytes.append(record.line.escapedLine + "\n")
      }
      if case .refused(let reason, _, _)? = refusal {
        session.printError("\(input.name): error: would not be edited: \(reason)")
        session.merge(.answerIsNo)
      }
    } catch {
      session.report(error, file: input.name)
    }
  }
}

extension Session {
  /// The value in an operand, or in the file of `--from`.
  ///
  /// - Parameter position: the position of the operand.
  func editValue(at position: Int) throws -> EditValue {
    let arguments = arguments
    let text = arguments.operands.count > position ? arguments.operands[position] : nil
    if let file = arguments.value(of: .fromFile) {
      if let text {
        throw UsageError(
          "'--from' replaces VALUE; found '\(text)'", command: arguments.command.name)
      }
      return .part(try part(file))
    }
    guard let text else {
      throw UsageError(
        "missing operand VALUE for \(arguments.command.name)", command: arguments.command.name)
    }
    return .typed(try typedValue(text))
  }

  /// The archive of `--from`, which can be read; an error is one of that file, not of the one that is edited.
  private func part(_ file: String) throws -> ByteStorage {
    let storage = try open(file)
    do throws(ArchiveError) {
      _ = try ArchiveReader().read(storage)
      return storage
    } catch {
      throw error.located(in: storage.bytes).inFile(Input(operand: file).name)
    }
  }

  private func typedValue(_ text: String) throws -> TypedValue {
    let (quoted, word) = (Self.quoted(text), text.lowercased())
    /// The JSON of a text that is to be of a type; nil if it is not.
    let types: [(option: OptionDescription, name: String, json: () throws -> String?)] = [
      (.asString, "a string", { quoted }),
      (
        .asInteger, "an integer of 64 bits",
        { Int64(text) != nil || UInt64(text) != nil ? "{\"$int\":\(quoted)}" : nil }
      ),
      (
        .asReal, "a real",
        {
          if ["NaN", "Infinity", "-Infinity"].contains(text) { return "{\"$real\":\(quoted)}" }
          return Double(text).flatMap { $0.isFinite ? "{\"$real\":\($0)}" : nil }
        }
      ),
      (
        .asBoolean, "true, false, yes or no",
        { ["true": "true", "yes": "true", "false": "false", "no": "false"][word] }
      ),
      (
        .asDate, "a date such as 2019-04-06T03:50:00Z",
        { Timestamp(text: text) != nil ? "{\"$date\":\(quoted)}" : nil }
      ),
      (.asData, "Base64", { "{\"$data\":\(Self.quoted(try self.base64(text)))}" }),
    ]
    for type in types where arguments.has(type.option) {
      guard let json = try type.json() else {
        throw UsageError("'\(text)' is not \(type.name)", command: arguments.command.name)
      }
      return try TypedValue(json: json)
    }
    do throws(ArchiveError) {
      return try TypedValue(json: text)
    } catch {
      throw UsageError(
        "'\(text)' is \(Self.fault(error)); --string takes it as a string",
        command: arguments.command.name)
    }
  }

  /// What is wrong with a text that should be JSON; the reader's messages begin in one of two ways.
  private static func fault(_ error: ArchiveError) -> String {
    let start = "not JSON"
    return error.message.hasPrefix(start) ? error.message : "\(start): \(error.message)"
  }

  /// Opens a file beside the one that is edited.
  func open(_ operand: String) throws -> ByteStorage {
    if operand == "-", arguments.operands.first == "-" {
      throw UsageError(
        "standard input ('-') can be read only once", command: arguments.command.name)
    }
    do throws(ArchiveError) {
      return try Input(operand: operand).open(streams)
    } catch {
      throw ArchiveError(error.code, error.message, offset: error.offset, file: operand)
    }
  }

  private func base64(_ text: String) throws -> String {
    guard text.hasPrefix("@") else {
      var bytes = ByteBuffer()
      var again = ByteBuffer()
      Array(text.utf8).withUnsafeBytes { Base64.decode($0, to: &bytes) }
      Base64.encode(bytes.bytes, to: &again)
      guard again.bytes.elementsEqual(text.utf8) else {
        throw UsageError(
          "'\(text)' is not Base64; @FILE names a file with the bytes",
          command: arguments.command.name)
      }
      return text
    }
    let file = try open(String(text.dropFirst()))
    var encoded = ByteBuffer(capacity: file.bytes.count * 2)
    Base64.encode(file.bytes, to: &encoded)
    return String(decoding: encoded.bytes, as: UTF8.self)
  }

  /// A string in JSON.
  static func quoted(_ text: String) -> String {
    var output = ByteBuffer()
    JSONText.append(text, to: &output)
    return String(decoding: output.bytes, as: UTF8.self)
  }
}

extension CommandDescription {
  /// Describes a command that edits values.
  static func editing(
    name: String, abstract: String, operands: Operands,
    options: [OptionDescription] = OptionDescription.editing,
    rules: [OptionRule] = OptionRule.editing, discussion: String,
    examples: KeyValuePairs<String, String>
  ) -> CommandDescription {
    CommandDescription(
      name: name, abstract: abstract, operands: operands, options: options,
      commonOptions: [.color, .quiet, .help], rules: rules, discussion: discussion,
      examples: examples,
      exits: [
        Exit(.done), Exit(.answerIsNo, "The edit is refused; nothing is written."),
        Exit(.undecodable), Exit(.cannotOpen), Exit(.cannotCreate), Exit(.inputOutput),
      ])
  }
}
