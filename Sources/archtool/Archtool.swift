// From the command line to a command, and from what came of it to the exit status.

import CommandLineInterface

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The program.
enum Archtool {
  /// Does what a command line asks for.
  static func run(_ arguments: [String]) -> ExitStatus {
    do {
      switch try ArgumentParser().parse(arguments) {
      case .showVersion: show("archtool \(Version.number)\n")
      case .showHelp(let command): show(HelpText().render(command))
      case .showManual: show(ManualPage().render())
      case .missingCommand:
        writeToStandardError(HelpText().render())
        return .usage
      case .run(let parsed): return try run(parsed)
      }
      return .done
    } catch let error as UsageError {
      writeToStandardError(error.line + "\n")
      return error.status
    } catch {
      writeToStandardError("archtool: error: \(error)\n")
      return .undecodable
    }
  }

  private static func run(_ parsed: ParsedArguments) throws -> ExitStatus {
    let session = Session(parsed)
    switch parsed.command.name {
    case "dump": try Dump(session).run()
    case "info": try Info(session).run()
    case "validate": try Validate(session).run()
    case "convert": try Convert(session).run()
    case "migrate": try Migrate(session).run()
    case "create": try Create(session).run()
    default: throw UsageError("'\(parsed.command.name)' cannot be run")
    }
    return session.finish()
  }

  private static func show(_ text: String) {
    print(text, terminator: "")
  }
}

/// Ends the program.
func exit(with status: ExitStatus) -> Never { exit(status.rawValue) }
