// What values show about random schemas, checked by an independent validator: no false counterexample, and few misses.

import ArchiveBasics
import ArchivePropertyLists
import TestSupport
import Testing

@testable import ArchiveSchemas

@Suite struct ContainmentTrialTests {
  private static func version(_ tree: JSONTree) throws -> SchemaVersion {
    try SchemaVersion(
      family: "", name: "", tree: tree, uri: "",
      assertsFormats: true)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func counterexamplesAreRealAndFewAreMissed(seed: UInt64) throws {
    var random = RandomSchemas(numbers: SeededNumbers(seed: seed))
    let values = (0..<400).map { _ in random.value() }
    var found = 0
    var broken = 0
    var missed: [String] = []
    for round in 0..<120 {
      let inner = random.document()
      let outer = round % 4 == 0 ? random.document() : random.mutation(of: inner)
      let isCounterexample = { (value: JSONTree) in
        ReferenceValidator(root: inner).accepts(value)
          && !ReferenceValidator(root: outer).accepts(value)
      }
      // A random change may make a schema that is none.
      guard let versions = try? (Self.version(inner), Self.version(outer)) else { continue }
      let obstacles = try ContainmentCheck(
        inner: versions.0, outer: versions.1, options: SchemaComparison.Options(tries: 200)
      ).obstacles()
      // A value that JSON has no type for, such as a date, is not checked by this reference.
      for value in obstacles.compactMap(\.counterexample) where value.string == nil {
        found += 1
        #expect(
          isCounterexample(value) || inner.line.contains("x-plist-type")
            || outer.line.contains("x-plist-type") || value.line.contains(#"""#),
          "seed \(seed): \(value.line) \(inner.line) \(outer.line)")
      }
      guard values.contains(where: isCounterexample) else { continue }
      broken += 1
      if obstacles.isEmpty { missed.append("\(inner.line) \(outer.line)") }
    }
    print(
      "seed \(seed): \(found) counterexamples, \(missed.count) of \(broken) missed",
      missed.prefix(5))
    #expect(found > 40 && broken > 25)
    #expect(missed.count * 10 < broken, "\(missed)")
  }
}
