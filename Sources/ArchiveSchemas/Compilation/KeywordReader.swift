// Reads the values of keywords, which must be of the type that the meta-schema demands.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveWriting

struct KeywordReader {
  let store: SchemaStore

  func problem(_ message: String, _ location: SchemaLocation) -> ArchiveError {
    let resource = store.resources[location.resource]
    let document = location.resource == 0 || resource.uri.isEmpty ? "" : " (in \(resource.uri))"
    return ArchiveError(
      .malformed, "the schema is wrong: \(message)\(document)",
      path: GraphPath(pointer: location.pointer))
  }

  func types(
    _ location: SchemaLocation, _ known: [(name: String, kinds: ValueKinds)]
  ) throws(ArchiveError) -> ValueKinds {
    var kinds: ValueKinds = []
    for name in location.tree.string == nil ? try strings(location) : location.tree.strings {
      guard let type = known.first(where: { $0.name == name }) else {
        throw problem("unknown type '\(name)', only \(known.map(\.name).alternatives)", location)
      }
      kinds.formUnion(type.kinds)
    }
    if kinds.isEmpty { throw problem("a type or a list of types is expected here", location) }
    return kinds
  }

  func count(_ location: SchemaLocation) throws(ArchiveError) -> Int {
    switch location.tree {
    case .integer(let count) where count >= 0: return count
    case .unsigned: return Int.max
    case .wide(let count) where count > 0: return Int.max
    // JSON Schema treats 2.0 as an integer.
    case .real(let number) where number >= 0 && number == number.rounded():
      // No count comes close to this limit.
      return Int(min(number, 0x1p53))
    default: throw problem("a non-negative integer is expected here", location)
    }
  }

  func string(_ location: SchemaLocation) throws(ArchiveError) -> String {
    try required(location.tree.string, "a string", location)
  }

  func boolean(_ location: SchemaLocation) throws(ArchiveError) -> Bool {
    try required(location.tree.boolean, "true or false", location)
  }

  func list(_ location: SchemaLocation) throws(ArchiveError) -> [JSONTree] {
    try required(location.tree.list, "a list", location)
  }

  func members(_ location: SchemaLocation) throws(ArchiveError) -> [(String, JSONTree)] {
    try required(location.tree.members, "an object", location)
  }

  func required<Content>(
    _ content: Content?, _ what: String, _ location: SchemaLocation
  ) throws(ArchiveError) -> Content {
    guard let content else { throw problem("\(what) is expected here", location) }
    return content
  }

  /// A list of different strings.
  func strings(_ location: SchemaLocation) throws(ArchiveError) -> [String] {
    var seen: Set<[UInt8]> = []
    var strings: [String] = []
    for item in try list(location) {
      guard let text = item.string else {
        throw problem("a list of strings is expected here", location)
      }
      guard seen.insert(Array(text.utf8)).inserted else {
        throw problem("'\(text)' is repeated", location)
      }
      strings.append(text)
    }
    return strings
  }

  func bound(_ location: SchemaLocation) throws(ArchiveError) -> NumberLimit {
    try required(NumberLimit(location.tree), "a number", location)
  }

  func oneOrSeveral(_ location: SchemaLocation) throws(ArchiveError) -> [String] {
    if let name = location.tree.string, !name.isEmpty { return [name] }
    return try names(location)
  }

  func names(_ location: SchemaLocation) throws(ArchiveError) -> [String] {
    guard let names = location.tree.differentNames else {
      throw problem("different names are expected", location)
    }
    return names
  }

  /// The layers that `x-encoded` names; nil without it.
  func layers(_ location: SchemaLocation) throws(ArchiveError) -> [DataLayer]? {
    guard let tree = location.tree["x-encoded"] else { return nil }
    let part = location.part("x-encoded", tree: tree)
    let items = tree.list ?? [tree]
    guard !items.isEmpty, items.allSatisfy({ $0.string != nil }) else {
      throw problem("a layer or a list of layers is expected", part)
    }
    var layers: [DataLayer] = []
    for item in items.compactMap(\.string) {
      guard let layer = DataLayer(rawValue: item) else {
        let known = DataLayer.allCases.map(\.rawValue).joined(separator: ", ")
        throw problem("'\(item)' is not a layer (\(known))", part)
      }
      layers.append(layer)
    }
    return layers
  }

  /// Checks a keyword that asserts nothing, but must conform to the meta-schema (Core sections 8, 9).
  func annotation(_ name: String, _ location: SchemaLocation) throws(ArchiveError) {
    switch name {
    case "$schema", "$comment", "title", "description", "contentEncoding", "contentMediaType":
      _ = try string(location)
    case "$id":
      let identifier = try string(location)
      guard identifier.firstIndex(of: "#").map({ identifier[$0...] == "#" }) ?? true else {
        throw problem("an identifier has no fragment", location)
      }
    case "$anchor", "$dynamicAnchor":
      guard Self.anchor.accepts(try string(location)) else {
        throw problem(
          "an anchor is of letters, digits, '-', '.' and '_', the first a letter or '_'", location)
      }
    case "readOnly", "writeOnly": _ = try boolean(location)
    case "examples": _ = try list(location)
    case "$vocabulary":
      for (uri, value) in try members(location) { _ = try boolean(location.part(uri, tree: value)) }
    default: return
    }
  }

  private static let anchor = TextGrammar("[A-Za-z_][A-Za-z0-9._-]*")
}
