// The laws of lenses, for random values and lenses: a round trip restores the value, and stored changes are kept.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import TestSupport
import Testing

@testable import ArchiveMigrations

/// Random values and lenses, the same for the same seed.
private struct LawMaker {
  private var numbers: SeededNumbers

  init(seed: Int) { numbers = SeededNumbers(seed: UInt64(seed)) }

  mutating func below(_ bound: Int) -> Int { numbers.below(bound) }

  mutating func name() -> String { ["a", "b", "c", "d"][below(4)] }

  mutating func value(depth: Int) -> String {
    switch below(depth == 0 ? 6 : 10) {
    case 5: return below(2) == 0 ? "null" : #"{"$real": -0.0}"#
    case 0: return "\(below(4) - 1)"
    case 1:
      let texts = ["", "x", "12", "true", "1.5", "1.50", "#ff8000", "2019-04-06T03:50:00.678Z"]
      return #""\#(texts[below(texts.count)])""#
    case 2: return below(2) == 0 ? "true" : "false"
    case 3: return #"{"$real": \#(Double(below(8)) / 4)}"#
    case 4: return #"{"$date": "2019-04-06T03:50:0\#(below(10))Z"}"#
    case 6, 7:
      return "[" + (0..<below(3)).map { _ in value(depth: depth - 1) }.joined(separator: ", ") + "]"
    default: return object(depth: depth - 1)
    }
  }

  mutating func object(depth: Int) -> String {
    var members: [String] = []
    for name in ["a", "b", "c", "d"] where below(3) > 0 {
      members.append(#""\#(name)": \#(value(depth: depth))"#)
    }
    return "{" + members.joined(separator: ", ") + "}"
  }

  mutating func lens(depth: Int) -> String {
    "[" + (0..<below(3) + 1).map { _ in operation(depth: depth) }.joined(separator: ", ") + "]"
  }

  private mutating func shape(_ name: String, _ host: String, _ depth: Int) -> String {
    let word = below(2) == 0
    switch below(depth == 0 ? 7 : 8) {
    case 0: return #"{"default": {"name": "\#(name)", "value": \#(value(depth: 1))}}"#
    case 1: return #"{"nullable": {"name": "\#(name)", "null": "\#(word ? "absent" : "present")"}}"#
    case 2: return #"{"copy": {"source": "\#(name)", "destination": "c\#(host)"}}"#
    case 3 where host == "a":
      let type = below(2) == 0 ? "string" : "integer"
      return #"{"\#(word ? "group" : "ungroup")": {"name": "\#(name)", "alternating": "\#(type)"}}"#
    case 3: return #"{"\#(word ? "split" : "join")": {"name": "\#(name)", "separator": "x"}}"#
    case 4: return #"{"\#(word ? "nest" : "pluck")": {"name": "\#(name)", "as": "\#(host)"}}"#
    case 5: return #"{"\#(word ? "group" : "ungroup")": {"name": "\#(name)", "by": "\#(host)"}}"#
    case 6:
      let body = #"{"keys": "\#(name)", "values": "v\#(host)", "into": "w"}"#
      return #"{"\#(word ? "group" : "ungroup")": \#(body)}"#
    default:
      let test = word ? #""equals": \#(value(depth: 0))"# : #""present": \#(below(2) == 0)"#
      return #"{"when": {"member": "\#(name)", \#(test), "lens": \#(lens(depth: depth - 1))}}"#
    }
  }

  private mutating func operation(depth: Int) -> String {
    let (name, host) = (name(), name())
    let flag = below(2) == 0
    if below(3) == 0 { return shape(name, host, depth) }
    switch below(depth == 0 ? 9 : 12) {
    case 0: return #"{"rename": {"source": "\#(name)", "destination": "r\#(host)"}}"#
    case 1: return #"{"add": {"name": "n\#(name)", "default": \#(value(depth: 1))}}"#
    case 2: return #"{"add": {"name": "n\#(name)"}}"#
    case 3: return #"{"remove": {"name": "\#(name)", "default": \#(value(depth: 1))}}"#
    case 4: return #"{"remove": {"name": "\#(name)"}}"#
    case 5: return #"{"hoist": {"host": "\#(host)", "name": "\#(name)", "prune": \#(flag)}}"#
    case 6: return #"{"plunge": {"host": "h\#(host)", "name": "\#(name)", "create": \#(flag)}}"#
    case 7: return #"{"\#(flag ? "wrap" : "head")": {"name": "\#(name)"}}"#
    case 8:
      let types = [
        #""sourceType": "integer", "destinationType": "string""#,
        #""sourceType": "real", "destinationType": "integer""#,
        #""sourceType": "string", "destinationType": "real""#,
        #""sourceType": "date", "destinationType": "string", "format": "medium", "zone": "UTC""#,
        #""values": [[-1, "x"], [0, "x"], [1, "12"], [2, true]]"#,
        #""values": [[0, "x"], [1, 5], [true, "12"]], "else": "x""#,
        #""values": [["x", 1], ["12", 0]], "else": 2, "elseBackward": "12""#,
        #""sourceType": "date", "destinationType": "string", "format": "HH:mm d MMM yyyy", "zone": "UTC""#,
        #""sourceType": "date", "destinationType": "string", "format": "unix""#,
        #""sourceType": "string", "destinationType": "date", "format": "iso8601""#,
        #""sourceType": "string", "destinationType": "url""#,
        #""sourceType": "string", "destinationType": "decimal""#,
        #""sourceType": "decimal", "destinationType": "string""#,
        #""sourceType": "list", "destinationType": "point""#,
        #""sourceType": "range", "destinationType": "object""#,
        #""sourceType": "color", "destinationType": "string""#,
        #""sourceType": "string", "destinationType": "color""#,
      ]
      return #"{"convert": {"name": "\#(name)", \#(types[below(types.count)])}}"#
    case 9: return #"{"in": {"name": "\#(name)", "lens": \#(lens(depth: depth - 1))}}"#
    case 10:
      return
        #"{"in": {"name": "\#(name)", "lens": [{"map": {"lens": \#(lens(depth: depth - 1))}}]}}"#
    default: return #"{"map": {"names": "[\#(name)\#(host)]", "lens": \#(lens(depth: depth - 1))}}"#
    }
  }
}

@Suite struct LensLawTests {
  /// How many of the random lenses fitted their values, so that the tests below cannot be empty.
  private static func pairs(_ seeds: Range<Int>) throws -> [(
    lens: String, value: String, there: (text: String, lost: String, titles: [String])
  )] {
    var pairs:
      [(lens: String, value: String, there: (text: String, lost: String, titles: [String]))] = []
    for seed in seeds {
      var maker = LawMaker(seed: seed + 1)
      let (lens, value) = (maker.lens(depth: 2), maker.object(depth: 2))
      do {
        pairs.append((lens, value, try LensBench.apply(lens, value)))
      } catch is ArchiveError {}
    }
    return pairs
  }

