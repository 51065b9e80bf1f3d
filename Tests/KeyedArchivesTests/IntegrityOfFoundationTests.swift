// What Foundation's own writers produce has nothing that a check reports.

import ArchiveBasics
import Foundation
import KeyedArchives
import TestSupport
import Testing

/// An object with a field of each of an archiver's methods, and a conditional one.
final class ArchivedHolder: NSObject, NSCoding {
  let text: NSObject
  let list: NSObject
  weak var parent: ArchivedHolder?
  let flag: Bool
  let single: Float

  init(_ text: NSObject, _ list: NSObject, _ parent: ArchivedHolder?, _ flag: Bool, _ single: Float)
  {
    (self.text, self.list, self.parent) = (text, list, parent)
    (self.flag, self.single) = (flag, single)
  }

  init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode(text, forKey: "text")
    coder.encode(list, forKey: "list")
    coder.encodeConditionalObject(parent, forKey: "parent")
    coder.encode(flag, forKey: "flag")
    coder.encode(!flag, forKey: "other")
    coder.encode(single, forKey: "single")
    coder.encode(NSNotFound, forKey: "index")
    coder.encode(Double(single), forKey: "double")
  }
}

@Suite struct IntegrityOfFoundationTests {
  /// The checks of `--lint`.
  private static let lints = Set(Lint.allCases.filter { $0.severity != nil })

  private static func findings(_ data: Data) -> [Diagnostic] {
    IntegrityCheck(lints: lints).run(ByteStorage(copying: Array(data)))
  }

  // Two of them would be equal, but have two hashes.
  private static let null = NSNull()

  private static func object(_ depth: Int, _ random: inout SeededNumbers) -> NSObject {
    func few(_ random: inout SeededNumbers) -> [NSObject] {
      (0..<Int.random(in: 0...3, using: &random)).map { _ in object(depth - 1, &random) }
    }
    switch Int.random(in: 0..<(depth > 0 ? 20 : 13), using: &random) {
    case 0: return "text \(Int.random(in: 0...3, using: &random))" as NSString
    case 1: return NSMutableString(string: "mutable")
    // Numbers of two types never have one value: Foundation's archiver may end the process where equal objects have two hashes.
    case 2: return NSNumber(value: Int64(Int.random(in: 2...9, using: &random)))
    case 3: return NSNumber(value: Double(Int.random(in: 0...9, using: &random)) + 0.5)
    case 4: return NSNumber(value: true)
    case 5: return NSDate(timeIntervalSinceReferenceDate: 1e8)
    case 6: return Data([1, 2, 3]) as NSData
    case 7: return null
    case 8: return NSUUID()
    case 9: return NSURL(string: "http://example.com/a") ?? null
    case 10: return NSNumber(value: Int.max)
    case 11: return NSNumber(value: Float(0.1))
    case 12: return NSString()
    case 13: return few(&random) as NSArray
    case 14: return NSMutableArray(array: few(&random))
    case 15: return NSSet(array: few(&random))
    // No two of them are equal, since they would not have one hash.
    case 16: return NSOrderedSet(array: few(&random) + [NSUUID()])
    case 17:
      let values = few(&random)
      return NSDictionary(
        objects: values, forKeys: values.indices.map { "key\($0)" as NSString })
    default:
      let parent = ArchivedHolder("parent" as NSString, NSArray(), nil, true, 0.5)
      return ArchivedHolder(
        object(depth - 1, &random), object(depth - 1, &random),
        Bool.random(using: &random) ? parent : nil, Bool.random(using: &random),
        Float(Int.random(in: 0...9, using: &random)) / 3)
    }
  }

  /// 500 archives: nothing but at most one note on conditional objects.
  @Test(arguments: 0..<10) func archivesOfRandomObjectsAreSilent(_ seed: Int) throws {
    var random = SeededNumbers(seed: UInt64(seed))
    for number in 0..<50 {
      let root = Self.object(4, &random)
      let archiver = NSKeyedArchiver(requiringSecureCoding: false)
      archiver.outputFormat = Bool.random(using: &random) ? .binary : .xml
      archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
      let found = Self.findings(archiver.encodedData)
      #expect(found.allSatisfy { $0.severity == .note }, "\(number): \(found)")
      #expect(found.count <= 1, "\(number): \(found)")
    }
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func propertyListsAreSilent(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let list: [String: Any] = [
      "a": true, "b": true, "c": [true, false, 1, 1.5, "x", "x"] as [Any], "d": [Int](),
      "e": [Int](), "f": Data(), "g": Data(), "h": Date(timeIntervalSinceReferenceDate: 0),
      "i": Int.max, "j": [String: Int](), "k": [String: Int](),
    ]
    let data = try PropertyListSerialization.data(
      fromPropertyList: list, format: format, options: 0)
    #expect(Self.findings(data) == [])
  }

  @Test(
    .enabled(if: Corpus.isPresent, "the corpus is not there"),
    arguments: Corpus.files("nibs").filter { !$0.hasSuffix(".md") })
  func compiledNibsAreSilent(_ name: String) throws {
    let found = Self.findings(try Data(contentsOf: #require(Corpus.file(name))))
    #expect(found == [])
  }
}
