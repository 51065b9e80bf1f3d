// Maps the command line to a command, and the command's result to the exit status.

import ArchiveBasics
import CommandLineInterface

/// The program.
package enum Archtool {
  /// Runs the command of a command line.
  package static func run(
    _ arguments: [String], _ streams: StandardStreams = StandardStreams()
  ) -> ExitStatus {
    // A limit on the size of files is an error of the affected file, not the end of the program.
    _ = signal(SIGXFSZ, SIG_IGN)
    do {
      let isPiped = streams.isInputPiped
      switch try ArgumentParser(table: Commands.table, readsPipe: isPiped).parse(arguments) {
      case .showVersion: return show("archtool \(Version.number)\n", streams)
      case .showHelp(let command, let detail):
        return show(help(on: streams.output).render(command, detail), streams)
      case .showGroupHelp(let group):
        return show(help(on: streams.output).render(group: group), streams)
      case .showManual(let name): return try showManual(name ?? ManualPages.names[0], streams)
      case .missingCommand:
        streams.write(error: help(on: streams.error).render(nil, .brief))
        return .usage
      case .run(let parsed):
        PagePrefaulter.prepare()
        return try run(parsed, streams)
      }
    } catch let error as UsageError {
      let line = error.line(program: Commands.table.program).escapedLine
      let style = TerminalStyle(.auto, descriptor: streams.error)
      streams.write(error: style.marking(line) + "\n")
      return .usage
    } catch {
      streams.write(error: "archtool: error: \(error)\n")
      return .undecodable
    }
  }

  private static func showManual(
    _ name: String, _ streams: StandardStreams
  ) throws(UsageError) -> ExitStatus {
    guard let page = ManualPages.render(name) else {
      let names = ManualPages.names.joined(separator: ", ")
      throw UsageError("there is no manual page '\(name)'; there are \(names)")
    }
    return show(page, streams)
  }

  private static func run(
    _ parsed: ParsedArguments, _ streams: StandardStreams
  ) throws -> ExitStatus {
    let session = Session(parsed, streams)
    session.watchOutput()
    defer { session.pager?.finish() }
    do {
      return try run(parsed, session)
    } catch let error as UsageError {
      guard let hint = parsed.swappedHint else { throw error }
      throw UsageError(error.message + hint)
    } catch let error as ArchiveError {
      // An error in what a command needs before it reads its inputs, such as a schema.
      return session.fail(error)
    }
  }

  private static func run(_ parsed: ParsedArguments, _ session: Session) throws -> ExitStatus {
    guard let command = Commands.type(named: parsed.command.name) else {
      throw UsageError("'\(parsed.command.name)' cannot be run")
    }
    if parsed.has(.resume) || parsed.has(.applyPlan) { return try ResumeCommand(session).run() }
    try command.init(session).run()
    return session.finish()
  }

  /// Help text with the width of a stream's terminal.
  private static func help(on descriptor: Int32) -> HelpText {
    HelpText(
      table: Commands.table, style: TerminalStyle(.auto, descriptor: descriptor),
      width: TerminalWidth.columns(of: descriptor))
  }

  private static func show(_ text: String, _ streams: StandardStreams) -> ExitStatus {
    var output = OutputBuffer(descriptor: streams.output)
    let pager = Pager(streams)
    defer { pager?.finish() }
    output.willWrite = { pager?.willWrite($0) }
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
