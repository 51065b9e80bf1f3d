// Texts whose bytes do not match their declared encoding: one line on standard error, and no message of a library.

import Foundation
import TestSupport
import Testing

@Suite struct DamagedEncodingTests {
  private static func xml(_ declared: String) -> [UInt8] {
    Array("<?xml version=\"1.0\"\(declared)?><plist><string>a@@b</string></plist>".utf8)
  }

  private static func wide(_ text: [UInt8], mark: [UInt8], width: Int) -> [UInt8] {
    mark + text.flatMap { [$0] + [UInt8](repeating: 0, count: width - 1) }
  }

  /// Each with two characters that the bytes of `damage` replace.
  private static let inputs: [(text: [UInt8], damaged: [UInt8], damage: [UInt8])] = [
    (xml(" encoding=\"UTF-8\""), Array("@@".utf8), [0xC3, 0x28]),
    (xml(" encoding=\"Shift_JIS\""), Array("@@".utf8), [0x83, 0xFF]),
    (xml(" encoding=\"US-ASCII\""), Array("@@".utf8), [0xC3, 0xBC]),
    (xml(" encoding=\"nonsense\""), [], []),
    (wide(xml(""), mark: [0xFF, 0xFE], width: 2), [0x40, 0, 0x40, 0], [0, 0xD8, 0x40, 0]),
    (wide(xml(""), mark: [0xFF, 0xFE, 0, 0], width: 4), [0x40, 0, 0, 0], [0, 0xD8, 0, 0]),
    (wide(xml(""), mark: [], width: 4), [0x40, 0, 0, 0], [0, 0, 0x11, 0]),
    (Array("[\"@@\"]".utf8), Array("@@".utf8), [0xC3, 0x28]),
    (wide(Array("(\"@@\")".utf8), mark: [], width: 2), [0x40, 0, 0x40, 0], [0, 0xDC, 0x40, 0]),
  ]

  @Test(arguments: inputs.indices) func areAnErrorOfOneLine(_ position: Int) throws {
    let (text, damaged, damage) = Self.inputs[position]
    var data = Data(text)
    if let range = data.range(of: Data(damaged)) { data.replaceSubrange(range, with: damage) }
    let folder = try TemporaryFolder()
    let file = folder.file("input")
    try data.write(to: file)
    let result = try Program.run(arguments: ["dump", file.path])
    #expect(result.status == 65)
    #expect(result.output.isEmpty)
    let lines = result.errors.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 && lines.last == "", "\(result.errors)")
    #expect([":", "@"].contains(lines[0].dropFirst(file.path.count).first), "\(result.errors)")
  }
}
