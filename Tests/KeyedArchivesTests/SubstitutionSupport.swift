// Shared code of the tests of substitutions.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

/// Applies rules to archives as the tests write them.
enum Substituted {
  /// The outcome of rules for bytes.
  static func outcome(
    _ data: Data, classes: [String] = [], archiver: String? = nil, drop: [String] = [],
    keys: [String] = [], tops: [String] = [], exempt: [String] = [], prunes: Bool = false,
    limits: Limits = Limits()
  ) throws -> SubstitutionOutcome {
    let rules = try Substitutions(
      classRenames: classes, archiver: archiver, droppedClasses: drop, keyRenames: keys,
      topRenames: tops, exemptClasses: exempt, prunes: prunes)
    return try SubstitutionRun.apply(rules, to: ByteStorage(copying: Array(data)), limits: limits)
  }

  /// The new bytes; nil if no rule matched.
  static func bytes(
    _ data: Data, classes: [String] = [], archiver: String? = nil, drop: [String] = [],
    keys: [String] = []
  ) throws -> Data? {
    let outcome = try outcome(
      data, classes: classes, archiver: archiver, drop: drop, keys: keys)
    return outcome.storage.map { Data($0.bytes) }
  }

  /// An archive of the tests as the binary property list that archivers write.
  static func binary(_ archive: Data) throws -> Data {
    var output = OutputBuffer(descriptor: nil)
    _ = try Conversion(to: .binary).run(
      ByteStorage(copying: Array(archive)), name: "", to: &output)
    return Data(output.bytes.array)
  }

  /// All that is stored, in one line, archives in data values opened.
  static func stored(_ data: Data) throws -> String {
    let graph = try readGraph(data, resolving: false)
    return try opened(SampleValue(of: graph.root, in: graph)).canonical
  }

  private static func opened(_ value: SampleValue) throws -> SampleValue {
    switch value {
    case .array(let elements): return .array(try elements.map { try opened($0) })
    case .dictionary(let pairs): return .dictionary(try pairs.map { ($0.0, try opened($0.1)) })
    case .data(let bytes) where Formats.all.looksNested(bytes):
      let graph = try readGraph(Data(bytes), resolving: false)
      return try opened(SampleValue(of: graph.root, in: graph))
    default: return value
    }
  }

  /// The name that the class of an object gets.
  static func name(of stored: String, under rules: [String]) throws -> String? {
    let archive = ArchivedSample.object(stored, ["n": 1]).archive
    guard let new = try bytes(archive, classes: rules) else { return nil }
    let graph = try readGraph(new)
    return graph.classIndex(of: graph.root).map { graph.classes[$0].name }
  }
}

extension Formats {
  func looksNested(_ bytes: [UInt8]) -> Bool {
    bytes.withByteView { looksNested($0) }
  }
}

/// An object with a number.
final class JudgedNumber: NSObject, NSCoding {
  let number: Int

  init?(coder: NSCoder) { number = coder.decodeInteger(forKey: "n") }

  func encode(with coder: NSCoder) { coder.encode(number, forKey: "n") }
}

/// A class that archives itself as an app's would.
final class JudgedMovie: NSObject, NSCoding {
  let title: String
  let year: Int
  let rating: Double
  let sequel: JudgedMovie?
  let extra: NSObject?

  init(
    title: String, year: Int, rating: Double = 0.5, sequel: JudgedMovie? = nil,
    extra: NSObject? = nil
  ) {
    self.title = title
    self.year = year
    self.rating = rating
    self.sequel = sequel
    self.extra = extra
  }

  init?(coder: NSCoder) {
    title = coder.decodeObject(forKey: "title") as? String ?? ""
    year = coder.decodeInteger(forKey: "year")
    rating = coder.decodeDouble(forKey: "rating")
    sequel = coder.decodeObject(forKey: "sequel") as? JudgedMovie
    extra = coder.decodeObject(forKey: "extra") as? NSObject
  }

  func encode(with coder: NSCoder) {
    coder.encode(title, forKey: "title")
    coder.encode(year, forKey: "year")
    coder.encode(rating, forKey: "rating")
    coder.encode(sequel, forKey: "sequel")
    coder.encode(extra, forKey: "extra")
  }

  /// The name under which NSKeyedArchiver archives the class.
  static let ownName = "KeyedArchivesTests.JudgedMovie"

  /// What NSKeyedArchiver writes for an object.
  static func archive(
    _ root: NSObject, _ format: PropertyListSerialization.PropertyListFormat = .binary
  ) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.outputFormat = format
    archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
    return archiver.encodedData
  }

  /// What NSKeyedUnarchiver reads where the class goes by a name.
  static func unarchive(_ data: Data, as name: String) throws -> Any? {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = false
    unarchiver.setClass(JudgedMovie.self, forClassName: name)
    return unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
  }
}
