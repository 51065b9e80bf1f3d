// Where a stored value is held, for error messages: the way from the top through stored containers.

/// Searches a table for the place of one of its values.
public enum StoredPath {
  private struct Frame {
    let index: UInt32
    let start: UnsafeRawPointer
    let count: Int
    let isDictionary: Bool
    var next = 0

  }

  /// The path of a stored value from the top; nil if nothing holds it.
  ///
  /// For tables without faults.
  public static func find(_ target: UInt32, from top: UInt32, in table: ValueTable) -> GraphPath? {
    var visited = [Bool](repeating: false, count: table.count)
    var stack: [Frame] = []
    enter(top, table, &visited, &stack)
    if top == target { return GraphPath() }
    while let frame = stack.last {
      guard frame.next < frame.count else {
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      let child = table.reference(frame.start, frame.next)
      if child == target { return GraphPath(stack.map { step(of: $0, table) }) }
      enter(child, table, &visited, &stack)
    }
    return nil
  }

  private static func enter(
    _ index: UInt32, _ table: ValueTable, _ visited: inout [Bool], _ stack: inout [Frame]
  ) {
    guard !visited[Int(index)], table.fault(at: index) == nil else { return }
    visited[Int(index)] = true
    let kind = table.marker(of: index) >> 4
    guard kind >= Marker.array else { return }
    let (start, count) = table.counted(index)
    let isDictionary = kind == Marker.dictionary
    stack.append(
      Frame(
        index: index, start: start, count: isDictionary ? count * 2 : count,
        isDictionary: isDictionary))
  }

  private static func step(of frame: Frame, _ table: ValueTable) -> GraphPath.Step {
    let position = frame.next - 1
    guard frame.isDictionary else { return .index(position) }
    let pairs = frame.count / 2
    let key = table.reference(frame.start, position < pairs ? position : position - pairs)
    return .key(table.text(at: key)?.string ?? "?")
  }
}
