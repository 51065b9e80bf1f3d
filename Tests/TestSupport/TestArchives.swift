// The project's own archives and the known facts about each.

import Foundation
import Testing

/// What the manifest says of an archive.
package struct ManifestEntry: Codable, Sendable, CustomTestStringConvertible {
  /// The path within TestArchives.
  package let path: String
  /// How its bytes spell values.
  package let encoding: String?
  /// How its model is wrapped.
  package let envelope: String?
  /// The family of its schema.
  package let family: String?
  /// The version of its schema.
  package let version: String?
  /// Whether it fits that version; nil where no schema applies.
  package let valid: Bool?
  /// Whether it can be decoded.
  package let decodable: Bool
  /// What it is for.
  package let note: String?

  /// The path, for messages.
  package var testDescription: String { path }

  /// The file.
  package var url: URL { TestArchives.root.appendingPathComponent(path) }
}

/// The folder TestArchives.
package enum TestArchives {
  /// The folder.
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("TestArchives")

  /// Every archive that the manifest lists.
  package static let all: [ManifestEntry] = {
    do {
      let data = try Data(contentsOf: root.appendingPathComponent("manifest.json"))
      return try JSONDecoder().decode([ManifestEntry].self, from: data)
    } catch {
      fatalError("TestArchives/manifest.json cannot be read: \(error)")
    }
  }()

  /// The archives of a version that fit it.
  package static func valid(version: String? = nil, family: String? = nil) -> [ManifestEntry] {
    all.filter {
      $0.valid == true && $0.decodable && (version == nil || $0.version == version)
        && (family == nil || $0.family == family)
    }
  }

  /// What another program says the model of an archive is; nil where it says nothing.
  package static func expectedModel(_ path: String) throws -> NSObject? {
    let name = path.replacingOccurrences(of: "/", with: "_") + ".json"
    let url = root.appendingPathComponent("Expected").appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return try json(Data(contentsOf: url))
  }

  /// What another program says the model is once it is in v2, where the types of the app are restored: that of
  /// the v2 archive made from the same values, or of the archive itself where there is none.
  package static func expectedCodableModel(_ path: String) throws -> NSObject? {
    try expectedModel(path.replacingOccurrences(of: "/v1-", with: "/v2-")) ?? expectedModel(path)
  }

  /// JSON as Foundation objects, which compare by value.
  package static func json(_ data: Data) throws -> NSObject? {
    try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed]) as? NSObject
  }
}

/// Files of other programs, where they are at hand.
package enum Corpus {
  /// The folder beside the project's.
  package static let root = TestArchives.root.deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared/corpus")

  /// Whether the corpus is there.
  package static var isPresent: Bool { FileManager.default.fileExists(atPath: root.path) }

  /// A file of the corpus, nil where it is not there.
  package static func file(_ path: String) -> URL? {
    let url = root.appendingPathComponent(path)
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }

  /// Every file below a folder of the corpus; none where it is not there.
  package static func files(_ folder: String) -> [String] {
    let base = root.appendingPathComponent(folder)
    guard let walk = FileManager.default.enumerator(atPath: base.path) else { return [] }
    return walk.compactMap { $0 as? String }.filter { name in
      var isFolder: ObjCBool = false
      let path = base.appendingPathComponent(name).path
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.map { "\(folder)/\($0)" }.sorted()
  }
}
