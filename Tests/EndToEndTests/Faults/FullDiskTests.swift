// A full disk: files that fit are processed, the others are unchanged, and the run continues once there is space.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: MountNamespace.isAvailable, "this system allows no mounts of one's own"))
struct FullDiskTests {
  static let contents = Result { try FleetContents(count: 120) }
  static let reference = Result { try UndisturbedRun(of: WeatherFleet(contents.get())) }

  /// A disk with a part of what lies beside the fleet, filled but for some pages.
  private static func script(_ part: String, free pages: Int) -> String {
    """
    mount -t tmpfs -o size=8m tmpfs /mnt; mkdir /mnt/tree; cp -a \(part)/. /mnt/tree; \
    dd if=/dev/zero of=/mnt/filler bs=4096 2>/dev/null || true; \
    truncate -s -\(pages * 4096) /mnt/filler; mount --bind /mnt/tree "$PWD/\(part)"; cd "$PWD"
    """
  }

  @Test(arguments: ["files", "."], [0, 3, 300])
  func theRunGoesOnOnceThereIsRoom(_ part: String, _ pages: Int) throws {
    let reference = try Self.reference.get()
    let fleet = try WeatherFleet(try Self.contents.get())
    let disk = try MountNamespace(Self.script(part, free: pages), for: fleet)
    let result = try disk.run(fleet.migration())
    let shouldStop = pages == 300
    #expect(shouldStop == (result.status == 0), "\(result.status) \(result.errors)")
    #expect([0, 73, 74].contains(result.status), "\(result.errors)")
    let met = try disk.now()
    #expect(met.broken(between: fleet.before, and: reference.after) == [])
    #expect(met.leftovers == [])
    if !shouldStop {
      #expect(result.errors.contains("No space left on device"), "\(result.errors)")
    }
    #expect(try disk.perform("rm /mnt/filler").status == 0)
    let hasJournal = FileManager.default.contents(
      atPath: disk.view("journal-1"))?.contains(UInt8(ascii: "\n"))
    let next = hasJournal == true ? fleet.resumption : fleet.migration()
    let resumed = try disk.run(next)
    #expect(resumed.status == 0, "\(resumed.errors)")
    let now = try disk.now()
    #expect(now.differences(from: reference.after) == [], "\(result.errors)")
    #expect(now.leftovers == [])
    #expect(try disk.run(fleet.undoing()).status == 0)
    #expect(try disk.now().differences(from: fleet.before, times: true) == [])
  }
}

/// Where no disk can be made: a limit on the size of files, which the journal meets first.
@Suite struct FileSizeLimitTests {
  @Test(arguments: [1, 8, 40])
  func theRunGoesOnWithoutTheLimit(_ blocks: Int) throws {
    let contents = try FullDiskTests.contents.get()
    let reference = try FullDiskTests.reference.get()
    let fleet = try WeatherFleet(contents)
    // What the shell prints of a death is no part of the output.
    let limited = ["-c", "ulimit -f \(blocks); exec \"$0\" \"$@\""]
    let result = try fleet.run(
      by: URL(fileURLWithPath: "/bin/sh"), limited, fleet.migration())
    #expect(result.status == 74, "\(result.errors)")
    #expect(try fleet.now().broken(between: fleet.before, and: reference.after) == [])
    let next = fleet.hasJournal ? fleet.resumption : fleet.migration()
    let resumed = try fleet.run(next)
    #expect(resumed.status == 0, "\(resumed.errors)")
    let now = try fleet.now()
    #expect(now.differences(from: reference.after) == [])
    #expect(now.leftovers == [])
  }
}
