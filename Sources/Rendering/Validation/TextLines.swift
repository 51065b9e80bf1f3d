// Where the lines of a text begin, for reports that count in lines.

/// The lines of an input.
public struct TextLines {
  private var starts: [Int] = [0]

  /// Finds the lines of a text.
  public init(of bytes: UnsafeRawBufferPointer) {
    for (position, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      starts.append(position + 1)
    }
  }

  /// The line that a byte is in, from 1.
  public func line(at offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return max(low, 1)
  }
}
