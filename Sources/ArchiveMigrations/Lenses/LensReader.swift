// Lens files: `{"lens": [{"rename": {"source": "a", "destination": "b"}}, …]}`.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

/// Reads lenses from JSON; every fault is reported with its location.
package struct LensReader {
  private static let depthLimit = 64

  /// Reads a lens file's tree.
  ///
  /// - Throws: `ArchiveError` with code `malformed` and the path of the fault.
  package static func read(_ tree: JSONTree) throws(ArchiveError) -> Lens {
    for (name, _) in tree.members ?? [] where !fileMembers.contains(name) {
      throw fault("a lens file has no member '\(name)'", "/" + JSONPointer.escaped(name))
    }
    guard let list = tree["lens"] else {
      throw fault("a lens file is an object with the member 'lens'", "")
    }
    let named = try named(tree)
    var lens = try lens(list, "/lens", depth: 0)
    (lens.isOneWay, lens.named) = (try isOneWay(tree), named)
    try LensUses.check(lens)
    return lens
  }

  /// The lenses that a file defines: `"lenses": {"folder": [...]}`.
  private static func named(_ tree: JSONTree) throws(ArchiveError) -> [String: Lens] {
    guard let value = tree["lenses"] else { return [:] }
    guard let members = value.members else {
      throw fault("'lenses' is an object of lenses by their names", "/lenses")
    }
    var result: [String: Lens] = [:]
    for (name, list) in members {
      result[name] = try lens(list, "/lenses/" + JSONPointer.escaped(name), depth: 0)
    }
    return result
  }

  private static let fileMembers: Set<String> = [
    "$schema", "$comment", "title", "description", "from", "to", "direction", "lenses", "lens",
  ]

  /// Whether a lens file states that it has only a forward direction.
  private static func isOneWay(_ tree: JSONTree) throws(ArchiveError) -> Bool {
    switch tree["direction"] {
    case nil, .string("both"): return false
    case .string("forward"): return true
    default: throw fault("'direction' is forward or both", "/direction")
    }
  }

  fileprivate static func lens(
    _ tree: JSONTree, _ pointer: String, depth: Int
  ) throws(ArchiveError) -> Lens {
    guard depth < depthLimit else {
      throw fault("lenses are nested more than \(depthLimit) deep", pointer)
    }
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
    guard let members = tree.members, members.count == 1, let (word, given) = members.first else {
      throw fault("an operation is an object with one member, its name", pointer)
    }
    if word == LensTrees.open { throw openChoice(given, pointer) }
    guard let known = words[word] else {
      let words = Self.words.keys.sorted().joined(separator: ", ")
      throw fault("'\(word)' is not an operation; there are \(words)", pointer)
    }
    let inside = pointer + "/" + word
    // `{"use": "folder"}` abbreviates `{"use": {"name": "folder"}}`.
    let isName = word == "use" && given.string != nil
    let body = isName ? JSONTree.members([("name", given)]) : given
    guard case .members = body else { throw fault("'\(word)' takes an object", inside) }
    let arguments = LensArguments(tree: body, pointer: inside, depth: depth)
    try arguments.check(allowed: known)
    return LensOperation(
      kind: try arguments.kind(word), pointer: pointer,
      ignoresAbsence: try arguments.ignoresAbsence())
  }

  /// The error for a choice that nobody has made, which names what there is to choose from.
  private static func openChoice(_ given: JSONTree, _ pointer: String) -> ArchiveError {
    let candidates = (given["candidates"]?.list ?? []).map { LensTrees.title($0.list ?? [$0]) }
    let remedy =
      candidates.isEmpty
      ? "put operations in its place"
      : "put one of these in its place: \(candidates.joined(separator: "; or "))"
    let question = given["question"]?.string ?? "what is to be done here?"
    return fault("a choice is open: \(question); \(remedy)", pointer)
  }

  /// The operations and the members of each.
  private static let words: [String: [String]] = [
    "rename": ["source", "destination"],
    "add": ["name", "default", "absent"],
    "remove": ["name", "default", "absent"],
    "hoist": ["host", "name", "prune"],
    "plunge": ["host", "name", "create"],
    "wrap": ["name", "absent"],
    "head": ["name", "absent"],
    "in": ["name", "lens", "archive"],
    "map": ["lens", "by", "names"],
    "convert": [
      "name", "mapping", "values", "sourceType", "destinationType", "format", "zone",
      "else", "elseBackward",
    ],
    "class": ["name", "from", "to"],
    "store": ["name", "as"],
    "default": ["name", "value", "absent"],
    "nullable": ["name", "null", "absent"],
    "copy": ["source", "destination"],
    "split": ["name", "separator"],
    "join": ["name", "separator"],
    "nest": ["name", "as"],
    "pluck": ["name", "as"],
    "group": ["name", "by", "keys", "values", "into", "alternating"],
    "ungroup": ["name", "by", "keys", "values", "into", "alternating"],
    "when": ["member", "equals", "present", "after", "lens"],
    "use": ["name"],
  ]

  static func fault(_ message: String, _ pointer: String) -> ArchiveError {
    ArchiveError(
      .malformed, "the lens is wrong: \(message)", path: GraphPath(pointer: pointer))
  }
}

