// The names of members as JSON has them, written once: very many dictionaries have the same keys.

import ArchiveBasics
import ArchiveGraph

/// Lists of keys that can be the names of members, each with its text.
///
/// It remembers as many lists as fit; a list that is added keeps its number.
struct MemberNames: ~Copyable {
  /// The keys of some dictionaries, one after another in the tables.
  struct List {
    let start: Int
    let count: Int
  }

  private static let slotCount = 64
  private static let mostKeys = 1 << 14
  private static let mostBytes = 1 << 20

  private let isCompact: Bool
  private var lists = RawStack<List>()
  /// For each class of lists the one that was used last, or -1.
  private var slots = [Int](repeating: -1, count: slotCount)
  /// The keys, and where the text of each ends; it begins where that before it ends.
  private var keys = RawStack<Node>()
  private var ends = RawStack<Int>()
  private var text = ByteBuffer()

  init(isCompact: Bool) { self.isCompact = isCompact }

  @inline(__always)
  private static func slot(_ first: Node, _ count: Int) -> Int {
    (Int(first.index) &* 31 &+ count) & (slotCount &- 1)
  }

  /// The number of the list of a dictionary's keys, if it was added.
  @inline(__always)
  func find(_ pairs: Pairs, in graph: ObjectGraph) -> Int? {
    guard pairs.count > 0 else { return nil }
    let number = slots[Self.slot(graph.key(pairs, 0), pairs.count)]
    guard number >= 0, lists[number].pointee.count == pairs.count else { return nil }
    let known = keys[lists[number].pointee.start]
    for position in 0..<pairs.count where graph.key(pairs, position) != known[position] {
      return nil
    }
    return number
  }

  /// Adds the keys of a dictionary, all of them strings; nil if there is no room.
  mutating func add(_ pairs: Pairs, in graph: ObjectGraph) -> Int? {
    guard pairs.count > 0, keys.count + pairs.count <= Self.mostKeys, text.count <= Self.mostBytes
    else { return nil }
    let (start, textStart) = (keys.count, text.count)
    for position in 0..<pairs.count {
      let key = graph.key(pairs, position)
      guard let name = graph.keyText(of: key), name.byteCount <= 256 else {
        keys.truncate(to: start)
        ends.truncate(to: start)
        // The name that comes next begins where the last one ended.
        text.truncate(to: textStart)
        return nil
      }
      JSONText.append(name, to: &text)
      text.append(UInt8(ascii: ":"))
      if !isCompact { text.append(UInt8(ascii: " ")) }
      keys.push(key)
      ends.push(text.count)
    }
    lists.push(List(start: start, count: pairs.count))
    slots[Self.slot(keys[start].pointee, pairs.count)] = lists.count - 1
    return lists.count - 1
  }

  /// Appends a name of a list, with the colon.
  @inline(__always)
  func append(_ position: Int, of list: Int, to output: inout ByteBuffer) {
    let key = lists[list].pointee.start &+ position
    let start = key == 0 ? 0 : ends[key &- 1].pointee
    output.append(ByteView(rebasing: text.bytes[start..<ends[key].pointee]))
  }
}

extension ObjectGraph {
  /// Whether members of an object would have the name of a mark, or one name, without the archiver's `$` before it.
  func hasAmbiguousNames(_ pairs: Pairs, marks: Set<String>) -> Bool {
    let marked = (0..<pairs.count).filter {
      keyText(of: key(pairs, $0))?.starts(with: 0x24) ?? false
    }
    if marked.isEmpty { return false }
    var names = marks
    for position in marked {
      let name = memberName(pairs, position)?.string ?? ""
      if !names.insert(name).inserted { return true }
    }
    return false
  }

  func hasMember(_ name: String, _ pairs: Pairs) -> Bool {
    (0..<pairs.count).contains {
      memberName(pairs, $0)?.sameCharacters(as: name) == true
    }
  }

  /// Whether the only key is a name, as the tag for fields with repeated names may be.
  func hasOnlyMember(_ name: String, _ pairs: Pairs) -> Bool {
    pairs.count == 1 && keyText(of: key(pairs, 0))?.sameCharacters(as: name) == true
  }
}
