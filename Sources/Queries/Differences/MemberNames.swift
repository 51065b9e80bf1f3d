// The members of a dictionary or an object, by their names.

import Basics
import ObjectGraph

/// Members by their names.
struct MemberNames {
  /// A member.
  struct Member {
    let name: CodePointString
    let value: Node
    /// Its position in the container.
    let position: Int
  }

  /// The members in stored order.
  private(set) var list: [Member] = []
  private var positions: [CodePointString: Int] = [:]

  /// Takes the members of a container that are compared; nil if a key is not a string, or is repeated.
  init?(_ pairs: Pairs, of holder: Node, _ digests: ValueDigests) {
    for position in 0..<pairs.count where !digests.isLeftOut(pairs, position, of: holder) {
      guard let text = digests.graph.memberName(pairs, position) else { return nil }
      let name = CodePointString(text.string)
      guard positions.updateValue(list.count, forKey: name) == nil else { return nil }
      list.append(
        Member(name: name, value: digests.graph.value(pairs, position), position: position))
    }
  }

  /// The member of a name; nil if there is none.
  subscript(name: CodePointString) -> Member? { positions[name].map { list[$0] } }
}