extension LensArguments {
  /// The kind of the operation; most apply to the member `name`, some to the value itself without it.
  fileprivate func kind(_ word: String) throws(ArchiveError) -> LensOperation.Kind {
    switch word {
    case "rename":
      let (source, destination) = try names("source", "destination")
      return .rename(source: source, destination: destination)
    case "add", "remove":
      return .add(name: try name(), default: try value("default"), isInverse: word == "remove")
    case "hoist", "plunge":
      let (host, name) = try names("host", "name")
      let isInverse = word == "plunge"
      let ownsHost = try flag(isInverse ? "create" : "prune")
      return .hoist(host: host, name: name, ownsHost: ownsHost, isInverse: isInverse)
    case "wrap", "head": return .wrap(name: try optionalName(), isInverse: word == "head")
    case "in":
      if let step = try archiveStep() {
        return .change(name: try optionalName(), .archive(step))
      }
      return .in(name: try name(), lens: try lens())
    case "map":
      var lens = try self.lens()
      lens.elementName = try optionalName("by")
      lens.memberPattern = try memberPattern()
      return .map(lens: lens)
    case "class":
      let (source, destination) = try (name("from"), name("to"))
      guard !source.hasSameScalars(as: destination) else {
        throw fault("'class' names one class twice")
      }
      return .change(name: try optionalName(), .class(source: source, destination: destination))
    case "store": return .change(name: try name(), .store(as: try storage()))
    case "convert": return .change(name: try optionalName(), .convert(try conversion()))
    case "when":
      let (condition, after) = try conditions()
      return .when(condition, after: after, lens: try lens())
    case "default": return .default(name: try name(), value: try givenValue())
    case "nullable": return .nullable(name: try name(), becomesAbsent: try becomesAbsent())
    case "copy":
      let (source, destination) = try names("source", "destination")
      return .copy(source: source, destination: destination)
    case "split", "join":
      let (name, separator) = (try optionalName(), try self.separator())
      return .change(name: name, .split(separator: separator, isInverse: word == "join"))
    case "nest", "pluck":
      let (name, member) = (try optionalName(), try self.name("as"))
      return .change(name: name, .nest(member: member, isInverse: word == "pluck"))
    case "group", "ungroup": return try grouping(isInverse: word == "ungroup")
    default: return .use(name: try name())
    }
  }

  private func lens() throws(ArchiveError) -> Lens {
    guard let tree = tree["lens"] else { throw fault("'lens' is missing") }
    return try LensReader.lens(tree, pointer + "/lens", depth: depth + 1)
  }
}

// MARK: - A lens between two versions of a family, stored beside their schemas

