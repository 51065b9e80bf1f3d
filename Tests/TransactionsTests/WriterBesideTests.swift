// An application that writes its files while runs replace them, again and again: nothing that it writes is lost.

import Foundation
import TestSupport
import Testing

@Suite struct WriterBesideTests {
  /// Writes each file anew, in place or by renaming, and waits until what it wrote is there; tells what never came.
  static let writer = """
    import os, random, sys, time
    folder, beside = sys.argv[1:]
    random.seed(7)
    lost = []
    for number in range(500):
      time.sleep(random.random() * 0.01)
      path, token = f"{folder}/{random.choice('ab')}", f"<{number}>"
      if number % 2:
        with open(beside, "w") as file: file.write(token)
        os.rename(beside, path)
      else:
        with open(path, "w") as file: file.write(token)
      for attempt in range(2000):
        try:
          if token in open(path).read(): break
        except FileNotFoundError: pass
        time.sleep(0.005)
      else: lost.append(token)
    print(lost)
    """

  @Test(.enabled(if: Self.isLinux, "needs the exchange and the leases of Linux"))
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
      let run = try fleet.peer(["run", journal, fleet.files.path])
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

  static var isLinux: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }
}
