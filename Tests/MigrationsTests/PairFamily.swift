// A family of two versions in its own folder, which is deleted at the end.

import ArchiveBasics
import ArchiveGraph
import ArchiveMigrations
import ArchiveSchemas
import Foundation

/// Two versions, v1 and v2, and a lens between them.
final class PairFamily {
  let folder: URL

  /// - Parameters:
  ///   - envelopes: those of v1 and v2.
  ///   - schemas: the members of both schemas, without their braces.
  ///   - lens: the operations; nil for versions with one model.
  init(
    _ envelopes: (String, String), _ schemas: (String, String), lens: String? = nil
  ) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("archtool-pair-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write("family.json", #"{"family": "Pair", "versions": ["v1", "v2"]}"#)
    for (name, envelope, schema) in [
      ("v1", envelopes.0, schemas.0), ("v2", envelopes.1, schemas.1),
    ] {
      // The tests read archives with the Foundation of their own system.
      try write(
        "\(name).schema.json",
        #"{"x-archive": {"envelope": "\#(envelope)", "foundation": "swift-corelibs"}, \#(schema)}"#)
    }
    if let lens { try write("v1-v2.lens.json", #"{"lens": [\#(lens)]}"#) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  /// Why a migration refused; nil if it did not.
  func refusal(
    _ data: Data, _ from: String, _ to: String, className: String? = nil
  ) throws -> String? {
    var migration = Migration(
      catalog: try SchemaCatalog(folders: [folder.path]),
      Migration.Request(from: from, to: to, className: className))
    let input = RewriteInput(storage: ByteStorage(copying: Array(data)), name: "test", path: nil)
    guard case .refused(let reason, _, _) = try migration.rewrite(input) else { return nil }
    return reason
  }

  /// The bytes in another version; nil if the migration refused.
  func migrate(
    _ data: Data, _ from: String, _ to: String, className: String? = nil,
    losses: LossPolicy = .standard
  ) throws -> Data? {
    var migration = Migration(
      catalog: try SchemaCatalog(folders: [folder.path]),
      Migration.Request(from: from, to: to, className: className, losses: losses))
    let input = RewriteInput(storage: ByteStorage(copying: Array(data)), name: "test", path: nil)
    guard case .changed(let archive) = try migration.rewrite(input) else { return nil }
    return Data(archive.storage.bytes)
  }

  /// What a migration from v1 to v2 does: its bytes and losses, or the refusal.
  func outcome(of data: Data, usesFastVerification: Bool) throws -> String {
    var request = Migration.Request(from: "v1", to: "v2")
    request.usesFastVerification = usesFastVerification
    var migration = Migration(catalog: try SchemaCatalog(folders: [folder.path]), request)
    let input = RewriteInput(storage: ByteStorage(copying: Array(data)), name: "test", path: nil)
    switch try migration.rewrite(input) {
    case .changed(let archive):
      let losses = archive.details.migration?.losses ?? []
      return "\(Array(archive.storage.bytes)) \(losses.map(\.wording))"
    case .unchanged(let reason, _), .refused(let reason, _, _): return reason
    }
  }
}

extension LensOperation {
  /// The operation's keyword in lens files, with which its title begins.
  var word: String { String(title.prefix { $0 != " " }) }
}

extension LossPolicy {
  static let standard = LossPolicy()
  static let keepBeside = LossPolicy(keeping: .beside)
  static let keepInside = LossPolicy(keeping: .inside)
}