/// A lens and the versions that it connects.
package struct LensFile: Sendable {
  /// The version that the forward direction starts from.
  package let source: String
  /// The version that it leads to.
  package let target: String
  /// The lens.
  package let lens: Lens
  /// The path that it was read from; nil for the lens between versions with the same model.
  package internal(set) var path: String?
  /// The envelopes of the two versions, in which converted values have their forms; nil where they are not known.
  package internal(set) var envelopes: (source: Envelope?, target: Envelope?) = (nil, nil)

  /// `v1-v2`: the name of the lens in losses and errors.
  package var name: String { "\(source)-\(target)" }

  static let suffix = ".lens.json"

  /// The name of the file of the lens between two versions.
  package static func fileName(from source: String, to target: String) -> String {
    "\(source)-\(target)\(suffix)"
  }
}

/// A lens and the direction in which it is applied.
package struct LensStep: Sendable {
  /// The lens.
  package let file: LensFile
  /// The direction.
  package let direction: LensDirection

  /// The envelope of the version after.
  package var envelope: Envelope? {
    direction == .forward ? file.envelopes.target : file.envelopes.source
  }

  /// The version before.
  package var source: String { direction == .forward ? file.source : file.target }
  /// The version after.
  package var target: String { direction == .forward ? file.target : file.source }

  /// The operations in the order in which they are performed.
  package var operations: [LensOperation] { file.lens.operations(direction) }

  /// Whether it goes backward through a one-way lens.
  package var isAgainstOneWay: Bool { file.lens.isOneWay && direction == .backward }

  /// The inverse step.
  package var reversed: LensStep { LensStep(file: file, direction: direction.reversed) }
}

extension [LensStep] {
  /// The names of the lenses that cannot be inverted.
  var oneWay: [String] { map(\.file).filter(\.lens.isOneWay).map(\.name) }
}

// MARK: - Checks the lenses that a file names: each one exists, and none is applied to one value endlessly

/// Checks the uses of named lenses.
enum LensUses {
  /// - Throws: `ArchiveError` with the location of an invalid use.
  static func check(_ lens: Lens) throws(ArchiveError) {
    for operation in lens.allOperations {
      if case .use(let name) = operation.kind, lens.named[name] == nil {
        throw LensReader.fault("'lenses' has no lens '\(name)'", operation.pointer + "/use")
      }
    }
    for name in lens.named.keys.sorted() {
      // A lens may use itself on parts of a value, of which there are fewer with each step.
      var waiting = direct(lens.named[name])
      var met: Set<String> = []
      while let (next, pointer) = waiting.popLast() {
        if next == name {
          throw LensReader.fault(
            "'\(name)' would be applied to the same value forever: it may use itself only within 'in' or 'map'",
            pointer)
        }
        if met.insert(next).inserted { waiting += direct(lens.named[next]) }
      }
    }
    try checkCounts(lens)
  }

  /// A limit for uses that double from lens to lens and would practically never end.
  private static let countLimit = 10_000

  /// Counts how many lenses are applied to one value; none is applied to a value within itself.
  private static func checkCounts(_ lens: Lens) throws(ArchiveError) {
    var counts: [String: Int] = [:]
    for start in lens.named.keys.sorted() {
      var waiting = [start]
      while let name = waiting.last {
        let used = direct(lens.named[name])
        let unknown = used.filter { counts[$0.name] == nil }
        if unknown.isEmpty {
          counts[name] = try count(used, counts)
          waiting.removeLast()
        } else {
          waiting += unknown.map(\.name)
        }
      }
    }
    _ = try count(direct(lens), counts)
  }

  private static func count(
    _ uses: [(name: String, pointer: String)], _ counts: [String: Int]
  ) throws(ArchiveError) -> Int {
    var sum = 1
    for (name, pointer) in uses {
      // Each is within the limit, so nothing overflows.
      sum += counts[name] ?? 0
      if sum > countLimit {
        throw LensReader.fault(
          "with '\(name)', over \(countLimit) lenses would be applied to one value", pointer)
      }
    }
    return sum
  }

  /// The lenses that one uses on exactly the value that it is applied to.
  private static func direct(_ lens: Lens?) -> [(name: String, pointer: String)] {
    (lens?.operations ?? []).flatMap { operation -> [(name: String, pointer: String)] in
      switch operation.kind {
      case .use(let name): [(name, operation.pointer)]
      case .when(_, _, let inner): direct(inner)
      default: []
      }
    }
  }
}
