// What a migration loses, told to people and to programs.

import ObjectGraph
import PropertyLists
import Schemas

/// The losses of one archive.
struct Losses {
  private let values: [LostValue]

  init(_ values: [LostValue]) { self.values = values }

  /// Why an archive is refused that would lose values.
  var refusal: String {
    let named = groups.prefix(3).map(\.text).joined(separator: "; ")
    let more = groups.count > 3 ? "; and \(groups.count - 3) more" : ""
    return "would lose \(named)\(more) (--allow-loss lets it, --keep-lost keeps them in a file)"
  }

  private struct Group {
    let first: LostValue
    var count: Int

    /// As in `$.steps[0].note and 4 more (v1-v2#/lens/1, remove note)`.
    var text: String {
      let more = count > 1 ? " and \(count - 1) more" : ""
      return
        "\(first.kind.wording) \(first.path)\(more) (\(first.lens)#\(first.operation), \(first.title))"
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
      ("lossless", .boolean(values.isEmpty)), ("losses", .list(groups.map(Self.tree))),
    ]
    if orphaned > 0 { facts.append(("withoutPlace", .integer(orphaned))) }
    return facts
  }

  private static func operations(of step: LensStep) -> [JSONTree] {
    step.operations.map { operation in
      .members([
        ("lens", .string(step.file.name)), ("direction", .string(step.direction.rawValue)),
        ("operation", .string(operation.pointer)), ("title", .string(operation.title)),
      ])
    }
  }

  private static func tree(_ group: Group) -> JSONTree {
    .members([
      ("path", .string(group.first.path)), ("lens", .string(group.first.lens)),
      ("operation", .string(group.first.operation)), ("title", .string(group.first.title)),
      ("lost", .string(group.first.kind.rawValue)), ("count", .integer(group.count)),
    ])
  }
}

extension LostValue.Kind {
  /// What is lost, before its path.
  var wording: String {
    switch self {
    case .value: "the value"
    case .spelling: "the spelling of"
    case .absent: "the absence of"
    case .empty: "the empty object"
    case .rest: "what follows the first element of"
    }
  }
}
