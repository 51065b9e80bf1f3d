// A command run within the test's own process: with two options, and without each of them.

import CommandLineInterface
import Foundation
import TestSupport

@testable import archtool

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

  init(_ scenario: PairScenario, _ bench: PairBench) {
    self.scenario = scenario
    self.bench = bench
  }

  /// How many command lines were run.
  var count: Int { known.count }

  /// The options that have no effect beside the other in any context; none if they are refused in all.
  func idle(_ first: String, _ second: String) throws -> Set<String> {
    var idle = Set([first, second]).subtracting(scenario.invisible.keys)
    var isRefused = true
    var left: [[String]] = []
    // Where both show by themselves they are likely to show together.
    for context in scenario.contexts {
      guard isUnderstood(line(context, [first, second])) else { continue }
      guard try shows(first, in: context), try shows(second, in: context) else {
        left.append(context)
        continue
      }
      try look(context, first, second, &idle, &isRefused)
      if idle.isEmpty { return [] }
    }
    for context in left {
      try look(context, first, second, &idle, &isRefused)
      if idle.isEmpty { return [] }
    }
    return isRefused ? [] : idle
  }

  private func look(
    _ context: [String], _ first: String, _ second: String, _ idle: inout Set<String>,
    _ isRefused: inout Bool
  ) throws {
    let whole = try outcome(line(context, [first, second]))
    guard whole.status != ExitStatus.usage.rawValue else { return }
    isRefused = false
    for (name, other) in [(first, second), (second, first)] where idle.contains(name) {
      if try outcome(line(context, [other])) != whole { idle.remove(name) }
    }
  }

  /// Whether an option shows in any context by itself.
  func shows(_ name: String) throws -> Bool {
    try scenario.contexts.contains { try shows(name, in: $0) }
  }

  /// What a command line in which an option shows comes to, twice.
  func twice(_ name: String) throws -> (String, String) {
    guard let context = try scenario.contexts.first(where: { try shows(name, in: $0) }) else {
      return ("", "")
    }
    let words = line(context, [name])
    return (try outcome(words).text, try run(words).text)
  }

  private func shows(_ name: String, in context: [String]) throws -> Bool {
    if scenario.invisible[name] != nil { return true }
    let with = line(context, [name])
    guard isUnderstood(with) else { return false }
    let outcome = try outcome(with)
    guard outcome.status != ExitStatus.usage.rawValue else { return false }
    return try outcome != self.outcome(line(context, []))
  }

  /// A context with options in the place of its own.
  private func line(_ context: [String], _ names: [String]) -> [String] {
    let own = context.filter { word in
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
    let command = CommandTable.archtool.command(named: scenario.command)
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
    (try? ArgumentParser().parse(arguments(words))) != nil
  }

  private func outcome(_ words: [String]) throws -> Outcome {
    if let outcome = known[words] { return outcome }
    let outcome = try run(words)
    known[words] = outcome
    return outcome
  }

  private func run(_ words: [String]) throws -> Outcome {
    let streams = try bench.openStreams()
    let status = Archtool.run(arguments(words), streams)
    let (output, errors) = bench.closeStreams(streams)
    return Outcome(
      status: status.rawValue, output: PairBench.steady(output), errors: PairBench.steady(errors),
      files: try bench.restore())
  }
}
