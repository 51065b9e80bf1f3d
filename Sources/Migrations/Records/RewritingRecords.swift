// Rewrites or validates the archives of records.

import Basics
import Batches
import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas

/// How many violations an answer lists.
private let mostViolations = 10

/// Rewrites the archives of records.
package struct RewritingRecords: RecordHandling {
  private var rewriting: any ArchiveRewriting

  /// Makes a handler for one worker.
  package init(_ rewriting: any ArchiveRewriting) { self.rewriting = rewriting }

  /// Rewrites a record's archive.
  package mutating func answer(_ record: Record) -> RecordAnswer {
    do throws(ArchiveError) {
      let input = RewriteInput(
        storage: record.data, name: record.name, path: nil, lost: record.lost)
      switch try rewriting.rewrite(input) {
      case .changed(let result): return changed(result)
      case .unchanged(let reason, let details):
        var answer = RecordAnswer(
          "unchanged", isGood: true, members: Self.members(reason, details))
        answer.data = .same
        return answer
      case .refused(let reason, let violations, let details):
        return RecordAnswer(
          "refused", isGood: false,
          members: [
            ("error", Diagnostic.refusal(reason, violations)),
            ("violations", .list(violations.prefix(mostViolations).map(\.tree))),
            ("violationCount", .integer(violations.count)),
          ] + details.members)
      }
    } catch {
      return RecordAnswer(error)
    }
  }

  private static func members(
    _ summary: String, _ details: RewriteDetails
  ) -> [(name: String, value: JSONTree)] {
    [("summary", .string(summary))] + details.members
  }

  private func changed(_ result: RewrittenArchive) -> RecordAnswer {
    var answer = RecordAnswer(
      "changed", isGood: true, members: Self.members(result.summary, result.details))
    answer.data = .bytes(result.storage)
    switch result.lost {
    case .unchanged: answer.lost = .same
    case .removed: answer.lost = .none
    case .written(let storage): answer.lost = .bytes(storage)
    }
    return answer
  }
}

/// Validates the archives of records.
package struct ValidatingRecords: RecordHandling {
  private let validation: Validation
  private let reader: ArchiveReader
  private let limit: Int
  /// Whether it is an error that no known schema fits.
  private let requiresSchema: Bool

  /// Makes a handler for one worker.
  ///
  /// - Parameters:
  ///   - limit: how many violations an answer lists; 0 for the first ten.
  ///   - requiresSchema: whether an archive that no known schema fits is invalid.
  package init(
    _ validation: Validation, reader: ArchiveReader, limit: Int = 0, requiresSchema: Bool = false
  ) {
    self.validation = validation
    self.requiresSchema = requiresSchema || validation.isForOneFamily
    self.reader = reader
    self.limit = limit > 0 ? limit : mostViolations
  }

  /// Validates a record's archive.
  package func answer(_ record: Record) -> RecordAnswer {
    do throws(ArchiveError) {
      let graph = try reader.read(record.data)
      let result = try validation.run(graph)
      let isUnknown = result.version == nil && !requiresSchema
      if isUnknown, let fault = graph.contentFaults(from: graph.root).first { throw fault }
      let isValid = result.version != nil && result.violationCount == 0
      var answer = RecordAnswer(
        isUnknown ? "noSchema" : isValid ? "valid" : "invalid", isGood: isValid || isUnknown,
        members: [
          ("version", result.version.map { .string($0.label) } ?? .null),
          ("violations", .list(result.violations.prefix(limit).map(\.tree))),
          ("violationCount", .integer(result.violationCount)),
        ])
      if !result.warnings.isEmpty {
        answer.members.append(
          ("warnings", .list(result.warnings.prefix(limit).map(\.tree))))
      }
      if result.version == nil, let reason = result.reason {
        answer.members.append(("reason", .string(reason)))
      }
      return answer
    } catch {
      return RecordAnswer(error)
    }
  }
}

// MARK: - Refusals as members of JSON, for reports on files and answers to records

extension Diagnostic {
  /// Why an archive was refused, for reports of files: the reason as an error, and the first violations.
  package static func members(
    ofRefusal reason: String, _ violations: [Diagnostic]
  ) -> [(String, JSONTree)] {
    let error = ("error", refusal(reason, violations))
    if violations.isEmpty { return [error] }
    return [
      error, ("violations", .list(violations.prefix(10).map(\.tree))),
      ("violationCount", .integer(violations.count)),
    ]
  }

  /// Why an archive was refused, as an object like that of an error, with the location of the first violation.
  static func refusal(_ reason: String, _ violations: [Diagnostic]) -> JSONTree {
    .problem(
      ("code", "refused"), reason, offset: violations.first?.offset, path: violations.first?.path)
  }
}