  @Test(arguments: [0..<1500, 1500..<3000, 3000..<4500])
  func whatIsTakenAndPutBackIsTheSame(_ seeds: Range<Int>) throws {
    let pairs = try Self.pairs(seeds)
    #expect(pairs.count > seeds.count / 4)
    for (lens, value, there) in pairs {
      let back = try LensBench.apply(lens, there.text, .backward, kept: there.lost)
      #expect(try LensBench.isSame(back.text, value), "\(lens) \(value) \(there.text) \(back.text)")
      guard there.titles.isEmpty else { continue }
      let alone = try LensBench.apply(lens, there.text, .backward)
      #expect(try LensBench.isSame(alone.text, value), "\(lens) \(value) \(alone.text)")
    }
  }

  /// A value of the target that was changed goes back, and comes out as it was changed.
  @Test(arguments: [0..<1500, 1500..<3000, 3000..<4500])
  func whatIsPutIsWhatIsTaken(_ seeds: Range<Int>) throws {
    var count = 0
    for (lens, _, there) in try Self.pairs(seeds) {
      let changed = there.text.replacingOccurrences(of: #""x""#, with: #""12""#)
        .replacingOccurrences(of: ":2019-04-06T03:50:01Z", with: ":2019-04-06T03:50:02Z")
        .replacingOccurrences(of: ":0.75", with: ":0.25")
      guard changed != there.text,
        let back = try? LensBench.apply(lens, changed, .backward, kept: there.lost)
      else { continue }
      count += 1
      let again = try LensBench.apply(lens, back.text, kept: back.lost)
      #expect(
        try LensBench.isSame(again.text, changed), "\(lens) \(changed) \(back.text) \(again.text)")
    }
    #expect(count > 20)
  }
}
