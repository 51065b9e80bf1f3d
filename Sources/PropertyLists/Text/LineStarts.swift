// Where the lines of a text begin.

/// The offsets of the lines of a text.
package struct LineStarts: Sendable {
  private let starts: [Int]

  /// Finds the lines.
  ///
  /// - Parameters:
  ///   - width: how many bytes a unit of the encoding has: 1, 2 in UTF-16, or 4.
  ///   - isBigEndian: the order of the bytes of a unit.
  package init(of bytes: UnsafeRawBufferPointer, width: Int = 1, isBigEndian: Bool = false) {
    guard width > 1 else {
      starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
      return
    }
    var starts = [0]
    for unit in stride(from: 0, to: bytes.count - width + 1, by: width) {
      let last = isBigEndian ? unit + width - 1 : unit
      guard bytes[last] == UInt8(ascii: "\n"),
        (unit..<unit + width).allSatisfy({ $0 == last || bytes[$0] == 0 })
      else { continue }
      starts.append(unit + width)
    }
    self.starts = starts
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
