// Integers of 128 bits and UIDs of 64 in every command: kept as they are, or refused with their path.

import Foundation
import TestSupport
import Testing

@Suite struct WideValueTests {
  /// A list of numbers of 16 bytes.
  private static func list(_ numbers: [Int128]) -> Data {
    table(
      [[0xA0 | UInt8(numbers.count)] + (1...numbers.count).map { UInt8($0) }] + numbers.map(integer)
    )
  }

  private static func integer(_ number: Int128) -> [UInt8] {
    [0x14] + (0..<16).map { UInt8(truncatingIfNeeded: number >> (120 - $0 * 8)) }
  }

  private static func table(_ objects: [[UInt8]]) -> Data {
    var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    var trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [objects.count, 0, bytes.count] {
      trailer += [0, 0, 0, 0, 0, 0, 0, UInt8(number)]
    }
    return Data(bytes + offsets + trailer)
  }

  private static let numbers: [Int128] = [
    1 << 64, .max, .min, -(1 << 63) - 1, 5, -5, 1 << 63, (1 << 64) - 1,
  ]

  private func bench() throws -> Workbench {
    let bench = try Workbench()
    try bench.write(Self.list(Self.numbers), to: "i")
    try bench.write(Self.list([0] + Self.numbers.dropFirst()), to: "other")
    try bench.write(Self.table([[0xD1, 1, 2], Self.integer(1 << 64), [0x10, 7]]), to: "k")
    try bench.write(Self.table([[0xA1, 1], [0x87] + [UInt8](repeating: 0xFF, count: 8)]), to: "u")
    return bench
  }

  @Test func allDigitsAreShownAndCompared() throws {
    let bench = try bench()
    let shown = try bench.run("dump", "i").text
    let compact = try bench.run("dump", "--format", "json", "--compact", "i").text
    for (index, number) in Self.numbers.enumerated() {
      #expect(shown.contains("[\(index)]: \(number)\n") || shown.hasSuffix("[\(index)]: \(number)"))
      #expect(try bench.run("get", "i", "$[\(index)]").text == "\(number)\n")
    }
    #expect(compact == "[\(Self.numbers.map { "\($0)" }.joined(separator: ","))]\n")
    #expect(
      try bench.run("query", "$[?@ > 18446744073709551616]", "i").text == "$[1]: \(Int128.max)\n")
    let difference = try bench.run("diff", "i", "other")
    #expect(difference.status == 1)
    #expect(difference.text == "~ $[0]: 18446744073709551616 → 0\n")
    #expect(try bench.run("dump", "k").text.contains("18446744073709551616: 7"))
    try bench.write(#"{"items": {"maximum": 18446744073709551616}}"#, to: "s.json")
    let report = try bench.run("validate", "--schema-file", "s.json", "i")
    #expect(report.status == 1 && report.errors.contains("\(Int128.max)"), "\(report.text)")
  }

  @Test(arguments: ["i", "k", "u"]) func copiesKeepThem(_ name: String) throws {
    let bench = try bench()
    let original = try bench.run("dump", "--format", "json", "--typed", name).text
    let steps = [
      ["convert", "--to", "binary1", name, "-o", "binary"],
      ["convert", "--plain", "--to", "binary1", name, "-o", "plain"],
      ["convert", "--to", "json", "--typed", name, "-o", "typed"],
      ["convert", "--to", "binary1", "typed", "-o", "back"],
    ]
    for step in steps { #expect(try bench.run(step).status == 0, "\(step)") }
    // A plain list has digits as keys.
    for copy in name == "k" ? ["binary", "back"] : ["binary", "plain", "back"] {
      #expect(try bench.run("diff", name, copy).status == 0, "\(copy)")
      #expect(
        try bench.run("dump", "--format", "json", "--typed", copy).text == original, "\(copy)")
    }
  }

  @Test(arguments: ["xml1", "json", "openstep", "swift", "objc", "typedstream"])
  func formatsWithoutThemRefuseThem(_ target: String) throws {
    let bench = try bench()
    let integer = try bench.run("convert", "--to", target, "i", "-o", "-")
    #expect(integer.status == 1 && integer.errors.contains("(at $[0])"), "\(integer.errors)")
    let uid = try bench.run("convert", "--to", target, "u", "-o", "-")
    #expect(uid.status != 0 && uid.output.isEmpty, "\(uid.errors)")
  }

  @Test func aUIDOfMoreThan64BitsIsRefused() throws {
    let bench = try Workbench()
    try bench.write(
      Self.table([[0xA1, 1], [0x88, 1] + [UInt8](repeating: 0, count: 8)]), to: "f")
    try bench.write(
      Self.table([[0xA1, 1], [0x88, 0] + [UInt8](repeating: 1, count: 8)]), to: "g")
    #expect(
      try bench.run("dump", "f").errors.contains("f@10: error: the UID has more than 64 bits"))
    #expect(try bench.run("dump", "g").text.contains("UID 72340172838076673"))
  }

  /// Random tables of all markers and widths, read by other decoders.
  @Test(.enabled(if: Program.find("python3") != nil)) func conversionsKeepEveryValue() throws {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/binary_values.py").path
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", script, Program.folder + "/archtool", "100", "1"])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }
}
