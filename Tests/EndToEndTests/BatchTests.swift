// Runs over several files: reports, failures, terminals and signals work in the same way for every command.

import ArchiveBasics
import ArchtoolCommands
import CommandLineInterface
import Foundation
import TestSupport
import Testing

@Suite struct BatchTests {
  private let bench: Workbench

  init() throws {
    bench = try Workbench(["in/b": "no archive", "in/d": "{\"a\": 1}"])
    for name in ["a", "c", "e"] { try bench.copy("Movie/v1", to: "in/\(name)") }
    try bench.copy("Broken/movie-year-string", to: "in/f")
  }

  /// A command that reads files, and what it reports of the files a, b, c and d.
  struct Case: CustomTestStringConvertible {
    let command: [String]
    let outcomes: [String]

    var testDescription: String { command.joined(separator: " ") }
  }

  static let cases = [
    Case(command: ["dump"], outcomes: ["shown", "failed", "shown", "shown", "shown", "shown"]),
    Case(
      command: ["dump", "--format", "json"],
      outcomes: ["shown", "failed", "shown", "shown", "shown", "shown"]),
    Case(
      command: ["dump", "-o", "out"],
      outcomes: ["shown", "failed", "shown", "shown", "shown", "shown"]),
    Case(command: ["info"], outcomes: ["shown", "failed", "shown", "shown", "shown", "shown"]),
    Case(
      command: ["validate"], outcomes: ["valid", "failed", "valid", "noSchema", "valid", "invalid"]),
    Case(
      command: ["validate", "--format", "ndjson"],
      outcomes: ["valid", "failed", "valid", "noSchema", "valid", "invalid"]),
    Case(
      command: ["convert", "--to", "json", "--typed", "--compact"],
      outcomes: ["changed", "failed", "changed", "changed", "changed", "changed"]),
    Case(
      command: ["convert", "--to", "json", "--typed", "--dry-run"],
      outcomes: ["changed", "failed", "changed", "changed", "changed", "changed"]),
    Case(
      command: ["migrate", "--to", "v2", "--dry-run"],
      outcomes: ["changed", "failed", "changed", "refused", "changed", "refused"]),
  ]

  /// All files, by name: -r would pass over those that are no archives.
  private static let files = "abcdef".map { "in/\($0)" }

  private func report() throws -> [[String: Any]] {
    try Data(contentsOf: bench.url("report")).split(separator: 0x0A).map {
      try #require(try JSONSerialization.jsonObject(with: $0) as? [String: Any])
    }
  }

  @Test(arguments: cases, ["1", "3"])
  func everyCommandReportsEachFile(_ command: Case, jobs: String) throws {
    let words = command.command + jobsOption(command, jobs)
    let plain = try bench.run(words + Self.files)
    let result = try bench.run(
      words
        + ["-f", "--report", "report"].filter { $0 != "-f" || words.contains("-o") } + Self.files)
    // The report takes nothing from the results, and puts nothing into them.
    #expect(result.output == plain.output)
    #expect(result.status == plain.status)
    let lines = try report()
    #expect(lines.dropLast().map { $0["outcome"] as? String } == command.outcomes)
    #expect(lines.dropLast().map { $0["file"] as? String } == Self.files)
    for line in lines.dropLast() {
      #expect((line["bytes"] as? Int ?? 0) > 0)
      #expect((line["summary"] as? String)?.isEmpty == false)
      let isRefused = ["failed", "refused"].contains(line["outcome"] as? String)
      #expect((line["error"] != nil) == isRefused)
    }
    let counts = try #require(lines.last?["counts"] as? [String: Any])
    #expect(counts["files"] as? Int == command.outcomes.count)
    for outcome in Set(command.outcomes) {
      #expect(counts[outcome] as? Int == command.outcomes.count { $0 == outcome })
    }
  }

