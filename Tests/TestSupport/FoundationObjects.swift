// A graph as Foundation objects, which can be compared by value with what Foundation itself reads.

import ArchiveBasics
import ArchiveGraph
import Foundation
import KeyedArchives

extension ObjectGraph {
  /// A node and all that it holds as Foundation objects.
  ///
  /// Not for graphs with cycles.
  package func foundationObject(_ node: Node) -> NSObject {
    switch value(of: node) {
    case .null: return NSNull()
    case .boolean(let flag): return NSNumber(value: flag)
    case .integer(let number): return NSNumber(value: number)
    case .unsigned(let number): return NSNumber(value: number)
    // As Foundation reads it.
    case .wide(let number): return NSNumber(value: number.low)
    case .real(let number): return NSNumber(value: number)
    case .single(let number): return NSNumber(value: number)
    case .date(let seconds): return NSDate(timeIntervalSinceReferenceDate: seconds)
    case .data(let bytes): return NSData(data: Data(bytes))
    case .string(let text): return NSString(string: text.string)
    case .uid(let number): return NSString(string: "UID \(number)")
    case .array(let elements), .orderedSet(let elements):
      return NSArray(array: (0..<elements.count).map { foundationObject(self.node(elements, $0)) })
    case .set(let elements):
      return NSSet(array: (0..<elements.count).map { foundationObject(self.node(elements, $0)) })
    case .dictionary(let pairs), .object(_, let pairs):
      let dictionary = NSMutableDictionary()
      for position in 0..<pairs.count {
        let key = foundationObject(self.key(pairs, position))
        dictionary[key as? NSString ?? NSString(string: key.description)] =
          foundationObject(self.value(pairs, position))
      }
      return dictionary
    }
  }
}

/// Reads bytes as archtool does.
package func readGraph(
  _ data: Data, resolving: Bool = true, limits: Limits = Limits()
) throws(ArchiveError) -> ObjectGraph {
  try ArchiveReader(limits: limits).read(ByteStorage(copying: Array(data)), resolving: resolving)
}
