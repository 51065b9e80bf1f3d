// `migrate --apply` does exactly what the plan specifies.

import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite struct AppliedPlanTests {
  static let contents = Result { try FleetContents(count: 40) }
  static let reference = Result { try UndisturbedRun(of: WeatherFleet(contents.get())) }

  let fleet: WeatherFleet
  let reference: UndisturbedRun
  let plan: URL

  init() throws {
    reference = try Self.reference.get()
    fleet = try WeatherFleet(try Self.contents.get())
    plan = fleet.bench.file("plan")
    let planned = try fleet.run(
      ["migrate", "--to", "v2", "--plan", "--format", "json", "-r", "files"])
    #expect(planned.status == 0 && fleet.contents.files.count == 40, "\(planned.errors)")
    #expect(try fleet.now() == fleet.before)
    try planned.output.write(to: plan)
  }

  private var journal: String { fleet.bench.file("journal-of-plan").path }

  private func apply(
    _ options: [String] = [], _ fault: [String: String] = [:]
  ) throws -> ProgramResult {
    try fleet.run(["migrate", "--apply", plan.path, "--journal", journal] + options, fault)
  }

  /// Changes the plan's text.
  private func edit(_ old: String, _ new: String) throws {
    let text = try String(contentsOf: plan, encoding: .utf8)
    #expect(text.contains(old))
    let edited = Data(text.replacingOccurrences(of: old, with: new).utf8)
    let handle = try FileHandle(forWritingTo: plan)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: edited)
    try handle.close()
  }

  /// A folder with the same files elsewhere, another file, other arguments: whoever writes into a plan cannot seal it.
  @Test(arguments: [
    (#""directory":""#, #""directory":"/private/../"#),
    (#""--to=v2""#, #""--to=v2","--allow-loss""#),
    ("feed-1\"", "feed-2\""),
    (#""plan":"archtool""#, #""plan":"archtool","note":1"#),
  ])
  func aPlanThatWasChangedIsRefused(_ old: String, _ new: String) throws {
    try edit(old, new)
    let applied = try apply()
    #expect(applied.status == 65, "\(applied.errors)")
    #expect(
      applied.errors.contains("of the plan was not written like this by archtool"),
      "\(applied.errors)")
    #expect(try fleet.now() == fleet.before)
  }

  /// One digit of one file's digest, so that the line has the form that archtool writes.
  @Test func aPlanWithAnotherDigestIsRefused() throws {
    let text = try String(contentsOf: plan, encoding: .utf8)
    let digit = try #require(text.range(of: #""newSha256":""#).map { text[$0.upperBound] })
    let member = #""newSha256":""# + String(digit)
    let other = #""newSha256":""# + (digit == "0" ? "1" : "0")
    try aPlanThatWasChangedIsRefused(member, other)
  }

  /// Files may be left out of a plan, and nothing else.
  @Test func linesOfFilesMayBeLeftOut() throws {
    let lines = try String(contentsOf: plan, encoding: .utf8).split(separator: "\n")
    let name = fleet.contents.files[6].path
    let rest = lines.filter { !$0.contains("files/\(name)\"") }
    #expect(rest.count == lines.count - 1)
    try Data((rest.joined(separator: "\n") + "\n").utf8).write(to: plan)
    let applied = try apply()
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(try fleet.now().differences(from: reference.after) == [name])
  }

  /// A plan that was carried to another machine, where the key is another one.
  @Test func aPlanOfAnotherKeyNeedsTrust() throws {
    try FileManager.default.removeItem(at: fleet.bench.file(".local/state/archtool/key"))
    let refused = try apply()
    #expect(refused.status == 65, "\(refused.errors)")
    #expect(refused.errors.contains("sealed with a key that you do not have"), "\(refused.errors)")
    #expect(try fleet.now() == fleet.before)
    #expect(try apply(["--trust"]).status == 0)
    #expect(try fleet.now().differences(from: reference.after) == [])
  }

  /// What has no home can be planned; it is told that nothing is sealed.
  @Test func aPlanWithoutAKeyNeedsTrust() throws {
    let homeless = ["HOME": "", "XDG_STATE_HOME": ""]
    let planned = try fleet.run(
      ["migrate", "--to", "v2", "--plan", "--format", "json", "-r", "files"], homeless)
    #expect(planned.status == 0)
    #expect(planned.errors.contains("warning: the plan is not sealed"), "\(planned.errors)")
    try planned.output.write(to: plan)
    let refused = try apply()
    #expect(refused.status == 65)
    #expect(refused.errors.contains("the plan is not sealed"), "\(refused.errors)")
    #expect(try apply(["--trust"]).status == 0)
  }

  @Test func aPlanIsDone() throws {
    let applied = try apply()
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(try fleet.now().differences(from: reference.after) == [])
    #expect(try fleet.run(["undo", journal]).status == 0)
    #expect(try fleet.now().differences(from: fleet.before, times: true) == [])
  }

  /// The paths of the command line are those of its own folder, not of the plan's.
  @Test func aPlanIsDoneFromAnotherFolder() throws {
    let elsewhere = fleet.bench.file("elsewhere")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: false)
    let script = ["-c", "cd elsewhere; exec \"$0\" \"$@\""]
    let applied = try fleet.run(
      by: URL(fileURLWithPath: "/bin/sh"), script,
      ["migrate", "--apply", "../plan", "--journal", "journal"])
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(try fleet.now().differences(from: reference.after) == [])
    let journal = elsewhere.appendingPathComponent("journal").path
    #expect(try fleet.run(["undo", journal]).status == 0)
    #expect(try fleet.now().differences(from: fleet.before, times: true) == [])
  }

  @Test func aFileThatWasChangedSinceStays() throws {
    let other = try FeedArchives.dictionariable(404)
    try other.write(to: fleet.file(6))
    let name = fleet.contents.files[6].path
    let applied = try apply()
    #expect(applied.status == 1)
    #expect(
      applied.errors.contains("files/\(name): error: the file was changed since the plan was made"),
      "\(applied.errors)")
    #expect(try fleet.now().differences(from: reference.after) == [name])
    #expect(try Data(contentsOf: fleet.file(6)) == other)
  }

  @Test func aFileThatIsGoneIsReportedAndOneThatIsNewIsLeft() throws {
    try FileManager.default.removeItem(at: fleet.file(6))
    let new = fleet.folder.appendingPathComponent("new")
    let other = try FeedArchives.dictionariable(404)
    try other.write(to: new)
    let name = fleet.contents.files[6].path
    let applied = try apply()
    #expect(applied.status == 66)
    #expect(applied.errors.contains("files/\(name): error: "), "\(applied.errors)")
    #expect(try fleet.now().differences(from: reference.after) == ["new", name].sorted())
    #expect(try Data(contentsOf: new) == other)
  }

  @Test(arguments: ["no plan", "", "{}\n", "{\"plan\":\"archtool\"}\n"])
  func whatIsNoPlanIsRefused(_ text: String) throws {
    try Data(text.utf8).write(to: plan)
    let applied = try apply()
    #expect(applied.status == 65, "\(applied.errors)")
    #expect(applied.errors.contains(plan.path), "\(applied.errors)")
    #expect(try fleet.now() == fleet.before)
  }

  @Test func aTornPlanIsRefused() throws {
    let whole = try Data(contentsOf: plan)
    try whole.dropLast(60).write(to: plan)
    #expect(try apply().status == 65)
    #expect(try fleet.now() == fleet.before)
  }

  @Test func thePlanOfAnotherCommandIsRefused() throws {
    let text = try String(contentsOf: plan, encoding: .utf8)
    let words = "\"rename-class\",\"--rename-class\",\"A=B\",\"-r\",\"files\""
    let range = try #require(
      text.range(of: #"(?<="arguments":\[)[^\]]*"#, options: .regularExpression))
    try Data(text.replacingCharacters(in: range, with: words).utf8).write(to: plan)
    #expect(try apply().errors.contains("line 1 of the plan was not written like this by archtool"))
    let applied = try apply(["--trust"])
    #expect([64, 65].contains(applied.status), "\(applied.errors)")
    #expect(try fleet.now() == fleet.before)
  }

  /// What goes on after a plan was interrupted is the plan.
  @Test(.enabled(if: Interposer.library != nil, "needs cc or clang, and LD_PRELOAD"))
  func anInterruptedPlanStaysAPlan() throws {
    #expect(try apply([], Interposer.environment("renameat", at: 9)).status == -SIGKILL)
    #expect(try fleet.now().broken(between: fleet.before, and: reference.after) == [])
    let name = fleet.contents.files[39].path
    let other = try FeedArchives.dictionariable(404)
    try other.write(to: fleet.file(39))
    try other.write(to: fleet.folder.appendingPathComponent("new"))
    let resumed = try fleet.run(["migrate", "--resume", journal])
    #expect(resumed.status == 1, "\(resumed.errors)")
    #expect(try fleet.now().differences(from: reference.after) == ["new", name].sorted())
    #expect(try Data(contentsOf: fleet.file(39)) == other)
  }
}
