// `dump --offsets` and `dump --hex`, compared with the bytes themselves.

import Foundation
import TestSupport
import Testing

@Suite struct PlacesTests {
  @Test(arguments: ["Movie/v1", "Movie/v2", "WeatherFeed/v1-1-city", "Graphs/mutable-collections"])
  func eachOffsetPointsAtItsValue(_ path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: TestArchives.root.appendingPathComponent(path)))
    let result = try Program.run(arguments: ["dump", "--offsets", path])
    var strings = 0
    for line in result.text.split(separator: "\n") {
      guard let quoted = line.firstMatch(of: /: "([ -~]*)" @(\d+)\+(\d+)$/),
        let start = Int(quoted.2), let length = Int(quoted.3)
      else { continue }
      // The marker, perhaps a count, and the characters.
      let text = String(decoding: bytes[start..<start + length], as: UTF8.self)
      #expect(text.hasSuffix(quoted.1), "\(line)")
      #expect(bytes[start] >> 4 == 5, "\(line)")
      strings += 1
    }
    #expect(strings > 1)
  }

  @Test func offsetsOfTextPointAtElements() throws {
    let file = try TemporaryFolder().file("Movie.plist")
    let converted = try Program.run(arguments: ["convert", "--to", "xml1", "Movie/v1"])
    let result = try Program.run(
      arguments: ["dump", "--raw", "--offsets", "-"], input: converted.output)
    let text = converted.output
    for line in result.text.split(separator: "\n") {
      guard let place = line.firstMatch(of: /@(\d+)$/), let start = Int(place.1) else { continue }
      #expect(text[start] == UInt8(ascii: "<"), "\(line) \(file)")
    }
    #expect(result.text.split(separator: "\n").count > 20)
  }

  @Test func hexShowsExactlyTheBytesOfTheValue() throws {
    let bytes = [UInt8](try Data(contentsOf: TestArchives.root.appendingPathComponent("Movie/v2")))
    let result = try Program.run(arguments: ["dump", "--hex", "$.director", "Movie/v2"])
    #expect(result.status == 0)
    let rows = result.text.split(separator: "\n").compactMap { line -> (Int, [UInt8])? in
      guard let row = line.firstMatch(of: /^([0-9a-f]{8})  ([0-9a-f ]+?) +\|/) else { return nil }
      let values = row.2.split(separator: " ").compactMap { UInt8($0, radix: 16) }
      return Int(row.1, radix: 16).map { ($0, values) }
    }
    #expect(rows.count >= 3)
    for (offset, values) in rows { #expect(Array(bytes[offset..<offset + values.count]) == values) }
    #expect(result.text.contains("marker 0x5d: ASCII string, count 13"))
  }

  @Test(
    arguments: [
      ("$.nothing", 1, "no key 'nothing' here (at $)"),
      ("$.name[0]", 1, "no element 0 here (at $.name)"),
      ("nothing", 1, "no key 'nothing' here (at $)"), ("/~2", 64, "'--hex' needs a path"),
      ("$.", 64, "a key must follow the dot"),
      ("$[x]", 64, "a number or a quoted key"), ("$['x", 64, "the quoted key has no end"),
    ] as [(String, Int32, String)])
  func saysWhatIsWrongWithAPath(_ path: String, _ status: Int32, _ message: String) throws {
    let result = try Program.run(arguments: ["dump", "--hex", path, "Movie/v1"])
    #expect(result.status == status)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}
