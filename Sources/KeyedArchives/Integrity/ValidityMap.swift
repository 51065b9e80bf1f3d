// Which values of a table may be looked at: the first pass over every input, and the only one that meets raw bytes.

import ObjectGraph

/// What is known of each value of a table.
struct ValidityMap {
  /// How far a value can be trusted.
  private enum State {
    static let sound: UInt8 = 0
    /// A container some of whose references lead nowhere.
    static let hasBadReferences: UInt8 = 1
    static let broken: UInt8 = 2
  }

  /// How often the bytes of a file may be looked at because objects overlap, which honest ones never do.
  private static let mostOverlaps = 8

  private let states: [UInt8]
  /// Whether any value has a fault.
  let hasFaults: Bool
  /// Whether objects overlap so much that the rest was not looked at.
  let isExhausted: Bool

  /// Of a table that a reader built nothing need be checked.
  init() {
    states = []
    hasFaults = false
    isExhausted = false
  }

  /// Checks each value of a table.
  init(checking table: ValueTable) {
    var states = [UInt8](repeating: State.broken, count: table.count)
    var hasFaults = false
    var work = table.byteCount * Self.mostOverlaps + 1 << 20
    for index in states.indices {
      let number = UInt32(truncatingIfNeeded: index)
      let fault = table.tableFault(at: number)
      // A bad reference or spelling means that the whole of the value was looked at.
      if fault == nil || fault?.kind == .reference || fault?.kind == .spelling {
        work -= table.bytes(of: number).count
      }
      guard work >= 0 else { break }
      hasFaults = hasFaults || fault != nil
      if fault == nil {
        states[index] = State.sound
      } else if fault?.kind == .reference {
        states[index] = State.hasBadReferences
      }
    }
    self.states = states
    self.hasFaults = hasFaults
    isExhausted = work < 0
  }

  /// Whether a value has no fault.
  func isSound(_ index: UInt32) -> Bool { states.isEmpty || states[Int(index)] == State.sound }

  /// Whether a container's references may be read, though some may lead nowhere.
  func isWalkable(_ index: UInt32) -> Bool {
    states.isEmpty || states[Int(index)] != State.broken
  }
}
