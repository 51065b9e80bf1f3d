// Containers of a property list that hold themselves.

import ObjectGraph
import PropertyLists

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
            place: .reference(container, position), byteCount: input.byteCount(of: child))
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
