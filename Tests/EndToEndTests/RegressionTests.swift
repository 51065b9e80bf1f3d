// Inputs that once did harm, found by `make fuzz`: every command reads or refuses them.

import Foundation
import TestSupport
import Testing

@Suite struct RegressionTests {
  static let files: [String] = {
    let folder = TestArchives.root.appendingPathComponent("Regressions").path
    return (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? []
  }()

  private static let commands =
    HostileShapeTests.commands + [["dump", "--recover", "--format", "json", "--typed"]]
    + ["json", "swift", "objc", "openstep", "keyed-archive", "typedstream"].map {
      ["convert", "--to", $0, "-o", "/dev/null", "--force"]
    }

  @Test(arguments: files) func doesNoMoreHarm(_ name: String) throws {
    for command in Self.commands {
      let result = try Program.run(arguments: command + ["Regressions/\(name)"])
      #expect([0, 65].contains(result.status), "\(command): \(result.errors.prefix(300))")
    }
  }

  @Test func thereAreSome() { #expect(!Self.files.isEmpty) }
}
