// Random property lists of all types, others in each run, converted and read by other programs.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

/// A run of random values; `ARCHTOOL_SEED` repeats one that failed, `ARCHTOOL_BATCHES` makes it longer.
enum RandomValues {
  static let batches =
    ProcessInfo.processInfo.environment["ARCHTOOL_BATCHES"].flatMap { Int($0) } ?? 25
  static let perBatch = 100

  static let seed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["ARCHTOOL_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0 ... .max)
    print("random values: ARCHTOOL_SEED=\(seed)")
    return seed
  }()

  static func batch(
    _ number: Int, hasUIDs: Bool = false, hasNulls: Bool = false,
    hasByteOrderMarks: Bool = true, hasDatesAndData: Bool = true
  ) -> [SampleValue] {
    (0..<perBatch).map { position in
      var maker = SampleMaker(
        seed: seed &+ UInt64(number * perBatch + position), hasUIDs: hasUIDs, hasNulls: hasNulls)
      maker.hasByteOrderMarks = hasByteOrderMarks
      maker.hasDatesAndData = hasDatesAndData
      return maker.value(depth: 4)
    }
  }
}

/// Converts bytes as `archtool convert` does.
func convert(
  _ data: Data, to target: ConversionTarget, isTyped: Bool = false
) throws(ArchiveError) -> Data {
  var conversion = Conversion(to: target)
  conversion.isTyped = isTyped
  var output = OutputBuffer(descriptor: nil)
  _ = try conversion.run(ByteStorage(copying: Array(data)), name: "test", to: &output)
  return Data(output.bytes.bytes)
}

@Suite struct RandomConversionTests {
  @Test(arguments: 0..<RandomValues.batches)
  func plistlibReadsWhatIsWritten(_ batch: Int) throws {
    let values = RandomValues.batch(batch, hasUIDs: true)
    let binaries = values.map { Data(BinaryWriter.write($0.document).array) }
    let xmls = try binaries.map { data in try convert(data, to: .xml) }
    let seed = "seed \(RandomValues.seed), batch \(batch)"
    #expect(try Judge.plistlib(binaries) == values.map(\.canonical), "\(seed)")
    // In XML plistlib leaves UIDs the dictionaries that they are spelled as.
    let told = try Judge.plistlib(xmls)
    for (found, value) in zip(told, values) {
      #expect(found == value.withSpelledUIDs.canonical, "\(seed)")
    }
  }

  @Test(arguments: 0..<RandomValues.batches)
  func foundationReadsWhatIsWritten(_ batch: Int) throws {
    for (position, value) in RandomValues.batch(batch, hasByteOrderMarks: false).enumerated() {
      let binary = Data(BinaryWriter.write(value.document).array)
      for data in [binary, try convert(binary, to: .xml)] {
        let object = try PropertyListSerialization.propertyList(from: data, format: nil)
        #expect(
          SampleValue(foundation: object).canonical == value.canonical,
          "seed \(RandomValues.seed), batch \(batch), value \(position)")
      }
    }
  }

  @Test(.enabled(if: Program.find("plistutil") != nil), arguments: 0..<RandomValues.batches)
  func plistutilReadsWhatIsWritten(_ batch: Int) throws {
    // UIDs in XML stay dictionaries to plistutil 2.2, and its own XML has reals of fewer digits: what it
    // makes binary it makes so exactly.
    let values = [true, false].map { SampleValue.array(RandomValues.batch(batch, hasUIDs: $0)) }
    let binaries = values.map { Data(BinaryWriter.write($0.document).array) }
    let lists = [binaries[0], try convert(binaries[1], to: .xml)]
    let told = try Judge.plistlib(lists.map { list in try Judge.plistutil(list, to: "bin") })
    #expect(told == values.map(\.canonical), "seed \(RandomValues.seed), batch \(batch)")
  }

  @Test(arguments: 0..<RandomValues.batches)
  func comeBackTheSame(_ batch: Int) throws {
    for value in RandomValues.batch(batch, hasUIDs: true) {
      let binary = Data(BinaryWriter.write(value.document).array)
      let xml = try convert(binary, to: .xml)
      #expect(try convert(xml, to: .binary) == binary, "seed \(RandomValues.seed)")
    }
    for value in RandomValues.batch(batch, hasUIDs: true, hasNulls: true) {
      let binary = Data(BinaryWriter.write(value.document).array)
      #expect(try convert(binary, to: .binary) == binary, "seed \(RandomValues.seed)")
      let typed = try convert(binary, to: .json, isTyped: true)
      #expect(try convert(typed, to: .binary) == binary, "seed \(RandomValues.seed)")
    }
  }

  @Test(arguments: 0..<RandomValues.batches)
  func plainJSONIsReadByOthers(_ batch: Int) throws {
    let values = RandomValues.batch(batch, hasNulls: true, hasDatesAndData: false)
    let binaries = values.map { Data(BinaryWriter.write($0.document).array) }
    let texts = try binaries.map { data in try convert(data, to: .json) }
    let told = try Judge.json(texts)
    for (found, value) in zip(told, values) {
      #expect(found == value.canonical, "seed \(RandomValues.seed), batch \(batch)")
    }
    for (text, binary) in zip(texts, binaries) {
      #expect(try convert(text, to: .binary) == binary, "seed \(RandomValues.seed)")
    }
  }
}
