// Seals: a journal that differs from what archtool wrote, in any byte of any line, is rejected.

import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite struct SealedJournalTests {
  let fleet: FleetFolder
  /// A state folder of the test's own, so that its key can be taken away.
  let state: URL

  init() throws {
    fleet = try FleetFolder()
    state = fleet.bench.file("state")
    #expect(try fleet.run(["XDG_STATE_HOME": state.path]).status == 0)
  }

  private var key: URL { state.appendingPathComponent("archtool/key") }

  private func archtool(_ arguments: String...) throws -> ProgramResult {
    try Program.run(
      "archtool", arguments, in: fleet.bench.url, environment: ["XDG_STATE_HOME": state.path])
  }

  private var lines: [String] {
    get throws {
      try String(contentsOfFile: fleet.journal, encoding: .utf8).split(separator: "\n")
        .map(String.init)
    }
  }

  /// Writes into the journal, which keeps its owner and its mode.
  private func set(_ lines: [String]) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: fleet.journal))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
    try handle.close()
  }

  /// Expects that nobody obeys the journal, and that a person can look at it nevertheless.
  private func expectRefusal(_ message: String, seals: String) throws {
    let after = try fleet.facts()
    for command in [["undo"], ["undo", "--force"], ["migrate", "--resume"]] {
      let result = try Program.run(
        "archtool", command + ["journal"], in: fleet.bench.url,
        environment: ["XDG_STATE_HOME": state.path])
      #expect(result.status == 65, "\(command): \(result.errors)")
      #expect(result.errors.contains(message), "\(result.errors)")
      #expect(result.errors.contains("--trust accepts it"), "\(result.errors)")
    }
    #expect(try fleet.facts() == after)
    let shown = try archtool("journal", "show", "journal")
    #expect(shown.status == 0 && shown.text.contains("seals: \(seals)\n"), "\(shown.text)")
  }

  /// Python computes the same seals, as archtool-journal(5) says how.
  @Test func sealsAreWhatTheManualSays() throws {
    let script = """
      import hashlib, hmac, re, sys
      key, last = open(sys.argv[1], "rb").read(), b""
      for line in open(sys.argv[2], "rb"):
        text, seal = re.fullmatch(rb'(.*),"seal":"([0-9a-f]{64})"}\\n', line, re.S).groups()
        assert hmac.new(key, last + text, hashlib.sha256).hexdigest().encode() == seal, line
        last = seal
      print("all sealed")
      """
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", script, key.path, fleet.journal])
    #expect(result.text == "all sealed\n", "\(result.errors)")
    #expect(try archtool("journal", "show", "journal").text.contains("seals: intact\n"))
  }

  @Test(arguments: [
    (#""mode":"0640""#, #""mode":"0666""#), (#""uid":"#, #""uid":1"#),
    (#""size":"#, #""size":1"#),
    ("/files/a\"", "/files/b\""), (#""recursive":true"#, #""recursive":false"#),
    (#""arguments":["#, #""arguments":["--allow-loss","#), (#".backup""#, #".backup2""#),
    (#""event":"done""#, #""event":"done","x":1"#), (#"{"event":"end""#, #"{ "event":"end""#),
  ])
  func aChangedLineIsRefused(_ old: String, _ new: String) throws {
    var lines = try lines
    let index = try #require(lines.firstIndex { $0.contains(old) })
    lines[index] = lines[index].replacingOccurrences(of: old, with: new)
    try set(lines)
    try expectRefusal(
      "line \(index + 1) of the journal was not written like this by archtool",
      seals: "broken at line \(index + 1)")
  }

  /// A whole folder named instead of another, with the seals as they are.
  @Test func anotherFolderIsRefused() throws {
    let other = fleet.bench.file("other")
    try FileManager.default.copyItem(at: fleet.files, to: other)
    try set(try lines.map { $0.replacingOccurrences(of: "/files", with: "/other") })
    let result = try archtool("undo", "journal")
    #expect(result.status == 65, "\(result.errors)")
    let kept = try String(contentsOf: other.appendingPathComponent("a"), encoding: .utf8)
    #expect(kept == "new a as it was")
  }

  @Test func linesThatAreDroppedSwappedOrAddedAreRefused() throws {
    let whole = try lines
    for index in whole.indices.dropFirst().dropLast() {
      var dropped = whole
      dropped.remove(at: index)
      var swapped = whole
      swapped.swapAt(index, index + 1)
      var doubled = whole
      doubled.insert(whole[index], at: index)
      for (lines, number) in [(dropped, index + 1), (swapped, index + 1), (doubled, index + 2)] {
        try set(lines)
        let result = try archtool("undo", "journal")
        #expect(result.status == 65, "\(result.errors)")
        #expect(result.errors.contains("line \(number) of the journal"), "\(result.errors)")
      }
    }
    try set(whole + [#"{"event":"undone","file":"\#(fleet.files.path)/a"}"#])
    try expectRefusal(
      "line \(whole.count + 1) of the journal", seals: "broken at line \(whole.count + 1)")
    try set(whole)
    #expect(try archtool("undo", "journal").status == 0)
    #expect(try fleet.facts() == fleet.factsBefore)
  }

  /// The lines of one journal do not pass for those of another.
  @Test func linesOfAnotherJournalAreRefused() throws {
    let first = try lines
    try FileManager.default.moveItem(atPath: fleet.journal, toPath: fleet.journal + ".first")
    #expect(try fleet.run(["XDG_STATE_HOME": state.path]).status == 0)
    let second = try lines
    try set([second[0]] + first.dropFirst())
    try expectRefusal("line 2 of the journal", seals: "broken at line 2")
  }

  /// A journal of an older archtool has no seals.
  @Test func aJournalWithoutSealsNeedsTrust() throws {
    try set(
      try lines.map {
        $0.replacingOccurrences(
          of: #",("key":"[0-9a-f]{16}",)?"seal":"[0-9a-f]{64}""#, with: "",
          options: .regularExpression)
      })
    try expectRefusal("the journal is not sealed", seals: "missing")
    let dry = try archtool("undo", "--trust", "--dry-run", "journal")
    #expect(dry.status == 0 && dry.text.split(separator: "\n").count == 4, "\(dry.errors)")
    let undone = try archtool("undo", "--trust", "journal")
    #expect(undone.status == 0, "\(undone.errors)")
    #expect(try fleet.facts() == fleet.factsBefore)
    #expect(!(try lines.last ?? "seal").contains("seal"))
    #expect(try archtool("undo", "--trust", "journal").errors == "nothing to undo\n")
  }

  @Test(arguments: [true, false]) func aJournalOfAnotherKeyNeedsTrust(_ isLost: Bool) throws {
    try FileManager.default.removeItem(at: key)
    if !isLost {
      try Data(repeating: 7, count: 32).write(to: key)
      #expect(chmod(key.path, 0o600) == 0)
    }
    try expectRefusal("sealed with a key that you do not have", seals: "of another key")
    // No key is made where one is only looked for.
    #expect(FileManager.default.fileExists(atPath: key.path) == !isLost)
    #expect(try archtool("undo", "--trust", "journal").status == 0)
    #expect(try fleet.facts() == fleet.factsBefore)
  }

  @Test func theKeyIsTheUsersAlone() throws {
    let facts = try FileManager.default.attributesOfItem(atPath: key.path)
    #expect(facts[.posixPermissions] as? Int == 0o600 && facts[.size] as? Int == 32)
    let after = try fleet.facts()
    #expect(chmod(key.path, 0o640) == 0)
    let open = try archtool("undo", "journal")
    #expect(open.status == 66 && open.errors.contains("other users may read"), "\(open.errors)")
    #expect(chmod(key.path, 0o600) == 0)
    try Data(repeating: 7, count: 31).write(to: key)
    #expect(chmod(key.path, 0o600) == 0)
    let damaged = try archtool("undo", "journal")
    #expect(damaged.status == 66 && damaged.errors.contains("has 31 bytes"), "\(damaged.errors)")
    #expect(try fleet.facts() == after)
    // Who vouches for the journal is told of the key, and goes on without it.
    for words in [["migrate", "--resume"], ["undo"]] {
      let refused = try Program.run(
        "archtool", words + ["journal"], in: fleet.bench.url,
        environment: ["XDG_STATE_HOME": state.path])
      #expect(refused.errors.contains("--trust accepts it without the key"), "\(refused.errors)")
    }
    let trusted = try archtool("undo", "--trust", "journal")
    #expect(trusted.status == 0, "\(trusted.errors)")
    #expect(
      trusted.errors.contains("warning: the key ") && trusted.errors.contains("has 31 bytes"),
      "\(trusted.errors)")
    #expect(try fleet.facts() == fleet.factsBefore)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func theKeyOfAnotherUserIsNotUsed() throws {
    #expect(chown(key.path, 65_534, 65_534) == 0)
    let result = try archtool("undo", "journal")
    #expect(result.status == 66, "\(result.errors)")
    #expect(result.errors.contains("belongs to user 65534"), "\(result.errors)")
    // sudo may leave HOME as it is: root makes no key that the user could not read then.
    let home = fleet.bench.file("home")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
    #expect(chown(home.path, 65_534, 65_534) == 0)
    let archive = TestArchives.root.appendingPathComponent("WeatherFeed/v1-1-city").path
    try FileManager.default.copyItem(atPath: archive, toPath: fleet.bench.file("feed").path)
    let run = try Program.run(
      "archtool", ["migrate", "--to", "v2", "--in-place", "--journal", "new", "feed"],
      in: fleet.bench.url, environment: ["XDG_STATE_HOME": home.path])
    #expect(run.status == 73 && run.errors.contains("use sudo -H"), "\(run.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
  }
}
