// An application that repeatedly writes its files while runs replace them: none of its data is lost.

import Foundation
import TestSupport
import Testing

@Suite struct WriterBesideTests {
  /// Writes each file anew, in place or by renaming, and looks later whether what it wrote is still there; tells what is
  /// not, though it waits for it.
  static let writer = """
    import os, random, sys, time
    folder, beside = sys.argv[1:]
    random.seed(7)
    lost, latest = [], {}
    def look(path):
      for attempt in range(400):
        try:
          if latest.get(path, "") in open(path).read(): return
        except FileNotFoundError: pass
        time.sleep(0.005)
      lost.append(latest[path])
    for number in range(500):
      time.sleep(random.random() * 0.01)
      path = f"{folder}/{random.choice('ab')}"
      look(path)
      latest[path] = f"<{number}>"
      if number % 2:
        with open(beside, "w") as file: file.write(latest[path])
        os.rename(beside, path)
      else:
        with open(path, "w") as file: file.write(latest[path])
    time.sleep(0.5)
    for path in latest: look(path)
    print(lost)
    """

  /// Each replacement waits a little behind its last look at the file, so that much is written at that moment.
  @Test(.enabled(if: Interposer.library != nil, "needs cc or clang, and LD_PRELOAD"))
  func nothingThatIsWrittenIsLost() throws {
    let fleet = try FleetFolder()
    for name in ["found", "found.lost.json", "lost"] {
      try FileManager.default.removeItem(at: fleet.files.appendingPathComponent(name))
    }
    let beside = fleet.bench.file("beside").path
    let writer = try Program.start(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", "-c", Self.writer, fleet.files.path, beside])
    var replaced = 0
    for number in 0... {
      let journal = "\(fleet.journal)-\(number)"
      let run = try fleet.peer(
        ["run", journal, fleet.files.path],
        Interposer.environment("renameat", at: 0, ["FAULT_SLEEP": "2000"]))
      #expect(run.status == 0, "\(run.text)")
      replaced += run.text.components(separatedBy: "replaced 0").count == 1 ? 1 : 0
      for path in [journal, journal + ".backup"] {
        try? FileManager.default.removeItem(atPath: path)
      }
      if !writer.isRunning { break }
    }
    let told = try writer.result()
    #expect(told.text == "[]\n", "\(told.errors)")
    #expect(replaced > 10)
    let names = try FileManager.default.contentsOfDirectory(atPath: fleet.files.path).sorted()
    #expect(names == ["a", "b"])
  }
}
