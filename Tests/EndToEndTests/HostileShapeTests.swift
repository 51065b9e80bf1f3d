// Inputs designed to be expensive: each is read or refused within limits on time and memory that the kernel enforces.

import Foundation
import TestSupport
import Testing

@Suite struct HostileShapeTests {
  /// An input, and whether something can be made of it.
  struct Shape: Sendable, CustomTestStringConvertible {
    let name: String
    let isRead: Bool
    let make: @Sendable () -> Data
    var testDescription: String { name }
  }

  static let commands = [
    ["dump"], ["dump", "--raw"], ["dump", "--format", "json"], ["dump", "--recover"], ["info"],
    ["validate", "--format-only"], ["convert", "--to", "xml1", "-o", "-"],
    ["convert", "--to", "binary1", "-o", "/dev/null", "--force"],
  ]

  /// Seconds of processor time, and kibibytes of address space.
  private static let bounds = "ulimit -t 10; ulimit -v 1500000"

  private func run(_ arguments: [String], _ file: URL) throws -> ProgramResult {
    let program = URL(fileURLWithPath: Program.folder).appendingPathComponent("archtool").path
    return try Program.run(
      at: URL(fileURLWithPath: "/bin/sh"),
      ["-c", "\(Self.bounds); exec \"$0\" \"$@\"", program] + arguments + [file.path],
      environment: ["SWIFT_BACKTRACE": "enable=no"])
  }

  #if os(Linux)
    @Test(arguments: shapes) func isReadOrRefusedWithinBounds(_ shape: Shape) throws {
      let folder = try TemporaryFolder()
      let file = folder.url.appendingPathComponent("shape")
      try shape.make().write(to: file)
      for command in Self.commands {
        let result = try run(command, file)
        #expect(
          [0, 1, 65].contains(result.status),
          "\(command): \(result.status) \(result.errors.prefix(300))")
        if result.status != 0 { #expect(!result.errors.isEmpty, "\(command)") }
        if command == ["validate", "--format-only"] {
          #expect((result.status == 0) == shape.isRead, "\(result.errors.prefix(300))")
        }
      }
    }
  #endif
}
