// Decodes Decodable types from archives, and compares with Foundation's decoders.

import ArchiveKit
import Foundation
import TestSupport
import Testing

@Suite struct ArchiveDecodingTests {
  // The service's own names begin with capitals.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  private struct City: Decodable, Equatable {
    struct Temperature: Decodable, Equatable {
      struct Measurement: Decodable, Equatable {
        var Value: Double
        var Unit: String
      }

      var Metric: Measurement
    }

    var LocalizedName: String
    var IsDayTime: Bool
    var WeatherIcon: UInt8
    var Temperature: Temperature
  }

  private struct Feed: Decodable, Equatable {
    var topCityWeathers: [City]
    var comment: String?
  }

  private struct Everything: Codable, Equatable {
    enum Tag: String, Codable, CodingKeyRepresentable { case one, two }
    enum Choice: Codable, Equatable {
      case text(String)
      case pair(Int, b: Int)
      case nothing
    }

    var date = Date(timeIntervalSinceReferenceDate: 5.25)
    var data = Data([1, 2, 3])
    var url = URL(string: "https://example.com/a?b")
    var uuid = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")
    var decimal = Decimal(string: "12.25")
    var numbers: [Int8: Float] = [-3: 0.5, 7: 2]
    var tags: [Tag: [Int?]] = [.one: [1, nil], .two: []]
    var dates: [Date: String] = [Date(timeIntervalSinceReferenceDate: 0): "a"]
    var set: Set<String> = ["a", "b"]
    var choices: [Choice] = [.text("x"), .pair(1, b: 2), .nothing]
    var missing: String?
    var large = UInt64.max
  }

  private static func path(_ name: String) -> String {
    TestArchives.root.appendingPathComponent(name).path
  }

  private static func archived(_ root: NSObject) throws -> Archive {
    try Archive(
      bytes: NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false))
  }

  @Test func oneTypeReadsDictionariesAndCodable() throws {
    let feeds = try ["v1-50-cities", "v2-50-cities"].map { version in
      try Archive(contentsOf: Self.path("WeatherFeed/\(version)")).decode(Feed.self)
    }
    #expect(feeds[0] == feeds[1])
    #expect(feeds[0].topCityWeathers.count == 50)
    #expect(feeds[0].topCityWeathers[0].LocalizedName == "ঢাকা")
  }

  @Test func objectsOfAClassAreDecodedByTheirFields() throws {
    struct Movie: Decodable, Equatable {
      var name: String
      var releaseYear: Int
    }
    let movie = try Archive(contentsOf: Self.path("Movie/v0-nested-class")).decode(Movie.self)
    #expect(movie == Movie(name: "Avatar", releaseYear: 2009))
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func whatPropertyListEncoderWroteIsDecodedAsByItsDecoder(
    _ format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    let data = try encoder.encode(Everything())
    let expected = try PropertyListDecoder().decode(Everything.self, from: data)
    let found = try Archive(bytes: data).decode(Everything.self)
    #expect(found == expected, "\(found) \(expected)")
    let archived = try Self.archived(data as NSData)
    #expect(try archived.decode(Everything.self) == expected)
    #expect(try archived.decode(Data.self) == data)
  }

  @Test func objectsOfFoundationAreTheirSwiftTypes() throws {
    struct Model: Decodable {
      var date: Date
      var url: URL
      var uuid: UUID
      var set: Set<Int>
      var byNumber: [Int: String]
    }
    let uuid = UUID()
    let model = try Self.archived(
      [
        "date": NSDate(timeIntervalSinceReferenceDate: 1.5), "url": NSURL(string: "https://a")!,
        "uuid": uuid as NSUUID, "set": NSSet(array: [3, 4]),
        "byNumber": [5: "five"] as NSDictionary,
      ] as NSDictionary
    ).decode(Model.self)
    #expect(model.date == Date(timeIntervalSinceReferenceDate: 1.5) && model.uuid == uuid)
    #expect(model.url.absoluteString == "https://a" && model.set == [3, 4])
    #expect(model.byNumber == [5: "five"])
  }

  /// A text of an application's is that text; only property lists spell nil so.
  @Test func aTextThatSpellsNilInPropertyListsIsATextInArchives() throws {
    struct Model: Decodable { var text: String? }
    let text = ArchivedSample.instance(
      ["NSMutableString", "NSString", "NSObject"], [("NS.string", "$null")])
    let archive = try Archive(bytes: ArchivedSample.dictionary(["text": text]).archive)
    #expect(try archive.decode(Model.self).text == "$null")
  }

  // MARK: What does not fit

  private struct Bytes: Decodable { var v: Int8 }
  private struct Text: Decodable { var v: String }
  private struct Truth: Decodable { var v: Bool }
  private struct Narrow: Decodable { var v: Float }
  private struct Link: Decodable {
    indirect enum Next: Decodable { case next(Link) }
    var v: [Link]
  }

  @Test func valuesThatDoNotFitAreErrorsWithTheirPath() throws {
    let archive = try Self.archived(["v": 300, "w": NSNull()] as NSDictionary)
    func path(_ decode: () throws -> Void) -> String? {
      do {
        try decode()
        return nil
      } catch DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context),
        DecodingError.valueNotFound(_, let context)
      {
        return context.codingPath.map(\.stringValue).joined(separator: ".")
      } catch DecodingError.keyNotFound(let key, _) {
        return "no \(key.stringValue)"
      } catch {
        return "\(error)"
      }
    }
    #expect(path { _ = try archive.decode(Bytes.self) } == "v")
    #expect(path { _ = try archive.decode(Text.self) } == "v")
    #expect(path { _ = try archive.decode(Truth.self) } == "v")
    #expect(path { _ = try archive.decode([String: Int].self) } == "w")
    #expect(path { _ = try archive.decode(Feed.self) } == "no topCityWeathers")
    #expect(path { _ = try archive.decode([Int].self) } == "")
    #expect(path { _ = try archive.decode(Date.self) } == "")
    let large = try Self.archived(["v": 1e300] as NSDictionary)
    #expect(path { _ = try large.decode(Narrow.self) } == "v")
  }

  @Test func circlesAndSharingThatMultipliesEnd() throws {
    let circle = ArchivedSample.dictionary(["v": .array([.root])]).archive
    #expect(throws: DecodingError.self) { _ = try Archive(bytes: circle).decode(Link.self) }
    // Each dictionary holds the next one twice: 2^60 values.
    var objects = ["<string>$null</string>", "<string>v</string>"]
    let classes = "<dict><key>$classname</key><string>NSDictionary</string></dict>"
    let list = "<dict><key>$classname</key><string>NSArray</string></dict>"
    func uid(_ number: Int) -> String {
      "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
    }
    objects += [classes, list]
    for level in 0..<60 {
      let next = 4 + 2 * (level + 1)
      let elements = level < 59 ? uid(next) + uid(next) : ""
      objects.append(
        "<dict><key>$class</key>\(uid(2))<key>NS.keys</key><array>\(uid(1))</array>"
          + "<key>NS.objects</key><array>\(uid(5 + 2 * level))</array></dict>")
      objects.append(
        "<dict><key>$class</key>\(uid(3))<key>NS.objects</key><array>\(elements)</array></dict>")
    }
    let text =
      "<plist version=\"1.0\"><dict><key>$archiver</key><string>NSKeyedArchiver</string>"
      + "<key>$version</key><integer>100000</integer><key>$top</key><dict><key>root</key>"
      + "\(uid(4))</dict><key>$objects</key><array>\(objects.joined())</array></dict></plist>"
    #expect(throws: DecodingError.self) {
      _ = try Archive(bytes: text.utf8).decode(Link.self)
    }
  }
}
