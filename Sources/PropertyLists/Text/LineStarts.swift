// Where the lines of a text begin.

/// The offsets of the lines of a text.
package struct LineStarts: Sendable {
  private let starts: [Int]

  /// Finds the lines.
  package init(of bytes: UnsafeRawBufferPointer) {
    starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  /// The line that contains a byte, from 1; the last one for a later byte.
  package func line(at offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return max(low, 1)
  }

  /// The offset at which a line begins.
  func start(of line: Int) -> Int { starts[line - 1] }
}
