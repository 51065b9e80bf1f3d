// Keywords of a schema that mean nothing to anybody: slips, most likely.

import PropertyLists

/// Finds keywords that are not known.
enum UnknownKeywords {
  /// The keywords that are not known, with their places; those that begin with `x-` are somebody's own.
  static func find(in tree: JSONTree) -> [(pointer: String, name: String)] {
    var found: [(String, String)] = []
    look(at: tree, "", &found)
    return found
  }

  private static func look(
    at tree: JSONTree, _ pointer: String, _ found: inout [(String, String)]
  ) {
    for (name, value) in tree.members ?? [] {
      let place = pointer + "/" + JSONPointer.escaped(name)
      guard let keyword = SchemaKeyword.all[name] else {
        if !name.hasPrefix("x-") { found.append((place, name)) }
        continue
      }
      for (suffix, part) in SchemaStore.parts(of: value, keyword.shape) {
        look(at: part, place + suffix, &found)
      }
    }
  }

  /// The known keyword that differs in letter case or by one character alone; nil if there is none.
  static func nearest(to name: String) -> String? {
    let letters = Array(name.lowercased().unicodeScalars)
    return SchemaKeyword.all.keys.sorted().first { known in
      let other = Array(known.lowercased().unicodeScalars)
      let common = zip(letters, other).prefix { $0 == $1 }.count
      let rest = (letters.dropFirst(common), other.dropFirst(common))
      return rest.0.elementsEqual(rest.1.dropFirst()) || rest.0.dropFirst().elementsEqual(rest.1)
        || rest.0.dropFirst().elementsEqual(rest.1.dropFirst())
    }
  }
}
