// The details of a rewriting as members of JSON, for reports, plans, journals and answers to records.

import Basics
import Batches
import FileTransactions
import KeyedArchives
import PropertyLists

extension RewriteDetails {
  /// The details as a list of members.
  package var members: [(String, JSONTree)] { members(versions: "path") }

  /// - Parameter versions: the key for the versions on the path; it must differ from that of a path in a graph beside
  ///   it.
  private func members(versions name: String) -> [(String, JSONTree)] {
    var members: [(String, JSONTree)] = []
    if let hashes {
      members.append(("sha256", .string(hashes.old.description)))
      members.append(("newSha256", .string(hashes.new.description)))
    }
    members += migration?.members(versions: name) ?? []
    if let rename { members.append(("rules", .list(rename.counts.map(\.tree)))) }
    if let format { members.append(("format", .string(format.rawValue))) }
    if !embedded.isEmpty {
      let archives = embedded.map { archive -> JSONTree in
        .members(
          [("path", .string(archive.path.description))]
            + archive.details.members(versions: "versions"))
      }
      members.append(("at", .list(archives)))
    }
    if !warnings.isEmpty { members.append(("warnings", .list(warnings.map(\.tree)))) }
    return members
  }
}

extension MigrationDetails {
  fileprivate func members(versions name: String) -> [(String, JSONTree)] {
    var members: [(String, JSONTree)] = [
      ("family", .string(family)), ("from", .string(source)), ("to", .string(target)),
    ]
    guard let route else { return members }
    members.append((name, .list(route.versions.map { .string($0) })))
    members.append(("operations", .list(route.operations.map(\.tree))))
    if let isLossless, let losses {
      members.append(("lossless", .boolean(isLossless)))
      members.append(("losses", .list(losses.map(\.tree))))
    }
    if !route.oneWay.isEmpty {
      members.append(("oneWay", .list(route.oneWay.map { .string($0) })))
    }
    if orphanedCount > 0 { members.append(("withoutPlace", .integer(orphanedCount))) }
    if let refusedAt { members.append(("refusedAt", .string(refusedAt.description))) }
    return members
  }
}

extension MigrationDetails.Operation {
  fileprivate var tree: JSONTree {
    .members([
      ("lens", .string(lens)), ("direction", .string(direction.rawValue)),
      ("operation", .string(pointer)), ("title", .string(title)),
    ])
  }
}

extension MigrationLoss {
  fileprivate var tree: JSONTree {
    var members: [(String, JSONTree)] = [
      ("lost", .string(kind.rawValue)), ("path", .string(path.description)),
      ("count", .integer(count)), ("title", .string(wording)), ("allowed", .boolean(isAllowed)),
    ]
    guard let cause else { return .members(members) }
    members += [
      ("lens", .string(cause.lens)), ("operation", .string(cause.operation)),
      ("detail", .string(cause.detail.rawValue)),
    ]
    if let note = cause.note { members.append(("note", .string(note))) }
    return .members(members)
  }
}

extension SubstitutionCount {
  fileprivate var tree: JSONTree {
    .members([
      ("kind", .string(kind.rawValue)), ("rule", .string(rule)),
      ("records", .integer(records)), ("objects", .integer(objects)),
      ("references", .integer(references)),
    ])
  }
}
