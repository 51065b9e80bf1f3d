// The lints about references between objects.

import ArchiveGraph
import ArchivePropertyLists

// MARK: - UIDs without an object in `$objects`

extension StoredArchive {
  /// Checks every location of such a UID: one stored UID may have many.
  func checkDanglingUIDs() {
    let count = objects.count
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
        addDangling(uid, .reference(container, position))
      }
    }
    for uid in dangling.subtracting(held).sorted() { addDangling(uid, .unknown) }
  }

  private func addDangling(_ uid: UInt32, _ location: CheckedInput.Location) {
    input.add(.danglingUID, at: uid, location: location) {
      KeyedArchiveParts.dangling(input.uid(uid) ?? 0, objectCount: objects.count)
    }
  }
}

// MARK: - Objects and stored values that nothing leads to

extension CheckedInput {
  /// Walks from `$top` through UIDs to every object, and from the top of a property list to every value.
  func checkReachability() {
    if document.fileOffset != nil, tree.isComplete {
      // Foundation itself leaves unused scalars and empty containers: it stores equal ones more than once.
      for index in indexes
      where soundness.isWalkable(index) && !tree.contains(index)
        && container(index).map({ $0.count > 0 }) ?? false
      {
        add(.unreachableObject, at: index, location: .unknown) {
          "nothing refers to stored value \(index), \(phrase(index))"
        }
      }
    }
    guard let archive, let top = archive.top else { return }
    let reached = archive.reached(from: top)
    for (number, index) in archive.distinct where number > 0 {
      // A record without objects has its own lint; that of reported objects is included with them.
      guard !reached[Int(index)], archive.record(index) == nil else { continue }
      add(.unreachableObject, at: index, location: .reference(archive.objects, number)) {
        "object \(number), \(archive.description(of: index)), cannot be reached from $top"
      }
    }
  }
}

extension StoredArchive {
  fileprivate func reached(from top: StoredContainer) -> [Bool] {
    var reached = [Bool](repeating: false, count: input.table.count)
    reached[Int(top.index)] = true
    var queue = [top]
    while let container = queue.popLast() {
      for position in 0..<container.childCount {
        guard let child = element(container, position), !reached[Int(child)] else { continue }
        reached[Int(child)] = true
        if let inner = input.container(child) { queue.append(inner) }
      }
    }
    return reached
  }

  fileprivate func description(of index: UInt32) -> String {
    let record = input.dictionary(index).flatMap { self.record(ofStored: $0) }
    return record.map { "of class \(ClassName(stored: $0.name).display)" } ?? input.phrase(index)
  }
}

// MARK: - Containers of a property list that hold themselves

private enum State {
  static let unknown: UInt8 = 0
  static let open: UInt8 = 1
  static let done: UInt8 = 2
  /// Entered, and reported.
  static let reported: UInt8 = 3
}

extension CheckedInput {
  /// Walks the containers from the top, each once; readers stop at the first that contains itself.
  func checkCircularContainers() {
    // Other encodings write each container where it occurs.
    guard document.encoding.isTable, let top = container(document.top) else { return }
    var states = [UInt8](repeating: State.unknown, count: table.count)
    var walk = GraphWalk<StoredContainer>(in: self)
    states[Int(top.index)] = State.open
    walk.enter(top)
    while let event = walk.next() {
      switch event {
      case .leave(let container): states[Int(container.index)] = State.done
      case .child(let child?, let position, let container):
        switch states[Int(child)] {
        case State.open:
          states[Int(child)] = State.reported
          add(
            .circularContainer, .circularContainer(offset: offset(of: child)),
            location: .reference(container, position), byteCount: byteCount(of: child))
        case State.unknown:
          states[Int(child)] = State.done
          guard let inner = self.container(child) else { continue }
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

extension StoredArchive {
  /// Looks for the string in `$objects`: what an archiver leaves of a conditional object, and an app's own text, are one.
  func checkAmbiguousNull() {
    if isNib { return }
    // By number: if equal strings are stored once, this one is also the archive's own.
    let numbers = (0..<objects.count).filter { number in
      number > 0 && object(number).flatMap { input.text($0) }?.equals("$null") == true
    }
    guard let number = numbers.first, let index = object(number) else { return }
    input.add(.ambiguousNull, at: index, location: .reference(objects, number)) {
      numbers.count == 1
        ? "object \(number) is the string \"$null\", which decodes as nil: a conditional object that was not archived, or a text"
        : "\(numbers.count) objects are strings \"$null\", which decode as nil: conditional objects that were not archived, or texts; the first is object \(number)"
    }
  }
}
