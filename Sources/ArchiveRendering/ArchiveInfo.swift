// The description of an input in a few lines: encoding, envelope, schema, classes.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import KeyedArchives

/// A description of an input.
package struct ArchiveInfo {
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
  package init(
    _ graph: ObjectGraph, byteCount: Int, catalog: SchemaCatalog
  ) throws(ArchiveError) {
    self.graph = graph
    self.byteCount = byteCount
    self.catalog = catalog
    let model = graph.unwrapModel()
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
  package var facts: ArchiveFacts {
    ArchiveFacts(
      encoding: document.encoding.name, isCompressed: graph.wrappings.contains(.gzip),
      isKeyedArchive: document.archive != nil && !document.encoding.isLaidOutAsArchive,
      envelope: envelope, rootClass: rootClass, family: detection?.family.name,
      version: detection?.version.name, isValid: violationCount.map { $0 == 0 })
  }

  /// The envelope; several top-level keys are one only for a schema that declares it.
  private var envelope: String? {
    model.flatMap { $0.topKey == nil ? nil : $0.envelope.rawValue }
  }

  private var rootClass: String? { graph.className(ofRoot: graph.root) }

  /// What data values hold; they are opened.
  private var nested: NestedArchives {
    NestedArchives(graph, model: model, catalog: catalog)
  }

  // MARK: Text

  /// The description as lines of `name: value`.
  package func text(file: String) -> String {
    var lines = [
      "file: \(file.shownPath)", "size: \(Counted.text(byteCount, "byte"))",
    ]
    let size = graph.inflated.map { $0.bytes.count == 1 ? "1 byte" : "\($0.bytes.count) bytes" }
    let wrappings = graph.wrappings.map { ", \($0.phrase)" }.joined()
    lines.append(
      "encoding: \(document.encoding.name)\(wrappings)\(size.map { " (\($0))" } ?? "")")
    if let header = TranslatedHeader(graph) {
      lines.append("archive: \(header.text)")
    } else if let archive = document.archive {
      let version = archive.version.map { "\($0)" } ?? "unknown"
      lines.append("archive: keyed archive, version \(version), archiver \(archive.archiver)")
      lines.append("top-level keys: " + archive.topKeys.joined(separator: ", "))
    }
    if let rootClass { lines.append("root class: \(rootClass)") }
    lines.append("envelope: \(envelope ?? "none")")
    lines.append("schema: \(schemaText)")
    if let detection { lines.append("detected by: \(detection.candidate.reason)") }
    let nested = nested
    let census = ObjectCensus(graph)
    lines += nested.lines
    let inside = nested.objectCount
    lines.append(
      "objects: \(ownCount + inside)\(inside > 0 ? ", \(Counted.number(inside)) of them in nested archives" : "")"
    )
    for (name, count) in census.counts {
      let kinds = census.dataKinds.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
      lines.append("  \(name): \(count)\(name == "data" && !kinds.isEmpty ? " (\(kinds))" : "")")
    }
    return lines.map(\.escapedForTerminal).joined(separator: "\n") + "\n"
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
  ///
  /// - Parameter file: the name of the input; nil if it has none.
  package func report(file: String?) -> JSONTree {
    // Counts objects in data values, which are opened for it.
    let nested = nested
    let census = ObjectCensus(graph)
    func counts(_ counts: [(name: String, count: Int)]) -> JSONTree {
      .members(counts.map { ($0.name, .integer($0.count)) })
    }
    return .members(present: [
      "file": file.map { .string($0.shownPath) }, "size": .integer(byteCount),
      "encoding": .string(document.encoding.name),
      "compression": graph.wrappings.contains(.gzip) ? "gzip" : nil,
      "inflatedSize": graph.inflated.map { .integer($0.bytes.count) },
      "wrappings": graph.wrappings.isEmpty ? nil : JSONTree(graph.wrappings.map(\.rawValue)),
      "archive": archiveReport,
      "rootClass": JSONTree(rootClass), "envelope": JSONTree(envelope), "schema": schemaReport,
      "objects": .integer(ownCount + nested.objectCount), "classes": counts(census.counts),
      "dataKinds": census.dataKinds.isEmpty ? nil : counts(census.dataKinds),
      "nested": nested.items.isEmpty ? nil : nested.report,
    ])
  }

  private var archiveReport: JSONTree? {
    if let header = TranslatedHeader(graph) { return header.report }
    return document.archive.map { archive in
      [
        "kind": "keyed archive", "archiver": .string(archive.archiver),
        "version": JSONTree(archive.version.map { Int($0) }),
        "topLevelKeys": JSONTree(archive.topKeys),
      ]
    }
  }

  private var schemaReport: JSONTree {
    guard let detection, let violationCount else { return .null }
    let score = detection.candidate.score
    return [
      "family": .string(detection.family.name), "version": .string(detection.version.name),
      "isValid": .boolean(violationCount == 0), "violations": .integer(violationCount),
      "reason": .string(detection.candidate.reason), "requiredMembers": .integer(score.required),
      "requiredMembersPresent": .integer(score.present),
    ]
  }

  // MARK: Counts

  private var ownCount: Int { document.archive?.objectCount ?? document.table.count }
}

// MARK: - What an inventory lists of an archive; equal ones are counted together

/// What an archive is, in a few words.
package struct ArchiveFacts: Hashable, Sendable {
  /// The name of its encoding.
  package let encoding: String
  /// Whether it is compressed.
  package let isCompressed: Bool
  /// Whether it is a keyed archive.
  package let isKeyedArchive: Bool
  /// The envelope; nil if there is none.
  package let envelope: String?
  /// The class of the root object.
  package let rootClass: String?
  /// The schema family that was detected.
  package let family: String?
  /// The version of the family.
  package let version: String?
  /// Whether it fits the version.
  package let isValid: Bool?

  /// The schema, `WeatherFeed@v2`; nil if none was detected.
  package var schema: String? {
    guard let family, let version else { return nil }
    return "\(family)@\(version)"
  }

  /// The encoding, in which a keyed archive is binary unless something else is said.
  package var form: String {
    let name =
      !isKeyedArchive
      ? encoding
      : encoding == Encoding.binaryPropertyList.name
        ? "keyed archive" : "keyed archive in \(encoding)"
    return isCompressed ? name + ", gzip-compressed" : name
  }

  /// The facts for people, separated by commas.
  package var text: String {
    [
      form, envelope, rootClass,
      schema.map { isValid == false ? "\($0) (does not fit)" : $0 },
    ].compactMap { $0 }.joined(separator: ", ")
  }

  /// The names that a pattern may match.
  package var names: [String] {
    [encoding, envelope, rootClass, family, schema].compactMap { $0 }
      + (isKeyedArchive ? ["keyed archive"] : []) + (isCompressed ? ["gzip"] : [])
  }
}

// MARK: - The description of an input of a known kind that is not read

extension ArchiveInfo {
  /// The description of an input whose encoding is known, but not read; nil for others.
  ///
  /// - Parameter file: the name of the input; nil if it has none.
  package static func unread(
    _ storage: ByteStorage, file: String?
  ) -> (text: String, report: JSONTree)? {
    guard case .unsupported(let kind) = Formats.all.detect(storage.bytes) else { return nil }
    let count = storage.bytes.count
    let lines =
      (file.map { ["file: \($0.shownPath)"] } ?? [])
      + ["size: \(Counted.text(count, "byte"))", "encoding: \(kind)"]
    let report = JSONTree.members(present: [
      "file": file.map { .string($0.shownPath) }, "size": .integer(count),
      "encoding": .string(kind),
    ])
    return (lines.map(\.escapedForTerminal).joined(separator: "\n") + "\n", report)
  }
}

// MARK: - The types of a typedstream's groups in a few words, where an object has dozens of them

/// The member `$types` with equal neighbors counted: `@ ×36, i ×2 (38 groups)`.
struct FoldedTypes {
  private static let mostRuns = 8

  let text: String

  /// Folds a member; nil if it is another one, or folding makes it no shorter.
  init?(_ pairs: Pairs, _ index: Int, _ graph: ObjectGraph) {
    guard graph.memberName(pairs, index)?.string == "$types",
      case .string(let types) = graph.value(of: graph.value(pairs, index))
    else { return nil }
    let whole = types.string
    var runs: [(type: Substring, count: Int)] = []
    var total = 0
    for type in whole.split(separator: " ") {
      total += 1
      if runs.last?.type == type { runs[runs.count - 1].count += 1 } else { runs.append((type, 1)) }
    }
    let shown = runs.prefix(Self.mostRuns).map { run in
      String(run.type).escapedForTerminal + (run.count > 1 ? " ×\(run.count)" : "")
    }
    let more = runs.count > shown.count ? ", …" : ""
    text = "\(shown.joined(separator: ", "))\(more) (\(Counted.text(total, "group")))"
    if text.utf8.count >= whole.utf8.count { return nil }
  }
}
