// Objects with invalid contents for their class: every class of the registry, with keys that are missing, have another
// type, are out of range, or refer back to the object.

import ArchiveBasics
import ArchiveGraph
import ArchiveRendering
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct ClassHostileTests {
  static let families: [[String]] = ClassRegistry.listing.flatMap { $0.classes.map(\.names) }

  /// Reads objects in an array as damaged archives are read, draws them, and gives their lines by object.
  private static func lines(_ objects: [ArchivedSample]) throws -> [String] {
    let data = ArchivedSample.array(objects).archive
    let reader = ArchiveReader(recovering: true)
    let graph = try reader.read(ByteStorage(copying: Array(data)))
    var output = OutputBuffer(descriptor: nil)
    try TreeRenderer.render(
      graph.root, of: graph, options: TreeRenderer.Options(depth: 2), to: &output)
    let text = String(decoding: output.bytes.bytes, as: UTF8.self)
    return text.split(separator: "\n").filter { $0.hasPrefix("├─ [") || $0.hasPrefix("└─ [") }
      .map(String.init)
  }

  private static func check(_ objects: [ArchivedSample], _ name: String) throws {
    let lines = try Self.lines(objects)
    #expect(lines.count == objects.count, "\(name)")
    for line in lines {
      // One line of bounded length with a meaning, if any, and nothing around it.
      #expect(!line.hasSuffix(" ") && !line.contains("]:  "), "\(name): \(line)")
      if line.contains(") ") { #expect(line.utf8.count < 3000, "\(name): \(line.prefix(200))") }
    }
  }

  @Test(arguments: families)
  func standsAnyValueUnderAnyKey(_ names: [String]) throws {
    let name = try #require(names.first)
    let chain = [name, "NSObject"]
    var objects = names.map { ArchivedSample.instance([$0, "NSObject"], []) }
    let keys = HostileSamples.keys(of: names)
    // A part of all values for each family; between them the families meet them all.
    for value in HostileSamples.part(6, from: keys.count) {
      objects.append(.instance(chain, keys.map { ($0, value) }))
    }
    try Self.check(objects, name)
  }

  @Test(arguments: families)
  func standsAKeyThatIsNotWhatTheOthersAre(_ names: [String]) throws {
    var turn = 0
    for name in names {
      var objects: [ArchivedSample] = []
      for fields in (HostileSamples.sound[name] ?? []).prefix(6) {
        for position in fields.indices {
          turn += 1
          var rest = fields
          rest.remove(at: position)
          objects.append(.instance([name, "NSObject"], rest))
          for value in HostileSamples.part(6, from: turn) {
            var changed = fields
            changed[position].1 = value
            objects.append(.instance([name, "NSObject"], changed))
          }
        }
      }
      if !objects.isEmpty { try Self.check(objects, name) }
    }
  }

  @Test(arguments: families)
  func standsValuesAtRandom(_ names: [String]) throws {
    var maker = SampleMaker(seed: UInt64(names.joined().utf8.count))
    let keys = HostileSamples.keys(of: names)
    let objects = (0..<12).map { _ in
      let name = names[maker.next(names.count)]
      let fields = keys.filter { _ in maker.next(3) > 0 }.map { key in
        (key, HostileSamples.values[maker.next(HostileSamples.values.count)])
      }
      return ArchivedSample.instance([name, "NSObject"], fields)
    }
    try Self.check(objects, names.joined(separator: ", "))
  }
}
