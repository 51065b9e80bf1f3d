// The values of options are those that a dictionary of lists would have.

import TestSupport
import Testing

@testable import CommandLineInterface

@Suite struct OptionValuesTests {
  private static let names = ["include", "exclude", "quiet", "root"]

  @Test(arguments: 0..<40)
  func theyAreThoseOfADictionary(seed: Int) {
    var numbers = SeededNumbers(seed: UInt64(seed))
    var values = OptionValues()
    var model: [String: [String]] = [:]
    for step in 0..<60 {
      let name = Self.names[Int.random(in: 0..<4, using: &numbers)]
      switch Int.random(in: 0..<5, using: &numbers) {
      case 0:
        values.remove(name)
        model[name] = nil
      case 1:
        values.add(nil, to: name)
        model[name, default: []] += []
      case 2:
        let given = (0..<Int.random(in: 0..<3, using: &numbers)).map { "\(step).\($0)" }
        values.set(name, to: given)
        model[name] = given
      default:
        values.add("\(step)", to: name)
        model[name, default: []].append("\(step)")
      }
      for name in Self.names {
        #expect(values.contains(name) == (model[name] != nil))
        #expect(values[name] == model[name] ?? [])
        #expect(values.last(name) == model[name]?.last)
      }
    }
  }

  @Test func theOrderOfOptionsIsNoPartOfThem() {
    var (first, second) = (OptionValues(), OptionValues())
    for value in ["1", "2"] { first.add(value, to: "a") }
    first.add(nil, to: "b")
    second.add(nil, to: "b")
    for value in ["1", "2"] { second.add(value, to: "a") }
    #expect(first == second && first.hashValue == second.hashValue)
    second.set("a", to: ["2", "1"])
    #expect(first != second)
    second.remove("a")
    #expect(first != second)
  }
}
