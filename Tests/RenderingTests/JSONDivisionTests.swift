// JSON that several threads write: the same bytes as one thread writes.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct JSONDivisionTests {
  private func limits(
    _ threads: Int, outputBytes: Int = 1 << 30, expandedNodes: Int? = nil
  ) -> Limits {
    var limits = Limits(
      expandedNodes: expandedNodes, outputBytes: outputBytes, threads: threads)
    if threads > 1 { limits.largeInputs = .all }
    return limits
  }

  private func json(
    _ data: Data, threads: Int, outputBytes: Int = 1 << 30, expandedNodes: Int? = nil,
    compact: Bool = false
  ) throws(ArchiveError) -> [UInt8] {
    let limits = limits(threads, outputBytes: outputBytes, expandedNodes: expandedNodes)
    let graph = try ArchiveReader(limits: limits).read(ByteStorage(copying: Array(data)))
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(
      graph.root, of: graph, options: JSONWriter.Options(isCompact: compact), to: &output)
    try output.finish()
    return Array(output.bytes.bytes)
  }

  private func binary(_ list: Any) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
  }

  @Test(arguments: TestArchives.all.filter(\.decodable), [true, false])
  func threadsWriteWhatOneWrites(_ entry: ManifestEntry, compact: Bool) throws {
    let data = try Data(contentsOf: entry.url)
    let one = try json(data, threads: 1, compact: compact)
    #expect(try json(data, threads: 3, compact: compact) == one)
  }

  /// Lists of every shape; in some a part is far longer than what waits for its turn.
  enum Shape: String, CaseIterable {
    case short, uneven, nested, long, members, manyMembers, data, empty

    var list: Any {
      switch self {
      case .short: (0..<2000).map { ["n": $0, "s": "text \($0)"] as [String: Any] }
      case .uneven:
        (0..<300).map { ["l": [Int](repeating: $0, count: $0 * $0 % 997)] }
      case .nested: (0..<30).map { a in (0..<30).map { b in (0..<5).map { [a, b, $0] } } }
      case .long:
        (0..<12).map { a in
          (0..<(a % 3 == 1 ? 60 : 2)).map { String(repeating: "x\(a)\($0)", count: 2000) }
        }
      case .members:
        Dictionary(uniqueKeysWithValues: (0..<500).map { ("key \($0)", [$0, $0]) })
      case .manyMembers:
        (0..<40).map { a in
          Dictionary(uniqueKeysWithValues: (0..<40).map { ("\(a).\($0)", ["v": $0]) })
        }
      case .data: (0..<200).map { ["d": Data(repeating: UInt8($0), count: $0)] }
      case .empty: (0..<500).map { $0 % 2 == 0 ? [Int]() : [$0] }
      }
    }
  }

  @Test(arguments: Shape.allCases, [2, 5])
  func partsComeInOrder(_ shape: Shape, threads: Int) throws {
    let data = try binary(shape.list)
    #expect(try json(data, threads: threads) == json(data, threads: 1))
  }

  /// What archives make of the fields of objects is made by one thread at a time.
  @Test func interpretersAreAskedOneAfterAnother() throws {
    let objects = ArchivedSample.array((0..<400).map { .array(Self.interpreted($0)) })
    let one = try json(objects.archive, threads: 1)
    let text = String(decoding: one, as: UTF8.self)
    for part in ["2001-01-01T00:00:07Z", "https://example.com/7", "m 7", "00000000-0000-0007-"] {
      #expect(text.contains(part))
    }
    #expect(try json(objects.archive, threads: 4) == one)
  }

  /// Objects of classes whose values are made of their fields.
  private static func interpreted(_ number: Int) -> [ArchivedSample] {
    let date = ArchivedSample.object("NSDate", ["NS.time": .inline(.real(Double(number)))])
    let text = ArchivedSample.stored(.string("m \(number)"))
    let address = ArchivedSample.stored(.string("https://example.com/\(number)"))
    let bytes = (0..<16).map { UInt8(truncatingIfNeeded: $0 == 7 ? number : 0) }
    let element = ArchivedSample.inline(.integer(Int64(number)))
    return [
      date, .object("NSURL", ["NS.base": .null, "NS.relative": address]), .null,
      .object("NSDateInterval", ["NS.startDate": date, "NS.duration": 2.0]),
      .instance(["NSMutableString", "NSString", "NSObject"], [("NS.string", text)]),
      .object("NSUUID", ["NS.uuidbytes": .data(bytes)]),
      number == 7
        ? .object("NSSet", ["NS.objects": .list([date])])
        : .object("NSOrderedSet", ["NS.objects": .list([element])]),
    ]
  }

  /// Objects whose fields have numbers as keys, which are shown by their labels: these are found when they are needed.
  @Test func labelsAreFoundByOneThreadAtATime() throws {
    let count = 400
    var builder = GraphBuilder()
    func dictionary(_ pairs: [(UInt32, UInt32)], _ builder: inout GraphBuilder) -> UInt32 {
      builder.open()
      for (key, value) in pairs {
        builder.append(key)
        builder.append(value)
      }
      return builder.closeDictionary()
    }
    let (className, classKey) = (builder.add("$classname"), builder.add("$class"))
    var objects = [builder.add("$null"), dictionary([(className, builder.add("A"))], &builder)]
    for number in 0..<count {
      let fields = [
        (builder.add(Int64(number)), builder.add(Int64(7))), (classKey, builder.add(uid: 1)),
      ]
      objects.append(dictionary(fields, &builder))
    }
    builder.open()
    for number in 0..<count { builder.append(builder.add(uid: UInt64(number + 2))) }
    let list = builder.close()
    builder.open()
    for object in objects { builder.append(object) }
    let table = builder.close()
    let top = dictionary([(builder.add("root"), list)], &builder)
    let root = dictionary(
      [
        (builder.add("$archiver"), builder.add("NSKeyedArchiver")),
        (builder.add("$version"), builder.add(Int64(100_000))), (builder.add("$top"), top),
        (builder.add("$objects"), table),
      ], &builder)
    let data = Data(BinaryWriter.write(builder.finish(top: root)).array)
    let one = try json(data, threads: 1)
    #expect(String(decoding: one, as: UTF8.self).contains("\"#"))
    for _ in 0..<20 { #expect(try json(data, threads: 4) == one) }
  }

  @Test func archivesInDataAreOpenedBefore() throws {
    let inner = try binary(["a": [1, 2], "b": Date(timeIntervalSinceReferenceDate: 3)])
    let data = try binary((0..<300).map { $0 % 3 == 0 ? inner : Data([UInt8($0 % 250)]) })
    let text = try json(data, threads: 4)
    #expect(text == (try json(data, threads: 1)))
    #expect(String(decoding: text, as: UTF8.self).contains("\"a\""))
  }

  @Test(arguments: [1, 3]) func theOutputsLimitHolds(threads: Int) throws {
    let shared = String(repeating: "0123456789", count: 5_000)
    let data = try binary((0..<2000).map { [$0, shared] as [Any] })
    let error = #expect(throws: ArchiveError.self) {
      try json(data, threads: threads, outputBytes: 1 << 20)
    }
    #expect(error?.code == .limit)
    #expect(error?.message.contains("1048576 bytes") == true)
  }

  @Test(arguments: [1, 3]) func theLimitOfValuesHolds(threads: Int) throws {
    // Five levels of a hundred references to one list.
    var builder = GraphBuilder()
    builder.open()
    builder.append(builder.add(Int64(1)))
    var list = builder.close()
    for _ in 0..<5 {
      builder.open()
      for _ in 0..<100 { builder.append(list) }
      list = builder.close()
    }
    let data = Data(BinaryWriter.write(builder.finish(top: list)).array)
    let error = #expect(throws: ArchiveError.self) {
      try json(data, threads: threads, expandedNodes: 20_000)
    }
    #expect(error?.code == .limit)
    #expect(error?.message.contains("shared values multiply") == true)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func aFailedWriteEndsAllThreads() throws {
    let data = try binary(Shape.long.list)
    let graph = try ArchiveReader(limits: limits(4)).read(ByteStorage(copying: Array(data)))
    let descriptor = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    var output = OutputBuffer(descriptor: descriptor.fileDescriptor)
    try JSONWriter.write(graph.root, of: graph, to: &output)
    let error = #expect(throws: ArchiveError.self) { try output.finish() }
    #expect(error?.code == .inputOutput)
  }
}
