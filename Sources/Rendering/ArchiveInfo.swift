// The description of an input in a few lines: encoding, envelope, schema, classes.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas

/// A description of an input.
public struct ArchiveInfo {
  private let graph: ObjectGraph
  private let byteCount: Int
  /// The model, its envelope taken off; nil for an archive that has none.
  private let model: UnwrappedModel?
  private let detection: Detection?
  private let violationCount: Int?
  private let catalog: SchemaCatalog

  /// Looks at an input.
  ///
  /// - Parameters:
  ///   - graph: the input's graph.
  ///   - byteCount: its size.
  ///   - catalog: the schema families to try.
  /// - Throws: `ArchiveError` with code `limit` if the model is too large to be validated.
  public init(
    _ graph: ObjectGraph, byteCount: Int, catalog: SchemaCatalog
  ) throws(ArchiveError) {
    self.graph = graph
    self.byteCount = byteCount
    self.catalog = catalog
    let model = UnwrappedModel(graph)
    self.model = model
    detection = model.flatMap { catalog.detect($0, in: graph) }
    if let detection {
      violationCount = try detection.version.examine(
        detection.model.root, in: graph, family: detection.family, mostViolations: 0
      ).violationCount
    } else {
      violationCount = nil
    }
  }

  private var document: Document { graph.documents[0] }

  /// The nearest version if none fits.
  private var nearest: Candidate? { model.flatMap { catalog.nearest(to: $0, in: graph) } }

  /// The facts that an inventory lists.
  public var facts: ArchiveFacts {
    ArchiveFacts(
      encoding: document.encoding.name, isCompressed: graph.inflated != nil,
      isKeyedArchive: document.archive != nil && !document.encoding.isLaidOutAsArchive,
      envelope: envelope, rootClass: rootClass, family: detection?.family.name,
      version: detection?.version.name, isValid: violationCount.map { $0 == 0 })
  }

  /// The envelope; several top-level keys are one only for a schema that declares it.
  private var envelope: String? {
    model.flatMap { $0.topKey == nil ? nil : $0.envelope.rawValue }
  }

  private var rootClass: String? {
    if let index = graph.classIndex(of: graph.root) { return graph.classes[index].displayName }
    guard document.archive != nil else { return nil }
    switch graph.value(of: graph.root) {
    case .data: return "NSData"
    case .string: return "NSString"
    case .boolean, .integer, .unsigned, .real, .single: return "NSNumber"
    default: return nil
    }
  }

  // MARK: Text

  /// The description as lines of `name: value`.
  public func text(file: String) -> String {
    var lines = [
      "file: \(file.shownPath)", "size: \(byteCount == 1 ? "1 byte" : "\(byteCount) bytes")",
    ]
    let size = graph.inflated.map { Counted.text($0.bytes.count, "byte") }
    let compression = size.map { ", gzip-compressed (\($0))" } ?? ""
    lines.append("encoding: \(document.encoding.name)\(compression)")
    if let stream {
      lines.append(
        "archive: typedstream, version \(stream.version), system version \(stream.system), \(stream.byteOrder)-endian"
      )
    } else if let archive = document.archive {
      let version = archive.version.map { "\($0)" } ?? "unknown"
      lines.append("archive: keyed archive, version \(version), archiver \(archive.archiver)")
      lines.append("top-level keys: " + archive.tops.map(\.key).joined(separator: ", "))
    }
    if let rootClass { lines.append("root class: \(rootClass)") }
    lines.append("envelope: \(envelope ?? "none")")
    lines.append("schema: \(schemaText)")
    if let detection { lines.append("detected by: \(detection.candidate.reason)") }
    lines.append("objects: \(total)")
    for (name, count) in counts { lines.append("  \(name): \(count)") }
    return lines.map(\.escapedForTerminal).joined(separator: "\n") + "\n"
  }

  /// The header of a typedstream.
  private var stream: (version: Int64, system: Int64, byteOrder: String)? {
    guard document.encoding.isLaidOutAsArchive,
      case .dictionary(let pairs) = graph.storedValue(of: Node(document: 0, index: document.top))
    else { return nil }
    var header: (version: Int64, system: Int64, byteOrder: String) = (0, 0, "little")
    for position in 0..<pairs.count {
      let key = graph.text(of: graph.key(pairs, position))
      switch graph.storedValue(of: graph.value(pairs, position)) {
      case .integer(let number) where key?.equals("$streamVersion") == true: header.version = number
      case .integer(let number) where key?.equals("$systemVersion") == true: header.system = number
      case .string(let text) where key?.equals("$byteOrder") == true: header.byteOrder = text.string
      default: continue
      }
    }
    return header
  }

  private var schemaText: String {
    guard let detection, let violationCount else {
      guard let nearest else { return "none" }
      let obstacle = nearest.obstacle(model)
      return "none; the nearest is \(nearest.version.label), which \(obstacle)"
    }
    let fit =
      violationCount == 0
      ? "fits" : violationCount == 1 ? "1 violation" : "\(violationCount) violations"
    return "\(detection.version.label) (\(fit))"
  }

  // MARK: JSON

  /// The description for programs.
  public func report(file: String) -> JSONTree {
    var members: [(String, JSONTree)] = [
      ("file", .string(file.shownPath)), ("size", .integer(byteCount)),
      ("encoding", .string(document.encoding.name)),
    ]
    if let contents = graph.inflated {
      members += [
        ("compression", .string("gzip")), ("inflatedSize", .integer(contents.bytes.count)),
      ]
    }
    if let stream {
      members.append(
        (
          "archive",
          .members([
            ("kind", .string("typedstream")), ("version", .integer(Int(stream.version))),
            ("systemVersion", .integer(Int(stream.system))),
            ("byteOrder", .string(stream.byteOrder)),
          ])
        ))
    } else if let archive = document.archive {
      members.append(
        (
          "archive",
          .members([
            ("kind", .string("keyed archive")), ("archiver", .string(archive.archiver)),
            ("version", archive.version.map { .integer(Int($0)) } ?? .null),
            ("topLevelKeys", .list(archive.tops.map { .string($0.key) })),
          ])
        ))
    }
    members.append(("rootClass", rootClass.map { .string($0) } ?? .null))
    members.append(("envelope", envelope.map { .string($0) } ?? .null))
    members.append(("schema", schemaReport))
    members.append(("objects", .integer(total)))
    members.append(("classes", .members(counts.map { ($0.name, .integer($0.count)) })))
    return .members(members)
  }

  private var schemaReport: JSONTree {
    guard let detection, let violationCount else { return .null }
    let score = detection.candidate.score
    return .members([
      ("family", .string(detection.family.name)), ("version", .string(detection.version.name)),
      ("isValid", .boolean(violationCount == 0)), ("violations", .integer(violationCount)),
      ("reason", .string(detection.candidate.reason)),
      ("requiredMembers", .integer(score.required)),
      ("requiredMembersPresent", .integer(score.present)),
    ])
  }

  // MARK: Counts

  private var total: Int { document.archive?.objectCount ?? document.table.count }

  /// Objects by class, values without one by type; the most frequent first.
  private var counts: [(name: String, count: Int)] {
    ObjectCensus(graph).counts
  }
}
