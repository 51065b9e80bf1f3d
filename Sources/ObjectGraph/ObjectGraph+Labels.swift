// How people see where a value is: its number in `$objects`, and its place in the file.

import Basics

extension ObjectGraph {
  // MARK: Labels

  /// The number of a node as people see it: `#5`, its index in `$objects`, or in the stored table outside
  /// of them; `#2:5` in the third document.
  public func label(of node: Node) -> String {
    let number = objectNumber(of: node).map { Int($0) } ?? Int(node.index)
    return node.document == 0 ? "#\(number)" : "#\(node.document):\(number)"
  }

  /// A node's index in `$objects`, nil if it is not in it.
  public func objectNumber(of node: Node) -> UInt32? {
    guard let readingLock else { return findObjectNumber(of: node) }
    return readingLock.locked { findObjectNumber(of: node) }
  }

  private func findObjectNumber(of node: Node) -> UInt32? {
    let view = views[Int(node.document)]
    guard let objects = view.objects else { return nil }
    if objectNumbers[node.document] == nil {
      var numbers = [UInt32](repeating: .max, count: view.table.count)
      for number in 0..<view.objectCount {
        numbers[Int(view.table.reference(objects, number))] = UInt32(number)
      }
      objectNumbers[node.document] = numbers
    }
    guard let number = objectNumbers[node.document]?[Int(node.index)], number != .max else {
      return nil
    }
    return number
  }

  // MARK: Locations

  /// The offset of a node's bytes in the input file, if they are stored there in this form.
  public func fileOffset(of node: Node) -> Int? {
    documents[Int(node.document)].fileOffset(of: node.index)
  }
}
