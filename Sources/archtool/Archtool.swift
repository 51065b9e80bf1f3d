// From the command line to a command, and from what came of it to the exit status.

import Basics
import CommandLineInterface
import FileTransactions

/// The program.
enum Archtool {
  /// Does what a command line asks for.
  static func run(
    _ arguments: [String], _ streams: StandardStreams = StandardStreams()
  ) -> ExitStatus {
    // A limit on the size of files is an error of the file that meets it, not the end of the program.
    _ = signal(SIGXFSZ, SIG_IGN)
    do {
      switch try ArgumentParser().parse(arguments) {
      case .showVersion: return show("archtool \(Version.number)\n", streams)
      case .showHelp(let command): return show(HelpText().render(command), streams)
      case .showGroupHelp(let group): return show(HelpText().render(group: group), streams)
      case .showManual: return show(ManualPage().render(), streams)
      case .missingCommand:
        streams.write(error: HelpText().render())
        return .usage
      case .run(let parsed): return try run(parsed, streams)
      }
    } catch let error as UsageError {
      streams.write(error: error.line.escapedLine + "\n")
      return error.status
    } catch {
      streams.write(error: "archtool: error: \(error)\n")
      return .undecodable
    }
  }

  private static func run(
    _ parsed: ParsedArguments, _ streams: StandardStreams
  ) throws -> ExitStatus {
    let session = Session(parsed, streams)
    do {
      return try run(parsed, session)
    } catch let error as ArchiveError {
      // What a command needs before it looks at its inputs, such as a schema.
      return session.fail(error)
    }
  }

  private static func run(_ parsed: ParsedArguments, _ session: Session) throws -> ExitStatus {
    switch parsed.command.name {
    case "dump": try Dump(session).run()
    case "info": try Info(session).run()
    case "validate": try Validate(session).run()
    case "convert", "migrate", "rename-class":
      if parsed.has(.resume) || parsed.has(.applyPlan) { return try Continuation(session).run() }
      try rewrite(session, RewriteContinuation())
    case "extract": try Extract(session).run()
    case "insert": try Insert(session).run()
    case "merge": try Merge(session).run()
    case "create": try Create(session).run()
    case "undo": try Undo(session).run()
    case "journal show": try JournalShow(session).run()
    case "schema list": try SchemaList(session).run()
    case "schema show": try SchemaShow(session).run()
    case "schema check": try SchemaCheck(session).run()
    case "schema infer": try SchemaInfer(session).run()
    case "schema diff": try SchemaDiff(session).run()
    case "schema swift": try SchemaSwift(session).run()
    default: throw UsageError("'\(parsed.command.name)' cannot be run")
    }
    return session.finish()
  }

  /// Runs a command that rewrites archives.
  static func rewrite(_ session: Session, _ continuation: RewriteContinuation) throws {
    switch session.arguments.command {
    case .convert: try Convert(session, continuation).run()
    case .migrate: try Migrate(session, continuation).run()
    default: try RenameClass(session, continuation).run()
    }
  }

  private static func show(_ text: String, _ streams: StandardStreams) -> ExitStatus {
    var output = OutputBuffer(descriptor: streams.output)
    output.bytes.append(text)
    do throws(ArchiveError) {
      try output.finish()
      return .done
    } catch {
      streams.write(error: error.line(file: "<stdout>").escapedLine + "\n")
      return ExitStatus(error.code)
    }
  }
}

/// Ends the program.
func exit(with status: ExitStatus) -> Never { exit(status.rawValue) }
