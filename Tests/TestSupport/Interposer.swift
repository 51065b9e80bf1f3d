// Tests/Faults/interpose.c, compiled once for all tests.

import Foundation

/// The library that makes system calls fail.
package enum Interposer {
  /// Its path; nil where it cannot be compiled or loaded.
  package static let library: String? = {
    #if os(Linux)
      guard let compiler = Program.find("cc") ?? Program.find("clang") else { return nil }
      let source = TestArchives.root.deletingLastPathComponent()
        .appendingPathComponent("Tests/Faults/interpose.c").path
      let output = FileManager.default.temporaryDirectory
        .appendingPathComponent("archtool-interpose-\(UUID().uuidString).so").path
      let result = try? Program.run(
        at: compiler, ["-Wall", "-Werror", "-shared", "-fPIC", "-o", output, source, "-ldl"])
      return result?.status == 0 ? output : nil
    #else
      return nil
    #endif
  }()

  /// The variables for a fault.
  ///
  /// - Parameters:
  ///   - calls: the calls that count.
  ///   - number: the call at which it happens; 0 for none.
  ///   - error: what the call fails with; nil to kill the process.
  ///   - others: more variables of interpose.c.
  package static func environment(
    _ calls: String, at number: Int, error: Int32? = nil, _ others: [String: String] = [:]
  ) -> [String: String] {
    var variables = ["LD_PRELOAD": library ?? "", "FAULT_CALLS": calls, "FAULT_AT": "\(number)"]
    if let error { variables["FAULT_ERRNO"] = "\(error)" }
    return variables.merging(others) { $1 }
  }
}
