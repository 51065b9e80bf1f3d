// What a migration calls lossless comes back as it was by a second command: cases that once did not, and random families.

import Foundation
import TestSupport
import Testing

@Suite struct MigrationReturnTests {
  private func judge(_ arguments: String...) throws {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/\(arguments[0]).py").path
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", script, Program.folder + "/archtool"] + arguments.dropFirst(),
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }

  @Test(arguments: [
    "location", "color", "color-from-json", "number-keys", "uuid-keys", "date-keys", "root-list",
    "root-list-of-dictionaries", "wrapped-null", "null-left-out", "required-null", "shared-list",
    "superclasses-of-dictionaries", "dictionary-without-class", "stored-across", "range",
    "added-set-from-json", "added-set", "added-ordered-set", "added-url", "text-to-number",
    "milliseconds", "separate-numbers", "base-of-a-url", "single-precision", "minus-zero",
    "empty-ordered-set", "renamed-to-superclass",
  ]) func comesBackOrIsRefused(_ name: String) throws {
    try judge("returns", name)
  }

  @Test func randomFamiliesComeBackOrAreRefused() throws {
    try judge("families", "20", "1", "--workers", "2")
  }
}
