// Objects and stored values that nothing leads to.

import ObjectGraph

/// Walks from `$top` through UIDs to every object, and from the top of a property list to every value.
enum ReachabilityLint: IntegrityLint {
  static let lints: [Lint] = [.unreachableObject]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    guard !input.isTranslated else { return }
    if input.document.fileOffset != nil, input.tree.isComplete {
      // Foundation itself leaves unused scalars and empty containers: it stores equal ones more than once.
      for index in input.indexes
      where input.soundness.isWalkable(index) && !input.tree.contains(index)
        && input.container(index).map({ $0.count > 0 }) ?? false
      {
        report.add(.unreachableObject, in: input, at: index, place: .unknown) {
          "nothing refers to stored value \(index), \(input.phrase(index))"
        }
      }
    }
    guard let archive = input.archive, let top = archive.top else { return }
    let reached = reached(from: top, in: archive, input)
    for (number, index) in archive.distinct where number > 0 {
      // A record without objects has its own lint; that of reported objects is included with them.
      guard !reached[Int(index)], archive.record(index) == nil else { continue }
      report.add(
        .unreachableObject, in: input, at: index, place: .reference(archive.objects, number)
      ) {
        "object \(number), \(description(of: index, in: archive, input)), cannot be reached from $top"
      }
    }
  }

  private static func reached(
    from top: StoredContainer, in archive: StoredArchive, _ input: CheckedInput
  ) -> [Bool] {
    var reached = [Bool](repeating: false, count: input.table.count)
    reached[Int(top.index)] = true
    var queue = [top]
    while let container = queue.popLast() {
      for position in 0..<container.referenceCount {
        guard let child = input.reference(container, position).flatMap({ archive.follow($0) }),
          !reached[Int(child)]
        else { continue }
        reached[Int(child)] = true
        if let inner = input.container(child) { queue.append(inner) }
      }
    }
    return reached
  }

  private static func description(
    of index: UInt32, in archive: StoredArchive, _ input: CheckedInput
  ) -> String {
    guard let dictionary = input.dictionary(index) else { return input.phrase(index) }
    if let record = archive.record(ofStored: dictionary) {
      return "of class \(ClassName(stored: record.name).display)"
    }
    return input.phrase(index)
  }
}
