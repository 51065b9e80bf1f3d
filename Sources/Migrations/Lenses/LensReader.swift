// Lens files: `{"lens": [{"rename": {"source": "a", "destination": "b"}}, …]}`.

import ObjectGraph
import PropertyLists

/// Reads lenses from JSON; every fault is named with its place.
public struct LensReader {
  /// How many lenses may lie in one another.
  static let depthLimit = 64

  /// Reads a lens file's tree.
  ///
  /// - Throws: `ArchiveError` with code `malformed` and the path of what is wrong.
  public static func read(_ tree: JSONTree) throws(ArchiveError) -> Lens {
    guard case .members(let members) = tree else {
      throw fault("a lens file is an object with the member 'lens'", "")
    }
    for (name, _) in members
    where !["$schema", "$comment", "title", "description", "from", "to", "lens"].contains(name) {
      throw fault("a lens file has no member '\(name)'", "/" + JSONPointer.escaped(name))
    }
    guard let list = tree["lens"] else {
      throw fault("a lens file is an object with the member 'lens'", "")
    }
    return try lens(list, "/lens", depth: 0)
  }

  private static func lens(
    _ tree: JSONTree, _ pointer: String, depth: Int
  ) throws(ArchiveError) -> Lens {
    guard depth < depthLimit else { throw fault("lenses lie over \(depthLimit) deep", pointer) }
    guard let list = tree.list else { throw fault("a lens is a list of operations", pointer) }
    var operations: [LensOperation] = []
    for (index, item) in list.enumerated() {
      operations.append(try operation(item, "\(pointer)/\(index)", depth))
    }
    return Lens(operations: operations)
  }

  private static func operation(
    _ tree: JSONTree, _ pointer: String, _ depth: Int
  ) throws(ArchiveError) -> LensOperation {
    guard let members = tree.members, members.count == 1, let (word, body) = members.first else {
      throw fault("an operation is an object with one member, its name", pointer)
    }
    guard let known = words[word] else {
      let words = Self.words.keys.sorted().joined(separator: ", ")
      throw fault("'\(word)' is no operation; there are \(words)", pointer)
    }
    let inside = pointer + "/" + word
    guard case .members = body else { throw fault("'\(word)' takes an object", inside) }
    let arguments = LensArguments(tree: body, pointer: inside)
    try arguments.check(allowed: known)
    return LensOperation(
      try kind(word, arguments, inside, depth), pointer: pointer)
  }

  /// The operations and the members of each.
  private static let words: [String: [String]] = [
    "rename": ["source", "destination"],
    "add": ["name", "default"],
    "remove": ["name", "default"],
    "hoist": ["host", "name", "prune"],
    "plunge": ["host", "name", "create"],
    "wrap": ["name"],
    "head": ["name"],
    "in": ["name", "lens"],
    "map": ["lens", "by"],
    "convert": [
      "name", "mapping", "values", "sourceType", "destinationType", "format", "zone",
    ],
  ]

  private static func kind(
    _ word: String, _ arguments: LensArguments, _ pointer: String, _ depth: Int
  ) throws(ArchiveError) -> LensOperation.Kind {
    switch word {
    case "rename":
      let (source, destination) = try (arguments.name("source"), arguments.name("destination"))
      guard !source.utf8.elementsEqual(destination.utf8) else {
        throw fault("'rename' names one member twice", pointer)
      }
      return .rename(source: source, destination: destination)
    case "add": return .add(name: try arguments.name("name"), default: try arguments.standard())
    case "remove":
      return .remove(name: try arguments.name("name"), default: try arguments.standard())
    case "hoist":
      let (host, name) = try arguments.hostAndName()
      return .hoist(host: host, name: name, prunes: try arguments.flag("prune"))
    case "plunge":
      let (host, name) = try arguments.hostAndName()
      return .plunge(host: host, name: name, creates: try arguments.flag("create"))
    case "wrap": return .wrap(name: try arguments.optionalName("name"))
    case "head": return .head(name: try arguments.optionalName("name"))
    case "in":
      return .in(name: try arguments.name("name"), lens: try inner(arguments, pointer, depth))
    case "map":
      let lens = try inner(arguments, pointer, depth)
      guard let name = try arguments.optionalName("by") else { return .map(lens: lens) }
      return .map(lens: Lens(operations: lens.operations, elementName: name))
    default:
      return .convert(
        name: try arguments.optionalName("name"), try arguments.conversion())
    }
  }

  private static func inner(
    _ arguments: LensArguments, _ pointer: String, _ depth: Int
  ) throws(ArchiveError) -> Lens {
    guard let tree = arguments.tree["lens"] else { throw fault("'lens' is missing", pointer) }
    return try lens(tree, pointer + "/lens", depth: depth + 1)
  }

  static func fault(_ message: String, _ pointer: String) -> ArchiveError {
    ArchiveError(
      .malformed, "the lens is wrong: \(message)", path: GraphPath(pointer: pointer).description)
  }
}
