// When output is styled, and how.

import Testing

@testable import ArchiveBasics
@testable import ArchtoolCommands
@testable import CommandLineInterface

struct TerminalStyleTests {
  static let cases:
    [(choice: TerminalStyle.Choice, terminal: Bool, environment: [String: String], isOn: Bool)] = [
      (.auto, true, [:], true),
      (.auto, true, ["TERM": "xterm-256color"], true),
      (.auto, true, ["NO_COLOR": ""], true),
      (.auto, true, ["NO_COLOR": "1"], false),
      (.auto, true, ["NO_COLOR": "0"], false),
      (.auto, true, ["TERM": "dumb"], false),
      (.auto, false, ["TERM": "xterm"], false),
      (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true),
      (.never, true, ["TERM": "xterm"], false),
    ]

  @Test(arguments: cases)
  func decides(
    choice: TerminalStyle.Choice, terminal: Bool, environment: [String: String], isOn: Bool
  ) {
    let style = TerminalStyle(choice, isTerminal: terminal) { environment[$0] }
    #expect(style.isOn == isOn)
  }

  @Test func leavesTextAloneWhenOff() {
    let style = TerminalStyle.plain
    let styles = [style.bold, style.red, style.green, style.yellow, style.cyan]
    for styled in styles { #expect(styled("text") == "text") }
  }

  @Test func resetsAfterEachText() {
    let style = TerminalStyle(isOn: true)
    let styles = [style.bold, style.red, style.green, style.yellow, style.cyan]
    #expect(Set(styles.map { $0("text") }).count == styles.count)
    for styled in styles {
      #expect(styled("text").hasPrefix("\u{1B}["))
      #expect(styled("text").hasSuffix("mtext\u{1B}[0m"))
      #expect(styled("") == "")
    }
  }

  /// Only the word for what a message is has a color.
  @Test(arguments: [
    ("f@92: error: bad", "f@92: \u{1B}[31merror:\u{1B}[0m bad"),
    ("f:3:7: warning: error: odd", "f:3:7: \u{1B}[33mwarning:\u{1B}[0m error: odd"),
    ("archtool: error: no", "archtool: \u{1B}[31merror:\u{1B}[0m no"),
    ("f: 3 more violations are not shown", "f: 3 more violations are not shown"),
    ("error: x", "\u{1B}[31merror:\u{1B}[0m x"), ("", ""), ("errors: 5", "errors: 5"),
  ]) func marksTheWordOfAMessage(line: String, marked: String) {
    #expect(TerminalStyle(isOn: true).marking(line) == marked)
    #expect(TerminalStyle.plain.marking(line) == line)
  }

  @Test func takesTheValuesOfTheOption() {
    #expect(OptionDescription.color.allowedValues == TerminalStyle.Choice.allCases.map(\.rawValue))
  }
}
