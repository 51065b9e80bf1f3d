// Runs a command within the test process: with two options, and without each of them.

import CommandLineInterface
import Foundation
import TestSupport

@testable import ArchtoolCommands

/// Runs a command, each command line once.
final class PairTrial {
  private struct Outcome: Equatable {
    let status: Int32
    let output: String
    let errors: String
    let files: [String: String]

    var text: String {
      let changed = files.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return "\(status)\n\(output)\(errors)\(changed.joined(separator: "\n"))"
    }
  }

  private let scenario: PairScenario
  private let bench: PairBench
  private var known: [[String]: Outcome] = [:]
  /// Whether an option shows by itself in a context, as far as that was tried.
  private var shown: [String: [Int: Bool]] = [:]
  /// The pairs of options that are refused whatever else is given.
  private let refused: Set<Set<String>>

  init(_ scenario: PairScenario, _ bench: PairBench) {
    self.scenario = scenario
    self.bench = bench
    var refused: Set<Set<String>> = []
    let rules = Commands.table.command(named: scenario.command)?.rules ?? []
    for case .exclusive(let options) in rules + Commands.table.rules {
      for first in options { for second in options { refused.insert([first.name, second.name]) } }
    }
    self.refused = refused
  }

  /// How many command lines were run.
  var count: Int { known.count }

  /// The options that have no effect beside the other in any context; none if they are refused in all.
  func idle(_ first: String, _ second: String) throws -> Set<String> {
    if refused.contains([first, second]) { return [] }
    var idle = Set([first, second]).subtracting(scenario.invisible.keys)
    var isRefused = true
    var (half, unknown, unlikely): ([Int], [Int], [Int]) = ([], [], [])
    // The one that shows in fewer contexts is tried first: where it does not, the other need not be.
    let (rare, usual) = rate(first) <= rate(second) ? (first, second) : (second, first)
    // Where both show by themselves they are likely to show together.
    for context in scenario.contexts.indices {
      switch (showed(first, context), showed(second, context)) {
      case (true, true):
        try look(context, first, second, &idle, &isRefused)
        if idle.isEmpty { return [] }
      case (false, _), (_, false): unlikely.append(context)
      case (nil, nil): unknown.append(context)
      default: half.append(context)
      }
    }
    for context in half + unknown where isUnderstood(line(context, [first, second])) {
      guard try shows(rare, context), try shows(usual, context) else {
        unlikely.append(context)
        continue
      }
      try look(context, first, second, &idle, &isRefused)
      if idle.isEmpty { return [] }
    }
    for context in unlikely where isUnderstood(line(context, [first, second])) {
      try look(context, first, second, &idle, &isRefused)
      if idle.isEmpty { return [] }
    }
    return isRefused ? [] : idle
  }

  private func look(
    _ context: Int, _ first: String, _ second: String, _ idle: inout Set<String>,
    _ isRefused: inout Bool
  ) throws {
    let whole = try outcome(line(context, [first, second]))
    guard whole.status != ExitStatus.usage.rawValue else { return }
    isRefused = false
    for (name, other) in [(first, second), (second, first)] where idle.contains(name) {
      if try outcome(line(context, [other])) != whole {
        idle.remove(name)
      }
    }
  }

  /// Whether an option shows in any context by itself.
  func shows(_ name: String) throws -> Bool {
    try scenario.contexts.indices.contains { try shows(name, $0) }
  }

  /// What a command line in which an option shows comes to, twice.
  func twice(_ name: String) throws -> (String, String) {
    guard let context = try scenario.contexts.indices.first(where: { try shows(name, $0) }) else {
      return ("", "")
    }
    let words = line(context, [name])
    return (try outcome(words).text, try run(words).text)
  }

  /// A command line without color, and what color makes of it.
  struct Colored {
    let line: String
    let plain: String
    let colored: String
    /// Whether data on standard output is JSON by the words of the command line.
    let isJSON: Bool
  }

