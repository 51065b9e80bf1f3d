// A class as Apple's frameworks archive it, and the expected output.

import TestSupport
import Testing

/// An archived object and its line.
struct ClassLayout: Sendable, CustomTestStringConvertible {
  let sample: ArchivedSample
  /// The line without the number of members.
  let line: String
  /// Members that must be there.
  let members: [String]

  init(_ sample: ArchivedSample, _ line: String, members: [String] = []) {
    self.sample = sample
    self.line = line
    self.members = members
  }

  var testDescription: String { line }

  func check() throws {
    let tree = try ShownTree(sample)
    #expect(tree.meaning == line)
    for member in members { #expect(tree.members.contains(member), "\(tree.text)") }
  }
}
