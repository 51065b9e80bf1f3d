// The losses of a migration, and their descriptions.

import Basics
import KeyedArchives
import ObjectGraph
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

  /// The remedy for a refusal because of losses.
  private static let remedy = " (use --allow-loss, or --keep-lost to save them)"

  /// A refusal without its remedy, for use with another refusal that has the same remedy.
  static func withoutRemedy(_ refusal: String) -> String {
    refusal.hasSuffix(remedy) ? String(refusal.dropLast(remedy.count)) : refusal
  }

  /// Why an archive that would lose values is refused.
  var refusal: String { "would lose \(summary)\(Self.remedy)" }

  private var summary: String {
    let texts =
      structure.map(\.wording)
      + groups.map { "\($0.wording) (\($0.lens)#\($0.operation), \($0.title)\($0.remark))" }
    let named = texts.prefix(3).joined(separator: "; ")
    let more = texts.count > 3 ? "; and \(texts.count - 3) more" : ""
    return named + more
  }

  /// The losses by operation, in order.
  private var groups: [LostGroup] {
    var groups: [LostGroup] = []
    var known: [String: Int] = [:]
    for value in values {
      let key = "\(value.lens)#\(value.operation) \(value.kind.rawValue)"
      if let position = known[key] {
        groups[position].count += 1
      } else {
        known[key] = groups.count
        groups.append(LostGroup(value))
      }
    }
    return groups
  }

  /// The migration with its losses.
  func details(of task: MigrationTask, orphaned: Int) -> MigrationDetails {
    var details = MigrationDetails(task)
    details.losses = structure.map { .structure($0) } + groups.map { .values($0) }
    details.orphanedCount = orphaned
    return details
  }
}

extension MigrationDetails {
  /// The migration on a path whose losses are unknown.
  init(_ task: MigrationTask, refusedAt path: GraphPath? = nil) {
    self.init(
      family: task.family.name, source: task.source.name, target: task.target.name)
    route = Route(
      versions: [task.source.name] + task.way.map(\.target),
      operations: task.way.flatMap { step in
        step.operations.map { operation in
          Operation(
            lens: step.file.name, direction: step.direction, pointer: operation.pointer,
            title: operation.title)
        }
      }, oneWay: task.oneWay)
    refusedAt = path
  }
}

extension StructureLoss {
  /// For example `the class App.Movie of $.movies[0] and 4 more`.
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
  /// The kind of the loss, as the text before its path.
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
