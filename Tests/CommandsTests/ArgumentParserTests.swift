// Command lines and their meanings.

import CommandLineInterface
import Testing

@testable import ArchtoolCommands

struct ArgumentParserTests {
  /// What the parser makes of a line, in a form that tables can hold.
  static func summary(_ invocation: Invocation) -> String {
    switch invocation {
    case .showHelp(let command, let detail):
      return (detail == .brief ? "brief help " : "help ") + (command?.name ?? "archtool")
    case .showGroupHelp(let group): return "help \(group)"
    case .showManual: return "manual"
    case .showVersion: return "version"
    case .missingCommand: return "nothing"
    case .run(let parsed):
      let options = parsed.command.allOptions.filter(parsed.has).map { option in
        option.needsValue ? "\(option.name)=\(parsed.values(of: option))" : option.name
      }
      return ([parsed.command.name] + options + ["\(parsed.operands)"]).joined(separator: " ")
    }
  }

  static let understood: [(line: [String], meaning: String)] = [
    ([], "nothing"),
    (["--"], "nothing"),
    (["--help"], "help archtool"),
    (["-h"], "brief help archtool"),
    (["help"], "help archtool"),
    (["--version"], "version"),
    (["help", "dump"], "help dump"),
    (["dump", "--help"], "help dump"),
    (["dump", "-h"], "brief help dump"),
    (["dump", "-rh", "--nonsense"], "brief help dump"),
    (["help", "--help"], "help help"),
    (["help", "help"], "help help"),
    (["help", "--manual"], "manual"),
    (["help", "schema"], "help schema"),
    (["schema", "--help"], "help schema"),
    (["help", "schema", "check"], "help schema check"),
    (["schema", "check", "-h"], "brief help schema check"),
    (["schema", "check", "a"], #"schema check ["a"]"#),
    (
      ["schema", "infer", "--family=A", "--version", "v1", "a"],
      #"schema infer family=["A"] version=["v1"] ["a"]"#
    ),
    (["dump", "a"], #"dump ["a"]"#),
    (["--", "dump", "a"], #"dump ["a"]"#),
    (["dump", "-"], #"dump ["-"]"#),
    (["dump", "a", "-r", "b"], #"dump recursive ["a", "b"]"#),
    (["dump", "-rq", "a"], #"dump recursive quiet ["a"]"#),
    (["dump", "-r", "-r", "a"], #"dump recursive ["a"]"#),
    (["dump", "a", "--", "-r", "--", "--format"], #"dump ["a", "-r", "--", "--format"]"#),
    (["dump", "--format", "json", "a"], #"dump format=["json"] ["a"]"#),
    (["dump", "--format=json", "a"], #"dump format=["json"] ["a"]"#),
    (["dump", "-o", "out", "a"], #"dump output=["out"] ["a"]"#),
    (["dump", "-oout", "a"], #"dump output=["out"] ["a"]"#),
    (["dump", "-rqoout", "a"], #"dump output=["out"] recursive quiet ["a"]"#),
    (["dump", "-rqo", "out", "a"], #"dump output=["out"] recursive quiet ["a"]"#),
    (["dump", "-o=out", "a"], #"dump output=["=out"] ["a"]"#),
    (["dump", "--output=a=b", "a"], #"dump output=["a=b"] ["a"]"#),
    (["dump", "--output", "--", "a"], #"dump output=["--"] ["a"]"#),
    (["dump", "--output", "-", "a"], #"dump output=["-"] ["a"]"#),
    (["dump", "--depth", "0", "a"], #"dump depth=["0"] ["a"]"#),
    (["dump", "--typed", "--format", "json", "a"], #"dump format=["json"] typed ["a"]"#),
    (["info", "Ärger\n", ""], #"info ["Ärger\n", ""]"#),
    (
      ["migrate", "--from", "v1", "--to", "v2", "-n", "--in-place", "-r", "a"],
      #"migrate from=["v1"] to=["v2"] in-place dry-run recursive ["a"]"#
    ),
    (
      ["migrate", "--from=v1", "--to=v2", "--output-dir=d", "-f", "a", "b"],
      #"migrate from=["v1"] to=["v2"] output-dir=["d"] force ["a", "b"]"#
    ),
    (
      ["create", "--schema", "WeatherFeed@v2", "top.json", "-o", "WeatherFeed"],
      #"create schema=["WeatherFeed@v2"] output=["WeatherFeed"] ["top.json"]"#
    ),
  ]

  @Test(arguments: understood)
  func understands(line: [String], meaning: String) throws {
    #expect(Self.summary(try ArgumentParser(table: Commands.table).parse(line)) == meaning)
  }

  @Test(arguments: refused)
  func refuses(line: [String], message: String) throws {
    let error = #expect(throws: UsageError.self) {
      try ArgumentParser(table: Commands.table).parse(line)
    }
    #expect(error?.message == message)
    #expect(error?.line(program: "archtool") == "archtool: error: \(message)")
  }
}
