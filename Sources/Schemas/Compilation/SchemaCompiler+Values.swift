// The kinds of values that keywords take.

import Basics
import PropertyLists

extension SchemaCompiler {
  func types(_ place: SchemaLocation, _ known: TypeMask) throws(ArchiveError) -> TypeMask {
    var mask: TypeMask = []
    for name in place.tree.string == nil ? try strings(place) : place.tree.strings {
      guard let type = TypeMask(name: name), known.contains(type) else {
        throw problem("there is no type '\(name)', only \(known.text)", place)
      }
      mask.insert(type)
    }
    if mask.isEmpty { throw problem("a type or a list of types must stand here", place) }
    return mask
  }

  func count(_ place: SchemaLocation) throws(ArchiveError) -> Int {
    switch place.tree {
    case .integer(let count) where count >= 0: return count
    case .unsigned: return Int.max
    case .wide(let count) where count > 0: return Int.max
    // 2.0 is an integer to JSON Schema.
    case .real(let number) where number >= 0 && number == number.rounded():
      // Nothing that is counted comes near.
      return Int(min(number, 0x1p53))
    default: throw problem("a non-negative integer must stand here", place)
    }
  }

  func string(_ place: SchemaLocation) throws(ArchiveError) -> String {
    guard let text = place.tree.string else { throw problem("a string must stand here", place) }
    return text
  }

  func boolean(_ place: SchemaLocation) throws(ArchiveError) -> Bool {
    guard let flag = place.tree.boolean else {
      throw problem("true or false must stand here", place)
    }
    return flag
  }

  func list(_ place: SchemaLocation) throws(ArchiveError) -> [JSONTree] {
    guard let list = place.tree.list else { throw problem("a list must stand here", place) }
    return list
  }

  /// A list of different strings.
  func strings(_ place: SchemaLocation) throws(ArchiveError) -> [String] {
    var seen: Set<[UInt8]> = []
    var strings: [String] = []
    for item in try list(place) {
      guard let text = item.string else {
        throw problem("a list of strings must stand here", place)
      }
      guard seen.insert(Array(text.utf8)).inserted else {
        throw problem("'\(text)' stands twice", place)
      }
      strings.append(text)
    }
    return strings
  }

  func members(_ place: SchemaLocation) throws(ArchiveError) -> [(String, JSONTree)] {
    guard let members = place.tree.members else {
      throw problem("an object must stand here", place)
    }
    return members
  }
}