  /// The first contexts in each format, and the others in one of them.
  func colored() throws -> [Colored] {
    let options = Commands.table.command(named: scenario.command)?.allOptions ?? []
    let format = options.first { ["format", "to", "output-form"].contains($0.name) }
    let words = [[]] + (format?.allowedValues ?? []).map { ["--\(format?.name ?? "")=\($0)"] }
    var runs: [Colored] = []
    for (number, context) in scenario.contexts.enumerated() {
      for format in number < 4 ? words : [words[number % words.count]] {
        let own = context.filter { word in !format.contains { word.hasPrefix($0.prefix(5)) } }
        let line = { (when: String) in self.withPlaces(["--color=\(when)"] + format + own) }
        guard isUnderstood(line("never")) else { continue }
        let (plain, colored) = (try run(line("never")), try run(line("always")))
        let isJSON =
          format.contains { $0.hasSuffix("json") } && plain.output.first.map("{[".contains) == true
        // Journals and plans keep the command line.
        runs.append(
          Colored(
            line: line("never").joined(separator: " "), plain: plain.text,
            colored: colored.text.replacing("--color=always", with: "--color=never"),
            isJSON: isJSON && plain.output.contains("\"")))
      }
    }
    return runs
  }

  /// In which part of the contexts an option showed by itself, of those that were tried.
  private func rate(_ name: String) -> Double {
    guard let shown = shown[name], !shown.isEmpty else { return 1 }
    return Double(shown.values.count { $0 }) / Double(shown.count)
  }

  /// Whether an option shows in a context by itself; nil if that was not tried.
  private func showed(_ name: String, _ context: Int) -> Bool? {
    scenario.invisible[name] != nil ? true : shown[name]?[context]
  }

  private func shows(_ name: String, _ context: Int) throws -> Bool {
    if let shown = showed(name, context) { return shown }
    let with = line(context, [name])
    var isShown = false
    if isUnderstood(with) {
      let outcome = try outcome(with)
      isShown =
        try outcome.status != ExitStatus.usage.rawValue
        && outcome != self.outcome(line(context, []))
    }
    shown[name, default: [:]][context] = isShown
    return isShown
  }

  /// A context with options in the place of its own.
  private func line(_ context: Int, _ names: [String]) -> [String] {
    let own = scenario.contexts[context].filter { word in
      guard word.hasPrefix("--") else { return true }
      return !names.contains(String(word.dropFirst(2).prefix { $0 != "=" }))
    }
    let words = names.map(scenario.word) + own
    return withPlaces(words)
  }

  /// A command line that writes nothing outside of the bench, not even where it does not say.
  private func withPlaces(_ words: [String]) -> [String] {
    let has = { (names: String...) in
      words.contains { word in names.contains { word == $0 || word.hasPrefix($0 + "=") } }
    }
    var words = words
    let command = Commands.table.command(named: scenario.command)
    let writesJournal = command?.allOptions.contains { $0.name == "journal" } == true
    if writesJournal, has("--in-place", "--apply"), !has("--journal", "--no-journal") {
      words.insert("--journal=@/usual.journal", at: 0)
    }
    if scenario.command == "schema infer", has("--family"), !has("--output-dir") {
      words.insert("--output-dir=@/families", at: 0)
    }
    return words
  }

  private func arguments(_ words: [String]) -> [String] {
    scenario.command.split(separator: " ").map(String.init)
      + words.map { $0.replacing("@/", with: bench.path + "/") }
  }

  /// Whether the rules between options let a command line through.
  private func isUnderstood(_ words: [String]) -> Bool {
    (try? ArgumentParser(table: Commands.table).parse(arguments(words))) != nil
  }

  private func outcome(_ words: [String]) throws -> Outcome {
    if let outcome = known[words] { return outcome }
    let outcome = try run(words)
    known[words] = outcome
    return outcome
  }

  private func run(_ words: [String]) throws -> Outcome {
    // A prune keeps old files that a journal may need which it cannot read, as while another bench writes it anew.
    try SharedJournals.use(alone: scenario.command == "journal prune") { try runNow(words) }
  }

  private func runNow(_ words: [String]) throws -> Outcome {
    let streams = try bench.openStreams()
    let status = Archtool.run(arguments(words), streams)
    let (output, errors) = bench.closeStreams(streams)
    return Outcome(
      status: status.rawValue, output: bench.steady(output), errors: bench.steady(errors),
      files: try bench.restore())
  }
}
