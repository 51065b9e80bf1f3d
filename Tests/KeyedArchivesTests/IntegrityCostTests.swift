// Archives designed to be expensive: lists shared by thousands of objects, and one object listed thousands of times.

import ArchiveBasics
import KeyedArchives
import Testing

/// Objects that share long lists: looked at once each, a check takes no longer than the file is large.
@Suite struct IntegrityCostTests {
  @Test(arguments: ["keys", "chains", "objects"])
  func sharedListsAreLookedAtOnce(_ shape: String) {
    let count = 20_000
    let builder = SharedLists(count: count)
    // Without one of the faults nothing is read for comparison: this is about the lints alone.
    let lints = Set(Lint.allCases).subtracting([.classNotAllowed])
    let found = IntegritySample.findings(builder.bytes(shape), lints)
    #expect(!found.contains { $0.severity == .error }, "\(found.prefix(3))")
  }
}

/// Keyed archives of many objects around one long list, in bytes.
private struct SharedLists {
  let count: Int

  func bytes(_ shape: String) -> [UInt8] {
    var values: [[UInt8]] = [
      dictionary([(1, 2), (3, 4), (5, 6), (7, 8)]),
      HandmadeList.text("$archiver"), HandmadeList.text("A"), HandmadeList.text("$version"),
      [0x12, 0, 1, 0x86, 0xA0], HandmadeList.text("$top"), dictionary([]),
      HandmadeList.text("$objects"), [],
      HandmadeList.text("$null"), HandmadeList.text("$class"), HandmadeList.text("$classname"),
      HandmadeList.text("$classes"), HandmadeList.text("NSDictionary"),
      HandmadeList.text("NS.keys"), HandmadeList.text("NS.objects"), [0x81, 0, 1],
      array([Int](repeating: 13, count: count)),
    ]
    // 18: the class record, object 1; 13 is its name, and 17 as many names.
    values.append(dictionary([(11, 13), (12, shape == "chains" ? 17 : 19)]))
    values.append(array([13]))
    var objects = [9, 18]
    switch shape {
    case "keys":
      for _ in 0..<count {
        values.append(dictionary([(10, 16), (14, 17), (15, 17)]))
        objects.append(values.count - 1)
      }
    case "chains":
      for _ in 0..<count {
        values.append(dictionary([(11, 13), (12, 17)]))
        objects.append(values.count - 1)
      }
    default:
      values.append(dictionary([(10, 16)] + (0..<count).map { _ in (15, 17) }))
      objects += [Int](repeating: values.count - 1, count: count)
    }
    values[8] = array(objects)
    return list(values)
  }

  private func array(_ references: [Int]) -> [UInt8] {
    [0xAF, 0x12] + HandmadeList.bigEndian(references.count, 4) + spell(references)
  }

  private func dictionary(_ pairs: [(Int, Int)]) -> [UInt8] {
    [0xDF, 0x12] + HandmadeList.bigEndian(pairs.count, 4) + spell(pairs.map(\.0) + pairs.map(\.1))
  }

  private func spell(_ references: [Int]) -> [UInt8] {
    references.flatMap { HandmadeList.bigEndian($0, 4) }
  }

  private func list(_ values: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for value in values {
      offsets += HandmadeList.bigEndian(bytes.count, 4)
      bytes += value
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 4, 4]
    for number in [values.count, 0, table] { bytes += HandmadeList.bigEndian(number, 8) }
    return bytes
  }
}