  @Test(arguments: cases, ["1", "3"])
  func everyCommandEndsAtTheFirstThatFails(_ command: Case, jobs: String) throws {
    if command.command.contains("-o") { try bench.write("", to: "report") }
    let words = command.command + jobsOption(command, jobs)
    let result = try bench.run(words + ["--fail-fast", "--report", "report"] + Self.files)
    #expect(result.status == 65)
    #expect((result.errors + result.text).contains("in/b"))
    #expect(!result.errors.contains("in/c"))
    #expect(!result.text.contains("in/c"))
    #expect(
      try report().dropLast().map { $0["outcome"] as? String } == Array(command.outcomes.prefix(2)))
  }

  private func jobsOption(_ command: Case, _ jobs: String) -> [String] {
    command.command.contains("--compact") ? [] : ["-j", jobs]
  }

  @Test(arguments: [
    ["dump"], ["info"], ["validate"], ["convert", "--to", "json", "--typed", "--compact"],
  ])
  func reportAndResultsAreTwoPlaces(_ command: [String]) throws {
    let result = try bench.run(command + ["--report", "-", "in/a", "in/c"])
    #expect(result.status == 64)
    #expect(result.errors.contains("'--report'"), "\(result.errors)")
    #expect(try bench.run(command + ["--report", "in/a", "in/a"]).status == 64)
  }

  // MARK: Inputs that come when the test lets them

  private static let slow = [
    ["dump"], ["dump", "--format", "json", "--compact"], ["info"], ["validate"],
    ["validate", "--format", "ndjson"],
    ["convert", "--to", "json", "--typed", "--compact"],
  ]

  /// Makes a pipe among the inputs.
  private func makePipe() throws -> String {
    let path = bench.url("pipe").path
    try #require(mkfifo(path, 0o600) == 0)
    return path
  }

  /// Opens a pipe once somebody reads it; nil if nobody does.
  private static func open(_ path: String, while isRunning: () -> Bool) -> FileHandle? {
    while isRunning() {
      let descriptor = Foundation.open(path, O_WRONLY | O_NONBLOCK)
      if descriptor >= 0 { return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true) }
      usleep(1000)
    }
    return nil
  }

  /// No further file is begun, and none is shown by halves.
  @Test(arguments: slow, [SIGINT, SIGTERM])
  func aSignalEndsARunInGoodOrder(_ command: [String], _ signal: Int32) throws {
    let pipe = try makePipe()
    let (first, last) = (bench.url("in/a").path, bench.url("in/e").path)
    let jobs = command[0] == "convert" ? [] : ["-j", "1"]
    let run = try Program.start("archtool", command + jobs + [first, pipe, last])
    let writer = try #require(Self.open(pipe) { run.isRunning })
    // There is somebody to write to even if the program is gone.
    let reader = Foundation.open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    run.send(signal)
    try writer.write(contentsOf: try Workbench.archive("Movie/v1"))
    try writer.close()
    let result = try run.result()
    #expect(result.status == 128 + signal, "\(result.errors)")
    #expect(
      result.errors.contains(
        #/archtool: interrupted by signal \d+ after [12] files?; the rest is not looked at/#),
      "\(result.errors)")
    #expect(!result.text.contains(last))
    // What was shown before is whole.
    if command.contains("--compact") || command.contains("ndjson") {
      #expect(result.text.hasSuffix("\n") && result.text.hasPrefix("{"))
    }
  }

  /// A terminal shows how far a run is, unless the results go there.
  @Test(arguments: slow, [false, true])
  func aTerminalShowsProgress(_ command: [String], isQuiet: Bool) throws {
    let pipe = try makePipe()
    let (first, last) = (bench.url("in/a").path, bench.url("in/e").path)
    let terminal = try Terminal()
    let output = Foundation.open(bench.url("out").path, O_WRONLY | O_CREAT, 0o600)
    defer { close(output) }
    let jobs = command[0] == "convert" ? [] : ["-j", "1"]
    let words = command + jobs + (isQuiet ? ["-q"] : []) + [first, pipe, last]
    let thread = Thread {
      guard let writer = Self.open(pipe, while: { true }) else { return }
      // Longer than a run that needs no bar.
      usleep(1_200_000)
      try? writer.write(contentsOf: (try? Workbench.archive("Movie/v1")) ?? Data())
    }
    thread.start()
    let streams = StandardStreams(output: output, error: terminal.inside)
    #expect(Archtool.run(words, streams) == .done)
    let text = terminal.text()
    #expect(text.contains("2 of 3, ") == !isQuiet, "\(text)")
    // It is gone at the end.
    #expect(text.isEmpty || text.hasSuffix("\r\u{1B}[K") || text.contains("3 files"))
    if command[0] != "validate" { #expect(text.contains("3 files: 3 ") == !isQuiet, "\(text)") }
  }
}

/// A terminal that nobody looks at.
private final class Terminal {
  private let outside: Int32
  let inside: Int32

  init() throws {
    #if os(Linux)
      // What posix_openpt(3) and its companions do; Swift does not see them there: TIOCSPTLCK, TIOCGPTN.
      outside = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var (lock, number): (Int32, UInt32) = (0, 0)
      try #require(ioctl(outside, 0x4004_5431, &lock) == 0)
      try #require(ioctl(outside, 0x8004_5430, &number) == 0)
      inside = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    #else
      outside = posix_openpt(O_RDWR | O_NOCTTY)
      try #require(outside >= 0 && grantpt(outside) == 0 && unlockpt(outside) == 0)
      inside = open(try #require(ptsname(outside)), O_RDWR | O_NOCTTY)
    #endif
    try #require(inside >= 0)
  }

  /// What was written to it.
  func text() -> String {
    _ = fcntl(outside, F_SETFL, O_NONBLOCK)
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(outside, &bytes, bytes.count)
      if count <= 0 { break }
      text += bytes[..<count]
    }
    return String(decoding: text, as: UTF8.self)
  }

  deinit {
    close(outside)
    close(inside)
  }
}
