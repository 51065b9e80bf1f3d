// The toolchain's own demangler, the independent reference for the text of names.

import Foundation

enum SwiftDemangle {
  /// Where it is installed: on the PATH, or beside the `swift` that is.
  static let path: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for folder in folders.map(String.init) {
      let swift = URL(fileURLWithPath: folder + "/swift").resolvingSymlinksInPath()
      let beside = swift.deletingLastPathComponent().appendingPathComponent("swift-demangle").path
      for candidate in [folder + "/swift-demangle", beside]
      where FileManager.default.isExecutableFile(atPath: candidate) {
        return candidate
      }
    }
    return nil
  }()

  /// How it spells each of the names; what it does not understand it gives back unchanged.
  static func spell(_ names: [String]) throws -> [String] {
    var spellings: [String] = []
    // In portions, for the length of a command line is limited.
    for start in stride(from: 0, to: names.count, by: 2000) {
      let portion = Array(names[start..<min(start + 2000, names.count)])
      let output = try run(["--compact"] + portion)
      guard output.count == portion.count else { throw UnexpectedOutput(lines: output.count) }
      spellings += output
    }
    return spellings
  }

  struct UnexpectedOutput: Error {
    let lines: Int
  }

  private static func run(_ arguments: [String]) throws -> [String] {
    let process = Process()
    process.executableURL = path.map { URL(fileURLWithPath: $0) }
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
