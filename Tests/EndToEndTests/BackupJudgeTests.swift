// `scan` finds in backups what Python put there, and asks for their passwords.

import Foundation
import TestSupport
import Testing

@Suite struct BackupJudgeTests {
  /// Debian's Python, whose packages these are.
  private static let python = URL(fileURLWithPath: "/usr/bin/python3")
  private static let hasCryptography: Bool = {
    do {
      return try Program.run(at: python, ["-c", "import cryptography"]).status == 0
    } catch {
      return false
    }
  }()

  /// The scenarios of `Tests/Judges/backups.py`.
  @Test(
    .enabled(if: hasCryptography, "python3-cryptography is not installed"),
    arguments: ["listing", "extraction", "passwords", "terminal"])
  func agreesWithPython(_ scenario: String) throws {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/backups.py").path
    let result = try Program.run(
      at: Self.python, [script, Program.folder + "/archtool", scenario],
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }

  /// A folder with files, databases and backups: `Tests/Judges/case_folder.py`.
  @Test(.enabled(if: hasCryptography, "python3-cryptography is not installed"))
  func everyCommandTakesWhatScanPrints() throws {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/case_folder.py").path
    let result = try Program.run(
      at: Self.python, [script, Program.folder + "/archtool", "100", "1", "12"],
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }
}
