// The typed decoder compared with NSKeyedUnarchiver: the same values, or an error where Apple's raises an exception.

import Basics
import Foundation
import KeyedArchives
import ObjectGraph
import TestSupport
import Testing

@Suite struct KeyedDecoderTests {
  /// What NSKeyedArchiver wrote with top-level keys, and Foundation's own decoder of the same bytes.
  private struct Pair {
    let decoder: KeyedDecoder
    let judge: NSKeyedUnarchiver

    init(_ encode: (NSKeyedArchiver) -> Void) throws {
      let archiver = NSKeyedArchiver(requiringSecureCoding: false)
      encode(archiver)
      archiver.finishEncoding()
      decoder = try KeyedDecoder(try readGraph(archiver.encodedData))
      judge = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
      judge.decodingFailurePolicy = .setErrorAndReturn
    }
  }

  static let integers: [Int64] = [
    0, 1, -1, 127, 128, 255, -129, 32_767, 65_536, 2_147_483_647, 2_147_483_648, -2_147_483_648,
    -2_147_483_649, .max, .min,
  ]

  @Test(arguments: integers) func integersOfAnyWidthAreDecodedAsAnyThatTheyFit(_ number: Int64)
    throws
  {
    let pair = try Pair { $0.encode(number, forKey: "n") }
    #expect(try pair.decoder.decodeInt64(forKey: "n") == pair.judge.decodeInt64(forKey: "n"))
    if let narrow = Int32(exactly: number) {
      #expect(try pair.decoder.decodeInt32(forKey: "n") == narrow)
      #expect(pair.judge.decodeInt32(forKey: "n") == narrow)
    } else {
      #expect(code { _ = try pair.decoder.decodeInt32(forKey: "n") } == .outOfRange)
    }
    let byte = try? pair.decoder.decodeInteger(forKey: "n", as: UInt8.self)
    #expect(byte == UInt8(exactly: number))
  }

  @Test(arguments: [0, -0.0, 1.5, 0.1, 1e300, -1e-300, .infinity, -.infinity] as [Double])
  func realsAreDecodedAsEitherWidth(_ number: Double) throws {
    let pair = try Pair {
      $0.encode(number, forKey: "wide")
      $0.encode(Float(number), forKey: "narrow")
    }
    #expect(try pair.decoder.decodeDouble(forKey: "wide") == number)
    #expect(
      try pair.decoder.decodeDouble(forKey: "narrow") == pair.judge.decodeDouble(forKey: "narrow"))
    if Float(number).isFinite || number.isInfinite {
      #expect(
        try pair.decoder.decodeFloat(forKey: "wide") == pair.judge.decodeFloat(forKey: "wide"))
    } else {
      #expect(code { _ = try pair.decoder.decodeFloat(forKey: "wide") } == .outOfRange)
    }
  }

  @Test func missingKeysAreZeroFalseOrNil() throws {
    let pair = try Pair { $0.encode(1, forKey: "there") }
    let (decoder, judge) = (pair.decoder, pair.judge)
    #expect(!decoder.containsValue(forKey: "n") && !judge.containsValue(forKey: "n"))
    #expect(decoder.containsValue(forKey: "there") && judge.containsValue(forKey: "there"))
    #expect(try decoder.decodeBool(forKey: "n") == judge.decodeBool(forKey: "n"))
    #expect(try decoder.decodeInt32(forKey: "n") == judge.decodeInt32(forKey: "n"))
    #expect(try decoder.decodeInt64(forKey: "n") == judge.decodeInt64(forKey: "n"))
    #expect(try decoder.decodeInteger(forKey: "n") == judge.decodeInteger(forKey: "n"))
    #expect(try decoder.decodeFloat(forKey: "n") == judge.decodeFloat(forKey: "n"))
    #expect(try decoder.decodeDouble(forKey: "n") == judge.decodeDouble(forKey: "n"))
    #expect(try decoder.decodeBytes(forKey: "n") == nil)
    #expect(try decoder.decodeObject(forKey: "n") == nil)
    #expect(judge.decodeObject(forKey: "n") == nil)
  }

  /// Apple's decoder raises NSInvalidUnarchiveOperationException here; the one on Linux converts.
  @Test(arguments: ["bool", "integer", "real", "bytes", "object", "data"])
  func otherTypesAreNotCoerced(_ key: String) throws {
    let decoder = try Pair { archiver in
      archiver.encode(true, forKey: "bool")
      archiver.encode(1, forKey: "integer")
      archiver.encode(1.0, forKey: "real")
      [UInt8](1...3).withUnsafeBufferPointer { bytes in
        archiver.encodeBytes(bytes.baseAddress, length: 3, forKey: "bytes")
      }
      archiver.encode(NSNumber(value: 1), forKey: "object")
      archiver.encode(Data([1]), forKey: "data")
    }.decoder
    let name = KeyedDecoderKey.name(key)
    let methods: [(String, () throws -> Void)] = [
      ("bool", { _ = try decoder.decodeBool(forKey: name) }),
      ("integer", { _ = try decoder.decodeInteger(forKey: name) }),
      ("real", { _ = try decoder.decodeDouble(forKey: name) }),
      ("real", { _ = try decoder.decodeFloat(forKey: name) }),
      ("bytes", { _ = try decoder.decodeBytes(forKey: name) }),
      ("object data", { _ = try decoder.decodeObject(forKey: name) }),
      ("array", { _ = try decoder.decodeObjects(forKey: name) }),
    ]
    for (type, decode) in methods {
      #expect(code(decode) == (type.contains(key) ? nil : .mismatch), "\(key) as \(type)")
    }
  }

  @Test func namesThatBeginWithADollarSignAreFoundAsTheyWereGiven() throws {
    let pair = try Pair {
      $0.encode(1, forKey: "$price")
      $0.encode(2, forKey: "price")
      $0.encode("unnamed" as NSString)
    }
    #expect(try pair.decoder.decodeInteger(forKey: "$price") == 1)
    #expect(pair.judge.decodeInteger(forKey: "$price") == 1)
    #expect(try pair.decoder.decodeInteger(forKey: "price") == 2)
    #expect(pair.decoder.keys == ["$price", "price", .number(0)])
    #expect(try pair.decoder.decodeObject(forKey: .number(0)) != nil)
    #expect(pair.judge.decodeObject() as? String == "unnamed")
  }

  @Test func objectsDecodeTheirOwnFields() throws {
    let url = TestArchives.root.appendingPathComponent("Movie/v0-mirror-class-inline")
    let graph = try readGraph(Data(contentsOf: url))
    let movie = try #require(try KeyedDecoder(graph).decodeObject(forKey: "root"))
    let decoder = try KeyedDecoder(graph, object: movie)
    #expect(decoder.objectClass?.name.hasSuffix("MovieClass") == true)
    let name = try #require(try decoder.decodeObject(forKey: "name"))
    #expect(graph.text(of: name)?.string == "Avatar")
    #expect(try decoder.decodeInteger(forKey: "releaseYear") == 2009)
    #expect(throws: ArchiveError.self) { try KeyedDecoder(graph, object: name) }
  }

  @Test func nothingElseHasTopLevelValues() throws {
    let graph = try readGraph(Data("{\"a\": 1}".utf8))
    #expect(code { _ = try KeyedDecoder(graph) } == .mismatch)
    #expect(code { _ = try KeyedDecoder(graph, document: 7) } == .mismatch)
  }

  private func code(_ body: () throws -> Void) -> ArchiveError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? ArchiveError)?.code }
  }
}
