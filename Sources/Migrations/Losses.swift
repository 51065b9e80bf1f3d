// What a migration loses, told to people and to programs.

import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas

/// The losses of one archive.
struct Losses {
  private let values: [LostValue]
  private let structure: [StructureLoss]

  init(_ values: [LostValue], structure: [StructureLoss] = []) {
    self.values = values
    self.structure = structure
  }

  /// Whether nothing is lost.
  var isEmpty: Bool { values.isEmpty && structure.isEmpty }

  /// What can be done about a refusal for losses.
  private static let remedy = " (use --allow-loss, or --keep-lost to save them)"

  /// A refusal without what can be done about it, which another refusal says for both.
  static func withoutRemedy(_ refusal: String) -> String {
    refusal.hasSuffix(remedy) ? String(refusal.dropLast(remedy.count)) : refusal
  }

  /// Why an archive is refused that would lose values.
  var refusal: String { "would lose \(summary)\(Self.remedy)" }

  private var summary: String {
    let texts = structure.map(\.wording) + groups.map(\.text)
    let named = texts.prefix(3).joined(separator: "; ")
    let more = texts.count > 3 ? "; and \(texts.count - 3) more" : ""
    return named + more
  }

  private struct Group {
    let first: LostValue
    var count: Int

    /// As in `$.steps[0].note and 4 more (v1-v2#/lens/1, remove note)`.
    var text: String {
      let more = count > 1 ? " and \(count - 1) more" : ""
      let note = first.note.map { ", \($0)" } ?? ""
      return
        "\(first.kind.wording) \(first.path)\(more) (\(first.lens)#\(first.operation), \(first.title)\(note))"
    }
  }

  /// The losses by operation, in order.
  private var groups: [Group] {
    var groups: [Group] = []
    var known: [String: Int] = [:]
    for value in values {
      let key = "\(value.lens)#\(value.operation) \(value.kind.rawValue)"
      if let position = known[key] {
        groups[position].count += 1
      } else {
        known[key] = groups.count
        groups.append(Group(first: value, count: 1))
      }
    }
    return groups
  }

  /// The migration for reports, plans and journals.
  func facts(of travel: Travel, orphaned: Int) -> [(name: String, value: JSONTree)] {
    var facts: [(name: String, value: JSONTree)] = [
      ("family", .string(travel.family.name)), ("from", .string(travel.source.name)),
      ("to", .string(travel.target.name)),
      (
        "path",
        .list(([travel.source.name] + travel.way.map(\.target)).map { .string($0) })
      ),
      ("operations", .list(travel.way.flatMap(Self.operations))),
      // Without a way back nothing shows that no value is lost.
      ("lossless", .boolean(isEmpty && travel.oneWay.isEmpty)),
      ("losses", .list(structure.map(Self.tree) + groups.map(Self.tree))),
    ]
    if !travel.oneWay.isEmpty { facts.append(("oneWay", .list(travel.oneWay.map { .string($0) }))) }
    if orphaned > 0 { facts.append(("withoutPlace", .integer(orphaned))) }
    return facts
  }

  /// The migration that a lens or the target refused, of which it is not known what it would lose.
  func facts(
    ofRefused travel: Travel, at path: String?
  ) -> [(name: String, value: JSONTree)] {
    let known = facts(of: travel, orphaned: 0)
      .filter { !["lossless", "losses"].contains($0.name) }
    return known + (path.map { [("refusedAt", .string($0))] } ?? [])
  }

  private static func operations(of step: LensStep) -> [JSONTree] {
    step.operations.map { operation in
      .members([
        ("lens", .string(step.file.name)), ("direction", .string(step.direction.rawValue)),
        ("operation", .string(operation.pointer)), ("title", .string(operation.title)),
      ])
    }
  }

  private static func tree(_ loss: StructureLoss) -> JSONTree {
    .members([
      ("path", .string(loss.path)), ("lens", .string("")), ("operation", .string("")),
      ("title", .string(loss.text)), ("lost", .string(loss.kind.rawValue)),
      ("count", .integer(loss.count)),
    ])
  }

  private static func tree(_ group: Group) -> JSONTree {
    let note = group.first.note.map { [("note", JSONTree.string($0))] } ?? []
    return .members(
      [
        ("path", .string(group.first.path)), ("lens", .string(group.first.lens)),
        ("operation", .string(group.first.operation)), ("title", .string(group.first.title)),
        ("lost", .string(group.first.kind.rawValue)), ("count", .integer(group.count)),
      ] + note)
  }
}

extension StructureLoss {
  /// As in `the class App.Movie of $.movies[0] and 4 more`.
  var wording: String {
    let what =
      switch kind {
      case .class: "the class \(text) of \(path)"
      case .storage: "that \(path) is stored \(text)"
      case .mutability: "that \(path) is mutable (\(text))"
      case .form: "the object at \(path), which would come back differently (\(text))"
      }
    return count > 1 ? "\(what) and \(count - 1) more" : what
  }
}

extension LostValue.Kind {
  /// What is lost, before its path.
  var wording: String {
    switch self {
    case .value: "the value"
    case .absent: "the absence of"
    case .empty: "the empty object"
    case .rest: "what follows the first element of"
    case .structure: "the classes and the storage of"
    case .spelling: "the notation of"
    case .others: "the other members of"
    case .order: "the order of"
    }
  }
}
