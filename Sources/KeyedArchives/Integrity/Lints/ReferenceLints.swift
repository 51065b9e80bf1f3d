// The lints about references between objects.

import ArchiveGraph
import ArchivePropertyLists

// MARK: - UIDs without an object in `$objects`

/// Checks every location of such a UID: one stored UID may have many.
enum DanglingUIDLint: IntegrityLint {
  static let lints: [Lint] = [.danglingUID]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    guard let archive = input.archive else { return }
    let count = archive.objects.count
    var dangling: Set<UInt32> = []
    for index in input.indexes where input.uid(index).map({ $0 >= UInt64(count) }) == true {
      dangling.insert(index)
    }
    guard !dangling.isEmpty else { return }
    var held: Set<UInt32> = []
    for index in input.indexes where input.tree.contains(index) {
      guard let container = input.container(index) else { continue }
      for position in 0..<container.childCount {
        guard let uid = input.reference(container, position), dangling.contains(uid) else {
          continue
        }
        held.insert(uid)
        add(uid, count, .reference(container, position), input, &report)
      }
    }
    for uid in dangling.subtracting(held).sorted() { add(uid, count, .unknown, input, &report) }
  }

  private static func add(
    _ uid: UInt32, _ count: Int, _ location: IntegrityReport.Location, _ input: CheckedInput,
    _ report: inout IntegrityReport
  ) {
    report.add(.danglingUID, in: input, at: uid, location: location) {
      KeyedArchiveParts.dangling(input.uid(uid) ?? 0, objectCount: count)
    }
  }
}

// MARK: - Objects and stored values that nothing leads to

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
        report.add(.unreachableObject, in: input, at: index, location: .unknown) {
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
        .unreachableObject, in: input, at: index, location: .reference(archive.objects, number)
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
      for position in 0..<container.childCount {
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

// MARK: - Containers of a property list that hold themselves

/// Walks the containers from the top, each once; readers stop at the first that contains itself.
enum CircularContainerLint: IntegrityLint {
  static let lints: [Lint] = [.circularContainer]

  private enum State {
    static let unknown: UInt8 = 0
    static let open: UInt8 = 1
    static let done: UInt8 = 2
    /// Entered, and reported.
    static let reported: UInt8 = 3
  }

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    // Other encodings write each container where it occurs.
    guard input.document.encoding.isTable,
      let top = input.container(input.document.top)
    else { return }
    var states = [UInt8](repeating: State.unknown, count: input.table.count)
    var walk = GraphWalk<StoredContainer>(in: input)
    states[Int(top.index)] = State.open
    walk.enter(top)
    while let event = walk.next() {
      switch event {
      case .leave(let container): states[Int(container.index)] = State.done
      case .child(let child?, let position, let container):
        switch states[Int(child)] {
        case State.open:
          states[Int(child)] = State.reported
          report.add(
            .circularContainer, .circularContainer(offset: input.offset(of: child)), in: input,
            location: .reference(container, position), byteCount: input.byteCount(of: child))
        case State.unknown:
          states[Int(child)] = State.done
          guard let inner = input.container(child) else { continue }
          states[Int(child)] = State.open
          walk.enter(inner)
        default: continue
        }
      case .child: continue
      }
    }
  }
}

// MARK: - Strings "$null" that are not the archive's own nil

/// Looks for the string in `$objects`: what an archiver leaves of a conditional object, and an app's own text, are one.
enum AmbiguousNullLint: IntegrityLint {
  static let lints: [Lint] = [.ambiguousNull]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    guard !input.isTranslated, let archive = input.archive, !archive.isNib else { return }
    // By number: if equal strings are stored once, this one is also the archive's own.
    let numbers = (0..<archive.objects.count).filter { number in
      number > 0
        && archive.object(number).flatMap { input.text($0) }?.equals("$null") == true
    }
    guard let number = numbers.first, let index = archive.object(number) else { return }
    report.add(
      .ambiguousNull, in: input, at: index, location: .reference(archive.objects, number)
    ) {
      numbers.count == 1
        ? "object \(number) is the string \"$null\", which decodes as nil: a conditional object that was not archived, or a text"
        : "\(numbers.count) objects are strings \"$null\", which decode as nil: conditional objects that were not archived, or texts; the first is object \(number)"
    }
  }
}
